mod attributes;
mod declarations;
mod hooks;
mod metadata;
mod parse;
mod permissions;
#[cfg(test)]
mod tests;
mod unread;

use std::collections::HashMap;
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
    pub source: Arc<Source>,
    pub name: Option<Field>,
    pub version: Option<Field>,
    pub category: Option<Field>,
    /// The attribute, or `<extends>` in the metadata: the parent's id.
    pub extends: Option<Field>,
    /// The description in the metadata if it has text, else the root's.
    pub description: Option<Field>,
    pub model: Model,
    pub limits: Vec<Limit>,
    pub permissions: Vec<Permission>,
    /// Attribute `risk` of each `<acknowledge>`, or else its text.
    pub acknowledged: Vec<Field>,
    pub context: Context,
    pub hooks: Vec<Hook>,
    pub inputs: Vec<InputDeclaration>,
    /// Includes outputs without a name; duplicates are not merged yet.
    pub outputs: Vec<Output>,
    /// The declarations that occur once, by name: the attribute with its name, the element with its tags.
    pub places: HashMap<&'static str, Span>,
    /// The root's opening tag, in which a pattern finds name, version and parent.
    pub tag: Span,
    /// Each may hide a declaration.
    pub comments: Vec<Span>,
    /// Ignored parts of the root and its metadata.
    pub unread: Vec<Unread>,
    pub unread_attributes: Vec<UnreadAttribute>,
    pub preamble: Span,
    pub content: Span,
    pub body: Span,
}

impl Directive {
    pub fn parent(&self) -> Option<&Field> {
        self.extends.as_ref().filter(|field| !field.text.is_empty())
    }
}

/// `<model tier="…" id="…" provider="…">`, or `<model_class>`.
#[derive(Debug, Clone, Default)]
pub struct Model {
    pub tier: Option<Field>,
    pub id: Option<Field>,
    pub provider: Option<Field>,
}

#[derive(Debug, Clone)]
pub struct Limit {
    pub name: String,
    /// With a dot a float, else an integer, else text.
    pub value: Value,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub struct Permission {
    /// `rye.execute.tool.rye.file-system.*`, with `.` for `/`.
    pub capability: String,
    pub span: Span,
}

/// The entries of `<context>`: trimmed item ids, without empty ones.
#[derive(Debug, Clone, Default)]
pub struct Context {
    pub system: Vec<Field>,
    pub before: Vec<Field>,
    pub after: Vec<Field>,
    pub suppress: Vec<Field>,
}

impl Context {
    pub fn is_empty(&self) -> bool {
        [&self.system, &self.before, &self.after, &self.suppress].into_iter().all(Vec::is_empty)
    }
}

#[derive(Debug, Clone)]
pub struct InputDeclaration {
    pub name: Field,
    /// `string` by default.
    pub input_type: String,
    /// Whether the attribute `required` is "true", ignoring case.
    pub required: bool,
    /// The attribute `required`, whatever its value.
    pub required_as: Option<Field>,
    pub default: Option<Field>,
    pub description: Option<Field>,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub struct Output {
    /// `None` or empty if the name is missing.
    pub name: Option<Field>,
    pub output_type: Option<Field>,
    /// The value of `required`, if it is "true", ignoring case.
    pub required: Option<Span>,
    /// The attribute `required`, whatever its value.
    pub required_as: Option<Field>,
    pub description: Option<Field>,
    pub span: Span,
}
