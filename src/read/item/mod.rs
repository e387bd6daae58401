//! Items parsed from their files: directives, knowledge, hooks. Every part keeps its byte range.

pub mod condition;
mod directive;
mod fence;
mod hook;
mod knowledge;
mod opaque;
mod references;
mod signature;
mod xml;

pub use directive::{
    ContextDeclaration, Directive, IgnoredIn, IgnoredPart, InputDeclaration, ModelDeclaration, OutputDeclaration,
    Permission, RefusedDirective, elements, limit_value, parse_directive, read_directive,
};
pub(crate) use fence::unusable;
pub use hook::{EVENTS, Hook, HookAction, HookOrigin, ROUTING_EVENT, hooks_from_list};
pub(crate) use knowledge::is_yaml;
pub use knowledge::{DeclarationKind, Knowledge, NoText, TextPlace, parse_knowledge};
pub use signature::{CommentStyle, Signature, SignatureComment, is_signed, read_signature};

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::text::{Source, Span, Traced};

/// The trimmed content and body of a directive's fence; `None` if there is no usable fence.
pub(crate) fn directive_parts(source: &Arc<Source>) -> Option<(Span, Span)> {
    fence::split(source, "xml", &mut Vec::new()).ok().map(|fence| (fence.content, fence.body))
}

/// Preamble, block, content and body of a file; `None` without a usable fence of that word.
#[cfg(feature = "internals")]
pub fn fence_spans(source: &Arc<Source>, word: &str) -> Option<[Span; 4]> {
    let fence = fence::split(source, word, &mut Vec::new()).ok()?;
    Some([fence.preamble, fence.block, fence.content, fence.body])
}

#[derive(Debug, Clone)]
pub struct Parsed<T> {
    pub item: T,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ItemField {
    pub text: Traced,
    /// The whole declaration: an attribute's value, or an element's content, white space included.
    pub span: Span,
}

impl ItemField {
    pub fn as_str(&self) -> &str {
        self.text.text()
    }
}
