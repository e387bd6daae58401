use std::borrow::Cow;
use std::ops::Range;

use crate::read::item::ItemField;
use crate::text::{Span, Traced};

/// The elements of a document in the order of their opening tags; the first is the root. Flat, so that neither building
/// nor dropping it recurses.
#[derive(Debug)]
pub(in crate::read::item) struct XmlDocument<'d> {
    /// The base of the nodes' ranges.
    pub(super) content: Span,
    pub(super) nodes: Vec<XmlNode<'d>>,
    pub(super) comments: Vec<Range<usize>>,
}

#[derive(Debug)]
pub(super) struct XmlNode<'d> {
    /// `{namespace}name`, or the name alone without a namespace.
    pub tag: Cow<'d, str>,
    pub attributes: Vec<Attribute<'d>>,
    pub text: Traced,
    /// The range of that text, markup included.
    pub text_range: Range<usize>,
    pub range: Range<usize>,
    /// One past its last descendant in the list of nodes.
    pub end: usize,
}

#[derive(Debug)]
pub(in crate::read::item) struct Attribute<'d> {
    /// `{namespace}name`, or the name alone without a namespace.
    pub name: Cow<'d, str>,
    pub value: ItemField,
    pub span: Span,
}

#[derive(Debug, Clone, Copy)]
pub(in crate::read::item) struct Element<'a> {
    document: &'a XmlDocument<'a>,
    index: usize,
}

impl XmlDocument<'_> {
    pub fn root(&self) -> Element<'_> {
        Element { document: self, index: 0 }
    }

    pub fn elements(&self) -> impl Iterator<Item = Span> {
        self.nodes.iter().map(|node| self.content.slice(node.range.clone()))
    }

    pub fn comments(&self) -> impl Iterator<Item = Span> {
        self.comments.iter().map(|range| self.content.slice(range.clone()))
    }
}

impl<'a> Element<'a> {
    fn node(self) -> &'a XmlNode<'a> {
        &self.document.nodes[self.index]
    }

    pub fn tag(self) -> &'a str {
        &self.node().tag
    }

    pub fn span(self) -> Span {
        self.document.content.slice(self.node().range.clone())
    }

    pub fn opening(self) -> Span {
        let XmlNode { range, text_range, .. } = self.node();
        self.document.content.slice(range.start..text_range.start)
    }

    pub fn attributes(self) -> &'a [Attribute<'a>] {
        &self.node().attributes
    }

    pub fn attribute(self, name: &str) -> Option<&'a Attribute<'a>> {
        self.attributes().iter().find(|attribute| attribute.name == name)
    }

    pub fn value(self, name: &str) -> Option<ItemField> {
        self.attribute(name).map(|attribute| attribute.value.clone())
    }

    pub fn children(self) -> impl Iterator<Item = Element<'a>> {
        let Self { document, index } = self;
        let end = self.node().end;
        let next = move |index: usize| (index < end).then_some(Element { document, index });
        std::iter::successors(next(index + 1), move |child| next(child.node().end))
    }

    pub fn child(self, tag: &str) -> Option<Element<'a>> {
        self.children().find(|child| child.tag() == tag)
    }

    /// The trimmed text up to the first child.
    pub fn content(self) -> ItemField {
        let XmlNode { text, text_range, .. } = self.node();
        ItemField { text: text.trim(), span: self.document.content.slice(text_range.clone()) }
    }

    /// Like [`Self::content`]; `None` if the element has no text, not even white space.
    pub fn text(self) -> Option<ItemField> {
        (!self.node().text.is_empty()).then(|| self.content())
    }

    /// Like [`Self::content`]; `None` if empty.
    pub fn words(self) -> Option<ItemField> {
        Some(self.content()).filter(|field| !field.text.is_empty())
    }
}
