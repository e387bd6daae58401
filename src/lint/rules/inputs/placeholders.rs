//! The texts of directives that are searched for placeholders.

use memchr::memmem;

use crate::read::item::Directive;
use crate::text::Span;

pub(super) use crate::lint::placeholders::directive::{PlaceholderKind, placeholders};
pub(super) use crate::text::code::CodeRanges;

/// The texts whose placeholders are filled in: the permissions and the body.
pub(super) fn texts(directive: &Directive) -> impl Iterator<Item = Span> {
    let content = directive.content.text();
    let block = memmem::find(content.as_bytes(), b"<permissions>").and_then(|start| {
        let end = start + content[start..].find("</permissions>")?;
        Some(directive.content.slice(start..end))
    });
    block.into_iter().chain([directive.body.clone()])
}
