//! Items as parsed from their files: directives, knowledge, hooks. Every part keeps its byte range.

mod directive;
mod fence;
mod hook;
mod knowledge;
mod opaque;
mod signature;
mod xml;

pub use directive::{
    Context, Directive, InputDeclaration, Limit, Model, Output, Permission, Places, limit_value, parse_directive,
};
pub use hook::{Action, Hook, HookOrigin, hooks_from_list};
pub use knowledge::{Declaration, DeclarationKind, Knowledge, NoText, TextPlace, parse_knowledge};
pub use signature::{CommentStyle, Signature, SignatureComment, read_signature};

use crate::diagnostic::Diagnostic;
use crate::text::{Span, Traced};

/// What was read, and the warnings about it.
#[derive(Debug, Clone)]
pub struct Parsed<T> {
    /// The item.
    pub item: T,
    /// Warnings and notes, in the order found.
    pub diagnostics: Vec<Diagnostic>,
}

/// A piece of text that an item declares, and the range of the file that declares it.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The text, with origins.
    pub text: Traced,
    /// The whole declaration: an attribute's value, or an element's content, blanks included.
    pub span: Span,
}

impl Field {
    /// The plain text.
    pub fn as_str(&self) -> &str {
        self.text.text()
    }
}
