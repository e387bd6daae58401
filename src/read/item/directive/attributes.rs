use std::iter;

use memchr::memmem;

use super::unread::ATTRIBUTES;
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::item::ItemField;
use crate::read::item::xml::Element;
use crate::text::python::is_blank;
use crate::text::{Span, Traced};

/// The root's attributes, found by a pattern in the raw content (Directives, "Reading a directive").
pub(super) struct RootAttributes(pub [Option<MatchedAttribute>; 3]);

pub(super) struct MatchedAttribute {
    pub name: &'static str,
    pub field: ItemField,
    pub span: Span,
}

impl RootAttributes {
    /// Searches from `<directive`, which the content must begin with, to the first `>`.
    pub fn find(content: &Span) -> Self {
        let tag = tag(content);
        Self(ATTRIBUTES.map(|name| find(tag.as_ref()?, name)))
    }

    /// Warns where the pattern and the XML disagree.
    pub fn compare(&self, content: &Span, root: Element<'_>, diagnostics: &mut Vec<Diagnostic>) {
        let tag = tag(content);
        let mut hidden = None;
        for (attribute, found) in ATTRIBUTES.into_iter().zip(&self.0) {
            let written = root.attribute(attribute).map(|written| &written.value.span);
            let found = found.as_ref().map(|found| &found.field.span);
            if found == written {
                continue;
            }
            let starts_in = |outer: &Span, inner: &Span| outer.range().contains(&inner.range().start);
            let (problem, at) = match (found, written) {
                (Some(found), Some(written)) if found.range().start == written.range().start => {
                    (Problem::AttributeCut { attribute }, written)
                }
                (Some(found), _) => {
                    let holder = root.attributes().iter().find(|holder| starts_in(&holder.span, found));
                    let Some(holder) = holder else { continue };
                    (Problem::AttributeByPattern { attribute, written: holder.name.to_string() }, found)
                }
                (None, Some(written)) if tag.as_ref().is_some_and(|tag| starts_in(tag, written)) => {
                    if written.text().is_empty() {
                        continue;
                    }
                    (Problem::AttributeCut { attribute }, written)
                }
                (None, written) => {
                    hidden = hidden.or(written);
                    continue;
                }
            };
            diagnostics.push(Diagnostic::at(problem, at));
        }
        if let Some(hidden) = hidden.filter(|_| root.tag() == "directive") {
            let by = hidden_by(content);
            diagnostics.push(Diagnostic::at(Problem::RootAttributesHidden { by }, hidden));
        }
    }
}

fn tag(content: &Span) -> Option<Span> {
    let text = content.text();
    let start = "<directive".len();
    let rest = text.strip_prefix("<directive").filter(|rest| rest.starts_with(is_blank))?;
    Some(content.slice(start..start + rest.find('>')?))
}

/// The first match of the name, `=` and a quoted value without either kind of quote inside.
fn find(tag: &Span, name: &'static str) -> Option<MatchedAttribute> {
    let text = tag.text();
    // For so short a text, the iterator of the library takes longer to build than to run.
    let mut searched = 0;
    let mut named = iter::from_fn(|| {
        let at = searched + memmem::find(&text.as_bytes()[searched..], name.as_bytes())?;
        searched = at + name.len();
        Some(at)
    });
    named.find_map(|at| {
        let rest = text[at + name.len()..].trim_start_matches(is_blank).strip_prefix('=')?;
        let quoted = rest.trim_start_matches(is_blank).strip_prefix(QUOTES)?;
        let length = quoted.find(QUOTES).filter(|&length| length > 0)?;
        let start = text.len() - quoted.len();
        let span = tag.slice(start..start + length);
        let end = start + length + 1; // Either quote is one byte.
        Some(MatchedAttribute { name, field: ItemField { text: Traced::file(&span), span }, span: tag.slice(at..end) })
    })
}

const QUOTES: [char; 2] = ['"', '\''];

fn hidden_by(content: &Span) -> &'static str {
    match content.text() {
        text if text.starts_with("<!--") => "a comment before it",
        text if text.starts_with("<?xml") => "an XML declaration before it",
        text if text.starts_with("<?") => "a processing instruction before it",
        text if text.starts_with("<!") => "a document type declaration before it",
        text if text.starts_with("<directive") => "a `>` in an attribute",
        _ => "the text before it",
    }
}
