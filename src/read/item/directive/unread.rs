use std::collections::{BTreeMap, BTreeSet};

use super::Directive;
use crate::read::item::opaque;
use crate::read::item::xml::Element;
use crate::text::Span;

/// The children of the root that are read, the first of each name.
fn is_read_in_root(tag: &str) -> bool {
    matches!(tag, "metadata" | "inputs" | "outputs" | "description")
}

/// The children of the metadata that are read, the last of each name. `<outputs>` is diagnosed elsewhere.
fn is_read_in_metadata(tag: &str) -> bool {
    let identity = matches!(tag, "name" | "version" | "extends" | "category" | "description");
    identity || matches!(tag, "model" | "model_class" | "limits" | "permissions" | "context" | "hooks" | "outputs")
}

/// An ignored part of the `xml` block.
#[derive(Debug, Clone, PartialEq)]
pub struct IgnoredPart {
    /// Empty for text between the elements of the root.
    pub tag: String,
    pub within: IgnoredIn,
    /// Whether a different element with that name is used instead.
    pub is_repeated: bool,
    pub has_content: bool,
    pub has_steps: bool,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub struct IgnoredAttribute {
    pub name: String,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IgnoredIn {
    Root,
    Metadata,
    /// The limits are attributes of `<limits>`.
    Limits,
    /// A description ends at its first element.
    Description,
    Output,
    /// A `<model>` or `<model_class>` without any attribute that is read.
    Model,
}

/// The attributes that are read if the root is `<directive>`.
pub(super) const ATTRIBUTES: [&str; 3] = ["name", "version", "extends"];

pub(super) fn attributes(root: Element<'_>) -> Vec<IgnoredAttribute> {
    let counts = |name: &str| root.tag() == "directive" && ATTRIBUTES.contains(&name);
    let unread = root.attributes().iter().filter(|attribute| !counts(&attribute.name));
    unread.map(|it| IgnoredAttribute { name: it.name.to_string(), span: it.span.clone() }).collect()
}

pub(super) fn collect(directive: &Directive, root: Element<'_>) -> Vec<IgnoredPart> {
    let mut unread = Vec::new();
    let mut text_from = root.opening().range().end;
    let mut seen = BTreeSet::new();
    for child in root.children() {
        let range = child.span().range();
        unread.extend(text(directive, text_from, range.start));
        text_from = range.end;
        let tag = child.tag();
        // An opaque section declares nothing, so there may be several.
        if opaque::SECTIONS.contains(&tag) {
            continue;
        }
        let is_repeated = !seen.insert(tag);
        if !is_read_in_root(tag) || is_repeated {
            unread.push(IgnoredPart {
                is_repeated: is_repeated && is_read_in_root(tag),
                ..element(child, IgnoredIn::Root)
            });
        }
    }
    let whole = root.span();
    let closing = whole.text().rfind("</").map_or(text_from, |at| whole.range().start + at);
    unread.extend(text(directive, text_from, closing));
    if let Some(metadata) = root.child("metadata") {
        of_metadata(metadata, &mut unread);
    }
    if let Some(outputs) = root.child("outputs") {
        let cut = outputs.children().filter_map(|output| output.children().next());
        unread.extend(cut.map(|inner| element(inner, IgnoredIn::Output)));
    }
    unread
}

fn of_metadata(metadata: Element<'_>, unread: &mut Vec<IgnoredPart>) {
    let mut last = BTreeMap::new();
    for child in metadata.children() {
        match child.tag() {
            tag if is_read_in_metadata(tag) => {
                let earlier = last.insert(tag, child);
                let repeated = |it| IgnoredPart { is_repeated: true, ..element(it, IgnoredIn::Metadata) };
                unread.extend(earlier.map(repeated));
            }
            // Common, and not needed by any prompt.
            "author" | "tags" => {}
            _ => unread.push(element(child, IgnoredIn::Metadata)),
        }
        match child.tag() {
            "limits" => unread.extend(child.children().map(|limit| element(limit, IgnoredIn::Limits))),
            "description" => {
                unread.extend(child.children().take(1).map(|inner| element(inner, IgnoredIn::Description)));
            }
            _ => {}
        }
    }
    let model = metadata.children().filter(|child| matches!(child.tag(), "model" | "model_class")).last();
    let sets_nothing = |model: &Element<'_>| ["tier", "id", "provider"].iter().all(|name| model.value(name).is_none());
    let says_something = |model: &Element<'_>| {
        !model.attributes().is_empty() || model.words().is_some() || model.children().next().is_some()
    };
    let model = model.filter(|model| sets_nothing(model) && says_something(model));
    unread.extend(model.map(|model| element(model, IgnoredIn::Model)));
}

fn element(element: Element<'_>, within: IgnoredIn) -> IgnoredPart {
    IgnoredPart {
        tag: element.tag().to_string(),
        within,
        is_repeated: false,
        has_content: element.words().is_some() || element.children().next().is_some(),
        has_steps: element.children().any(|child| child.tag() == "step"),
        span: element.opening(),
    }
}

/// Text between two elements of the root, without comments and processing instructions.
fn text(directive: &Directive, start: usize, end: usize) -> Option<IgnoredPart> {
    let source = &directive.source;
    let mut rest = source.span(start..end.max(start)).trim();
    loop {
        let written = rest.text();
        let close = match written {
            "" => return None,
            _ if written.starts_with("<!--") => "-->",
            _ if written.starts_with("<?") => "?>",
            _ => break,
        };
        let after = written.find(close)? + close.len();
        rest = rest.slice(after..written.len()).trim();
    }
    Some(IgnoredPart {
        tag: String::new(),
        within: IgnoredIn::Root,
        is_repeated: false,
        has_content: true,
        has_steps: false,
        span: rest,
    })
}
