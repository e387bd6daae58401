mod attributes;
mod declarations;
mod hooks;
mod metadata;
mod parse;
mod permissions;
#[cfg(test)]
mod tests;
mod unread;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use metadata::limit_value;
pub use parse::{RefusedDirective, elements, parse_directive, read_directive};
pub use unread::{IgnoredAttribute, IgnoredIn, IgnoredPart};

use super::{Hook, ItemField};
use crate::read::value::{Map, Value};
use crate::text::{Source, Span};

/// A directive as its file declares it (Directives, "Reading a directive").
#[derive(Debug, Clone)]
pub struct Directive {
    pub source: Arc<Source>,
    pub name: Option<ItemField>,
    pub version: Option<ItemField>,
    pub category: Option<ItemField>,
    /// The attribute, or `<extends>` in the metadata: the parent's id.
    pub extends: Option<ItemField>,
    /// The description in the metadata if it has text, else the root's.
    pub description: Option<ItemField>,
    pub model: ModelDeclaration,
    /// All attributes of `<model>`.
    pub model_attributes: Map,
    pub limits: Vec<LimitDeclaration>,
    pub permissions: Vec<Permission>,
    /// Attribute `risk` of each `<acknowledge>`, or else its text.
    pub acknowledged: Vec<ItemField>,
    pub context: ContextDeclaration,
    pub hooks: Vec<Hook>,
    pub inputs: Vec<InputDeclaration>,
    /// Includes outputs without a name; duplicates are not merged yet.
    pub outputs: Vec<OutputDeclaration>,
    /// An `<outputs>` with text in the metadata.
    pub outputs_text: Option<Span>,
    /// The declarations that occur once, by name: the attribute with its name, the element with its tags.
    pub places: BTreeMap<&'static str, Span>,
    /// The root's opening tag, in which a pattern finds name, version and parent.
    pub tag: Span,
    /// The comments, each of which may hide a declaration.
    pub comments: Vec<Span>,
    /// Ignored parts of the root and its metadata.
    pub unread: Vec<IgnoredPart>,
    pub unread_attributes: Vec<IgnoredAttribute>,
    pub preamble: Span,
    pub content: Span,
    pub body: Span,
}

impl Directive {
    pub fn parent(&self) -> Option<&ItemField> {
        self.extends.as_ref().filter(|field| !field.text.is_empty())
    }

    /// The declaration that registers `directive_return`.
    pub fn returns(&self) -> Option<&Span> {
        self.outputs.first().map(|output| &output.span).or(self.outputs_text.as_ref())
    }
}

/// `<model tier="…" id="…" provider="…">`, or `<model_class>`.
#[derive(Debug, Clone, Default)]
pub struct ModelDeclaration {
    pub tier: Option<ItemField>,
    pub id: Option<ItemField>,
    pub provider: Option<ItemField>,
}

#[derive(Debug, Clone)]
pub struct LimitDeclaration {
    pub name: String,
    /// A float if it is written with a dot, else an integer, else text.
    pub value: Value,
    pub span: Span,
    pub value_span: Span,
}

#[derive(Debug, Clone)]
pub struct Permission {
    /// `rye.execute.tool.rye.file-system.*`, with `.` for `/`.
    pub capability: String,
    pub span: Span,
}

/// The entries of `<context>`: trimmed item ids, without empty ones.
#[derive(Debug, Clone, Default)]
pub struct ContextDeclaration {
    pub system: Vec<ItemField>,
    pub before: Vec<ItemField>,
    pub after: Vec<ItemField>,
    pub suppress: Vec<ItemField>,
}

impl ContextDeclaration {
    pub fn is_empty(&self) -> bool {
        [&self.system, &self.before, &self.after, &self.suppress].into_iter().all(Vec::is_empty)
    }
}

#[derive(Debug, Clone)]
pub struct InputDeclaration {
    pub name: ItemField,
    /// `string` by default.
    pub input_type: String,
    /// Whether the attribute `required` is "true", ignoring case.
    pub required: bool,
    /// The attribute `required`, whatever its value.
    pub required_as: Option<ItemField>,
    pub default: Option<ItemField>,
    pub description: Option<ItemField>,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub struct OutputDeclaration {
    /// `None` or empty if the name is missing.
    pub name: Option<ItemField>,
    pub output_type: Option<ItemField>,
    /// The value of `required`, if it is "true", ignoring case.
    pub required: Option<Span>,
    /// The attribute `required`, whatever its value.
    pub required_as: Option<ItemField>,
    pub description: Option<ItemField>,
    pub span: Span,
}
