mod attributes;
mod declarations;
mod hooks;
mod metadata;
mod parse;
mod permissions;
#[cfg(test)]
mod tests;
mod unread;

use std::sync::Arc;

pub use metadata::limit_value;
pub use parse::{Refused, elements, parse_directive, read_directive};
pub use unread::{Unread, UnreadAttribute, Within};

use super::{Field, Hook};
use crate::text::{Source, Span};
use crate::value::Value;

/// A directive as its file declares it (Directives, "Reading a directive").
#[derive(Debug, Clone)]
pub struct Directive {
    /// The file.
    pub source: Arc<Source>,
    /// Attribute `name`, or `<name>` in the metadata.
    pub name: Option<Field>,
    /// Attribute `version`, or `<version>` in the metadata.
    pub version: Option<Field>,
    /// `<category>` in the metadata.
    pub category: Option<Field>,
    /// Attribute `extends`, or `<extends>` in the metadata: the parent's id.
    pub extends: Option<Field>,
    /// The description in the metadata if it has text, else the root's.
    pub description: Option<Field>,
    /// `<model>`.
    pub model: Model,
    /// `<limits>` in the order written.
    pub limits: Vec<Limit>,
    /// What is granted, in the order written; empty when nothing is declared.
    pub permissions: Vec<Permission>,
    /// The risks that an `<acknowledge>` names, in its attribute `risk` or else as its text.
    pub acknowledged: Vec<Field>,
    /// `<context>` of the metadata.
    pub context: Context,
    /// `<hooks>` of the metadata.
    pub hooks: Vec<Hook>,
    /// `<inputs>` of the root.
    pub inputs: Vec<InputDeclaration>,
    /// `<outputs>` of the root, unnamed ones included, repeated ones not yet merged.
    pub outputs: Vec<Output>,
    /// Where each declaration stands that there is one of, by its name: `limits`, `extends`.
    pub places: Places,
    /// The root's opening tag, in which a pattern finds name, version and parent.
    pub tag: Span,
    /// The comments, each of which may hide a declaration.
    pub comments: Vec<Span>,
    /// What is read over in the root and in its metadata.
    pub unread: Vec<Unread>,
    /// The attributes of the root that are read over.
    pub unread_attributes: Vec<UnreadAttribute>,
    /// The trimmed text before the fence.
    pub preamble: Span,
    /// The trimmed text inside the fence.
    pub content: Span,
    /// The trimmed text after the fence.
    pub body: Span,
}

impl Directive {
    /// The id of its parent, if it names one.
    pub fn parent(&self) -> Option<&Field> {
        self.extends.as_ref().filter(|field| !field.text.is_empty())
    }
}

/// Where the single declarations of a directive stand, each whole: the attribute with its name, the element with its tags.
#[derive(Debug, Clone, Default)]
pub struct Places(Vec<(&'static str, Span)>);

impl Places {
    /// The place of a declaration; one that was declared before no longer counts.
    pub(in crate::item) fn set(&mut self, name: &'static str, span: Span) {
        self.0.retain(|(known, _)| *known != name);
        self.0.push((name, span));
    }

    /// Where it stands, if it is declared.
    pub fn get(&self, name: &str) -> Option<&Span> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, span)| span)
    }
}

/// `<model tier="…" id="…" provider="…">`, or `<model_class>`.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// Attribute `tier`.
    pub tier: Option<Field>,
    /// Attribute `id`.
    pub id: Option<Field>,
    /// Attribute `provider`.
    pub provider: Option<Field>,
}

/// One attribute of `<limits>`.
#[derive(Debug, Clone)]
pub struct Limit {
    /// The limit's name.
    pub name: String,
    /// With a dot a float, else an integer, else text.
    pub value: Value,
    /// The attribute, name included.
    pub span: Span,
}

/// A granted capability.
#[derive(Debug, Clone)]
pub struct Permission {
    /// `rye.execute.tool.rye.file-system.*`: `/` is written as `.`.
    pub capability: String,
    /// The text that grants it.
    pub span: Span,
}

/// The four kinds of entries of `<context>`: item ids, trimmed, empty ones dropped.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// `<system>`
    pub system: Vec<Field>,
    /// `<before>`
    pub before: Vec<Field>,
    /// `<after>`
    pub after: Vec<Field>,
    /// `<suppress>`: hook ids or item ids.
    pub suppress: Vec<Field>,
}

impl Context {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        [&self.system, &self.before, &self.after, &self.suppress].into_iter().all(Vec::is_empty)
    }
}

/// One `<input>`.
#[derive(Debug, Clone)]
pub struct InputDeclaration {
    /// Its name.
    pub name: Field,
    /// Attribute `type`, `string` if there is none.
    pub input_type: String,
    /// Whether `required` is the word true, in any case.
    pub required: bool,
    /// Attribute `required`, whatever it says.
    pub required_as: Option<Field>,
    /// Attribute `default`.
    pub default: Option<Field>,
    /// Its text.
    pub description: Option<Field>,
    /// The element.
    pub span: Span,
}

/// One `<output>`.
#[derive(Debug, Clone)]
pub struct Output {
    /// Its name; none or empty for one without a name.
    pub name: Option<Field>,
    /// Attribute `type`; none where it is missing, which means `string`.
    pub output_type: Option<Field>,
    /// The value of `required`, if that is the word true in any case.
    pub required: Option<Span>,
    /// Attribute `required`, whatever it says.
    pub required_as: Option<Field>,
    /// Its trimmed text, none if empty.
    pub description: Option<Field>,
    /// The element.
    pub span: Span,
}
