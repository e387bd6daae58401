use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use memchr::{memchr2, memmem};

use super::fault::XmlFault;
use super::namespaces::{Namespaces, declared_prefix};
use super::tag::{self, OpeningTag, RawAttribute};
use super::text::{BLANKS, attribute_value, first_forbidden, push_reference, reference_end};
use super::tree::{Attribute, XmlDocument, XmlNode};
use super::{doctype, name};
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::item::ItemField;
use crate::read::limits;
use crate::text::{Span, Traced};

/// Parses `document`, a copy of `content` in which opaque sections are blanked out; text comes from `content`.
pub(in crate::read::item) fn parse<'d>(content: &Span, document: &'d str) -> Result<XmlDocument<'d>, Diagnostic> {
    let forbidden = first_forbidden(document);
    let fault = match (read(content, document), forbidden) {
        (Ok(tree), None) => return Ok(tree),
        (Err(fault), None) => fault,
        (Err(fault), Some(forbidden)) if fault.at.start < forbidden.at.start => fault,
        (_, Some(forbidden)) => forbidden,
    };
    Err(Diagnostic::at(Problem::InvalidXml { reason: fault.reason }, content.slice(fault.at)))
}

fn read<'d>(content: &Span, document: &'d str) -> Result<XmlDocument<'d>, XmlFault> {
    // A byte order mark is not part of the document.
    let skipped = if document.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut builder = TreeBuilder {
        content,
        document,
        tree: XmlDocument { content: content.clone(), nodes: Vec::with_capacity(16), comments: Vec::new() },
        open: Vec::new(),
        namespaces: Namespaces::default(),
        left: limits::XML_PARTS,
        may_declare: true,
    };
    let mut at = skipped;
    loop {
        builder.spend(1, at)?;
        let rest = &document[at..];
        at = match rest.as_bytes() {
            [] => return builder.end(),
            [b'<', b'/', ..] => builder.close(at)?,
            [b'<', b'?', ..] => builder.instruction(at, at == skipped)?,
            [b'<', b'!', ..] if rest.starts_with("<!--") => builder.comment(at)?,
            [b'<', b'!', ..] if rest.starts_with(CDATA) => builder.literal(at)?,
            [b'<', b'!', ..] if rest.starts_with("<!DOCTYPE") => builder.doctype(at)?,
            [b'<', b'!', ..] => {
                let reason = "`<!` does not begin a comment, CDATA section or document type declaration";
                return Err(XmlFault::new(reason, at..at + 1));
            }
            [b'<', ..] => builder.open(at)?,
            [b'&', ..] => builder.reference(at)?,
            text => builder.characters(at..at + memchr2(b'<', b'&', text).unwrap_or(text.len()))?,
        };
    }
}

const CDATA: &str = "<![CDATA[";

struct TreeBuilder<'c, 'a> {
    content: &'c Span,
    document: &'a str,
    tree: XmlDocument<'a>,
    open: Vec<OpenElement<'a>>,
    namespaces: Namespaces<'a>,
    /// What is left of [`limits::XML_PARTS`].
    left: usize,
    /// Whether a document type declaration may still come.
    may_declare: bool,
}

struct OpenElement<'a> {
    node: usize,
    name: &'a str,
    prefixes: Vec<&'a str>,
}

