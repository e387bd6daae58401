//! The signed text of a file.

use std::ops::Range;

use crate::read::item::{CommentStyle, Signature, directive_parts};
use crate::read::store::ItemKind;
use crate::text::{Source, python};

use super::Covers;

/// The text whose hash a signature contains. Directive: from the first `<directive…>` to the last
/// `</directive>`, none if it has no such region. Other files: the text after the signature's line;
/// in knowledge that continues with `---`, the text after the next `---`.
pub fn signed_region(text: &str, kind: Option<ItemKind>, signature: &Signature) -> Option<Range<usize>> {
    match kind {
        Some(ItemKind::Directive) => directive(text),
        Some(ItemKind::Knowledge) => Some(knowledge(text, after_line(text, signature))),
        Some(ItemKind::Tool) | None => Some(without_interpreter(text, after_line(text, signature))),
    }
}

pub(crate) fn directive(text: &str) -> Option<Range<usize>> {
    const CLOSING: &str = "</directive>";
    let start = text.find("<directive")?;
    text[start..].contains('>').then_some(())?;
    let end = text.rfind(CLOSING)?;
    (end >= start).then_some(start..end + CLOSING.len())
}

/// The signature is removed only if nothing else is on its line and a line feed ends that line.
fn after_line(text: &str, signature: &Signature) -> usize {
    let Range { start, end } = signature.line.range();
    let is_whole =
        !signature.line.text().starts_with("<!--") || signature.line.text().find("-->") == Some(end - start - 3);
    if is_whole && text[end..].starts_with('\n') { end + 1 } else { start }
}

fn knowledge(text: &str, start: usize) -> Range<usize> {
    const DASHES: &str = "---";
    let rest = &text[start..];
    let second = rest.strip_prefix(DASHES).and_then(|after| after.find(DASHES));
    match second {
        Some(second) => {
            let start = start + DASHES.len() + second + DASHES.len();
            let Range { start: first, end } = python::trim_range(&text[start..]);
            start + first..start + end
        }
        None => start..text.len(),
    }
}

/// A `#!` line after the signature is removed too; one before it is never part of the text.
fn without_interpreter(text: &str, start: usize) -> Range<usize> {
    let rest = &text[start..];
    let line = rest.find('\n').filter(|_| rest.starts_with("#!/") && !text.starts_with("#!/"));
    start + line.map_or(0, |end| end + 1)..text.len()
}

/// How much of what a file contributes to prompts is signed. A directive contributes its fence and the body after it; a
/// knowledge item without a `yaml` block contributes the whole file.
pub fn covered(source: &std::sync::Arc<Source>, kind: Option<ItemKind>, region: &Range<usize>) -> Covers {
    let text = source.text();
    let is_whole = match kind {
        Some(ItemKind::Directive) => directive_parts(source).is_some_and(|(content, body)| {
            // The region's tags may be anywhere in the file, and a tag written differently is not recognised.
            [content.range(), body.range()]
                .into_iter()
                .all(|part| part.is_empty() || region.start <= part.start && part.end <= region.end)
        }),
        Some(ItemKind::Knowledge) => {
            let line_end = text.find('\n').unwrap_or(text.len());
            region.start <= line_end || python::trim(&text[line_end..region.start]).is_empty()
        }
        Some(ItemKind::Tool) | None => true,
    };
    if is_whole { Covers::Whole } else { Covers::Part }
}

/// Whether everything in the signature's line except the time is checked.
pub fn is_plain_line(signature: &Signature, style: CommentStyle) -> bool {
    let closing = if style == CommentStyle::Markup { " -->" } else { "" };
    let rest = &signature.line.source().text()[signature.key.range().end..signature.line.range().end];
    signature.provider.is_none() && rest == closing
}