impl<'a> TreeBuilder<'_, 'a> {
    fn spend(&mut self, count: usize, at: usize) -> Result<(), XmlFault> {
        match self.left.checked_sub(count) {
            Some(left) => self.left = left,
            None => {
                let reason = format!("more than {} tags, attributes, references and pieces of text", limits::XML_PARTS);
                return Err(XmlFault::new(reason, at..at));
            }
        }
        Ok(())
    }

    /// A child ends the element's text.
    fn has_child(&self, node: usize) -> bool {
        self.tree.nodes.len() > node + 1
    }

    /// Like the methods for other parts, reads what begins at `at` and returns its end.
    fn open(&mut self, at: usize) -> Result<usize, XmlFault> {
        let document = self.document;
        let tag = tag::opening(document, at)?;
        let range = at..tag.end;
        if self.open.is_empty() && !self.tree.nodes.is_empty() {
            return Err(XmlFault::new("a second root element", range));
        }
        if self.open.len() == limits::XML_LEVELS {
            let reason = format!("elements are nested more than {} levels deep", limits::XML_LEVELS);
            return Err(XmlFault::new(reason, range));
        }
        let prefixes = self.bind(&tag)?;
        let node = XmlNode {
            tag: self.qualified(&tag.name, Namespaces::element)?,
            attributes: self.attributes(&tag)?,
            text: Traced::new(),
            text_range: range.end..range.end,
            range: range.clone(),
            end: self.tree.nodes.len() + 1,
        };
        if let Some(parent) = self.open.last().map(|open| open.node).filter(|&parent| !self.has_child(parent)) {
            self.tree.nodes[parent].text_range.end = range.start;
        }
        self.tree.nodes.push(node);
        if tag.is_empty {
            self.release(&prefixes);
        } else {
            self.open.push(OpenElement { node: self.tree.nodes.len() - 1, name: &document[tag.name], prefixes });
        }
        Ok(tag.end)
    }

    /// Binds the declared prefixes, and refuses duplicate attributes.
    fn bind(&mut self, tag: &OpeningTag) -> Result<Vec<&'a str>, XmlFault> {
        let document = self.document;
        let (mut names, mut prefixes) = (BTreeSet::new(), Vec::new());
        for RawAttribute { name: at, value } in &tag.attributes {
            let name = &document[at.clone()];
            if tag.attributes.len() > 1 && !names.insert(name) {
                return Err(XmlFault::new(format!("a second attribute `{name}`"), at.clone()));
            }
            let replaced = document[value.clone()].bytes().filter(|byte| matches!(byte, b'&' | b'\n' | b'\t'));
            self.spend(1 + replaced.count(), at.start)?;
            if let Some(prefix) = declared_prefix(name) {
                let namespace = attribute_value(document, self.content, value.clone())?;
                let bound = self.namespaces.bind(prefix, namespace.text());
                bound.map_err(|reason| XmlFault::new(reason, at.start..value.end + 1))?;
                prefixes.push(prefix);
            }
        }
        Ok(prefixes)
    }

    fn release(&mut self, prefixes: &[&'a str]) {
        for prefix in prefixes {
            self.namespaces.release(prefix);
        }
    }

    fn attributes(&self, tag: &OpeningTag) -> Result<Vec<Attribute<'a>>, XmlFault> {
        let (mut names, mut attributes) = (BTreeSet::new(), Vec::with_capacity(tag.attributes.len()));
        for RawAttribute { name: at, value } in &tag.attributes {
            if declared_prefix(&self.document[at.clone()]).is_some() {
                continue;
            }
            let name = self.qualified(at, Namespaces::attribute)?;
            if name.starts_with('{') && !names.insert(name.clone()) {
                return Err(XmlFault::new("a second attribute of this name in this namespace", at.clone()));
            }
            let text = attribute_value(self.document, self.content, value.clone())?;
            let span = self.content.slice(at.start..value.end + 1);
            attributes.push(Attribute {
                name,
                value: ItemField { text, span: self.content.slice(value.clone()) },
                span,
            });
        }
        Ok(attributes)
    }

    fn qualified(
        &self,
        written: &Range<usize>,
        resolve: impl Fn(&Namespaces<'a>, &'a str) -> Result<Cow<'a, str>, String>,
    ) -> Result<Cow<'a, str>, XmlFault> {
        let document = self.document;
        resolve(&self.namespaces, &document[written.clone()]).map_err(|reason| XmlFault::new(reason, written.clone()))
    }

    fn close(&mut self, at: usize) -> Result<usize, XmlFault> {
        let (name, after) = tag::closing(self.document, at)?;
        let (name, range) = (&self.document[name], at..after);
        let Some(open) = self.open.pop() else {
            return Err(XmlFault::new(format!("</{name}> closes nothing"), range));
        };
        if open.name != name {
            let line = self.content.slice(self.tree.nodes[open.node].range.clone()).line();
            return Err(XmlFault::new(
                format!("</{name}> where the <{}> of line {line} should close", open.name),
                range,
            ));
        }
        let (end, has_child) = (self.tree.nodes.len(), self.has_child(open.node));
        let node = &mut self.tree.nodes[open.node];
        node.range.end = range.end;
        node.end = end;
        if !has_child {
            node.text_range.end = range.start;
        }
        self.release(&open.prefixes);
        Ok(after)
    }

    /// The text of the innermost open element, unless a child ended it.
    fn text(&mut self) -> Option<&mut Traced> {
        let node = self.open.last()?.node;
        if self.has_child(node) { None } else { Some(&mut self.tree.nodes[node].text) }
    }

    fn characters(&mut self, range: Range<usize>) -> Result<usize, XmlFault> {
        let (written, end) = (&self.document[range.clone()], range.end);
        if self.open.is_empty() {
            return match written.find(|c| !BLANKS.contains(&c)) {
                None => Ok(end),
                Some(at) if self.tree.nodes.is_empty() => {
                    Err(XmlFault::unexpected(self.document, range.start + at, "the root element"))
                }
                Some(at) => Err(XmlFault::unexpected(self.document, range.start + at, "the end of the block")),
            };
        }
        if let Some(at) = memmem::find(written.as_bytes(), b"]]>") {
            let at = range.start + at;
            return Err(XmlFault::new("`]]>` outside a CDATA section: write ]]&gt;", at..at + "]]>".len()));
        }
        let piece = self.content.slice(range);
        if let Some(text) = self.text() {
            text.push_file(&piece);
        }
        Ok(end)
    }

    fn literal(&mut self, at: usize) -> Result<usize, XmlFault> {
        let range = self.until("]]>", at, CDATA, "a CDATA section is never closed with `]]>`")?;
        let end = range.end;
        if self.open.is_empty() {
            return Err(XmlFault::new("a CDATA section outside the root element", range));
        }
        let piece = self.content.slice(range.start + CDATA.len()..range.end - "]]>".len());
        if let Some(text) = self.text() {
            text.push_file(&piece);
        }
        Ok(end)
    }

    fn reference(&mut self, at: usize) -> Result<usize, XmlFault> {
        let end = reference_end(self.document, at);
        if self.open.is_empty() {
            let end = end.unwrap_or(at + 1);
            return Err(XmlFault::new("a reference outside the root element", at..end));
        }
        let end = end?;
        let mut decoded = Traced::new();
        push_reference(&mut decoded, self.document, self.content, at..end)?;
        if let Some(text) = self.text() {
            text.push(&decoded);
        }
        Ok(end)
    }

    fn comment(&mut self, at: usize) -> Result<usize, XmlFault> {
        let range = self.until("-->", at, "<!--", "a comment is never closed with `-->`")?;
        let end = range.end;
        let start = range.start + "<!--".len();
        // The first `--` must end the comment.
        match self.document[start..range.end - 1].find("--") {
            Some(at) if start + at + "-->".len() < range.end => {
                Err(XmlFault::new("`--` in a comment", start + at..start + at + 2))
            }
            _ => {
                self.tree.comments.push(range);
                Ok(end)
            }
        }
    }

    fn instruction(&self, at: usize, is_first: bool) -> Result<usize, XmlFault> {
        let range = self.until("?>", at, "<?", "a processing instruction is never closed with `?>`")?;
        let end = range.end;
        let start = range.start + "<?".len();
        let target = start + name::unqualified(&self.document[start..]);
        match &self.document[start..target] {
            "" => Err(XmlFault::unexpected(self.document, start, "the name of a processing instruction")),
            "xml" if is_first => declaration(self.document, target, end - "?>".len()).map(|()| end),
            "xml" => Err(XmlFault::new("an XML declaration that does not begin the block", range)),
            reserved if reserved.eq_ignore_ascii_case("xml") => {
                Err(XmlFault::new(format!("the name `{reserved}` is reserved"), start..target))
            }
            _ if target + "?>".len() == end || self.document[target..].starts_with(BLANKS) => Ok(end),
            _ => Err(XmlFault::unexpected(self.document, target, "a space or `?>`")),
        }
    }

    fn doctype(&mut self, at: usize) -> Result<usize, XmlFault> {
        let end = doctype::check(self.document, at)?;
        if !self.tree.nodes.is_empty() || !self.may_declare {
            return Err(XmlFault::new("a second document type declaration, or one after the root begins", at..end));
        }
        self.may_declare = false;
        Ok(end)
    }

    /// From `at`, where the text begins with `opening`, through the next `closing`.
    fn until(&self, closing: &str, at: usize, opening: &str, unclosed: &str) -> Result<Range<usize>, XmlFault> {
        let start = at + opening.len();
        let length = memmem::find(&self.document.as_bytes()[start..], closing.as_bytes());
        let end = length.map(|length| start + length + closing.len());
        end.map(|end| at..end).ok_or_else(|| XmlFault::new(unclosed, at..at + 1))
    }

    fn end(self) -> Result<XmlDocument<'a>, XmlFault> {
        if let Some(open) = self.open.last() {
            let start = self.tree.nodes[open.node].range.clone();
            return Err(XmlFault::new(format!("<{}> is never closed", open.name), start));
        }
        if self.tree.nodes.is_empty() {
            return Err(XmlFault::new("there is no element", 0..0));
        }
        Ok(self.tree)
    }
}

/// Checks an XML declaration with attributes in `start..end`.
fn declaration(document: &str, start: usize, end: usize) -> Result<(), XmlFault> {
    let (attributes, after) = tag::attributes(&document[..end], start)?;
    let mut expected = ["version", "encoding", "standalone"].as_slice();
    for (index, RawAttribute { name, value }) in attributes.iter().enumerate() {
        let (written, text) = (&document[name.clone()], &document[value.clone()]);
        let position = expected.iter().position(|&expected| expected == written);
        let Some(position) = position.filter(|&position| index > 0 || position == 0) else {
            return Err(XmlFault::new(
                "an XML declaration contains version, encoding and standalone, in that order",
                name.clone(),
            ));
        };
        expected = &expected[position + 1..];
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | ':');
        let is_valid = match written {
            "encoding" => text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(is_word),
            "standalone" => matches!(text, "yes" | "no"),
            _ => text.chars().all(is_word),
        };
        if !is_valid {
            return Err(XmlFault::new(format!("`{text}` is not a valid {written}"), value.clone()));
        }
    }
    if attributes.is_empty() || after != end {
        return Err(XmlFault::unexpected(document, after, "an attribute of the XML declaration"));
    }
    Ok(())
}
