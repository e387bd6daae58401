use std::collections::BTreeMap;
use std::sync::Arc;

use super::attributes::{MatchedAttribute, RootAttributes};
use super::{ContextDeclaration, Directive, ModelDeclaration, declarations, metadata, unread};
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::item::fence::{self, Fence, NoFence};
use crate::read::item::{Parsed, opaque, xml};
use crate::read::protocol::Protocol;
use crate::read::value::Map;
use crate::text::{Source, Span};

/// Reads a directive (Directives, "Reading a directive"). The errors follow the warnings found so far.
pub fn parse_directive(source: &Arc<Source>, protocol: &Protocol) -> Result<Parsed<Directive>, Vec<Diagnostic>> {
    read_directive(source, protocol).map_err(|refused| refused.diagnostics)
}

#[derive(Debug)]
pub struct RefusedDirective {
    pub item: Option<Box<Directive>>,
    pub diagnostics: Vec<Diagnostic>,
}

pub fn read_directive(source: &Arc<Source>, protocol: &Protocol) -> Result<Parsed<Directive>, RefusedDirective> {
    let mut diagnostics = Vec::new();
    match read(source, protocol, &mut diagnostics) {
        Ok((item, errors)) if errors.is_empty() => Ok(Parsed { item, diagnostics }),
        Ok((item, errors)) => {
            diagnostics.extend(errors);
            Err(RefusedDirective { item: Some(Box::new(item)), diagnostics })
        }
        Err(error) => {
            diagnostics.push(error);
            Err(RefusedDirective { item: None, diagnostics })
        }
    }
}

fn read(
    source: &Arc<Source>,
    protocol: &Protocol,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<(Directive, Vec<Diagnostic>), Diagnostic> {
    let Fence { preamble, content, body, .. } = fence::split(source, "xml", diagnostics)
        .map_err(|NoFence { reason, at }| Diagnostic::at(Problem::NoXmlBlock { reason }, at))?;
    let written = opaque::blank(&content, diagnostics);
    let document = xml::parse(&content, &written)?;
    let root = document.root();

    let attributes = RootAttributes::find(&content);
    attributes.compare(&content, root, diagnostics);
    let mut places = BTreeMap::new();
    let [name, version, extends] = attributes.0.map(|found| {
        let MatchedAttribute { name, field, span } = found?;
        places.insert(name, span);
        Some(field)
    });
    // Uses the root's first description; one in the metadata replaces it below.
    let described = root.child("description");
    let description = described.and_then(xml::Element::text);
    if let Some(element) = described.filter(|_| description.is_some()) {
        places.insert("description", element.span());
    }
    let mut directive = Directive {
        source: Arc::clone(source),
        name,
        version,
        category: None,
        extends,
        description,
        model: ModelDeclaration::default(),
        model_attributes: Map::default(),
        limits: Vec::new(),
        permissions: Vec::new(),
        acknowledged: Vec::new(),
        context: ContextDeclaration::default(),
        hooks: Vec::new(),
        inputs: declarations::inputs(root, diagnostics),
        outputs: declarations::outputs(root, diagnostics),
        outputs_text: None,
        places,
        tag: root.opening(),
        comments: document.comments().collect(),
        unread: Vec::new(),
        unread_attributes: unread::attributes(root),
        preamble,
        content: content.clone(),
        body,
    };
    directive.unread = unread::collect(&directive, root);
    let errors = match root.child("metadata") {
        Some(element) => metadata::read(&mut directive, element, protocol, diagnostics),
        None => Vec::new(),
    };
    Ok((directive, errors))
}

/// The elements of a directive in the order of their opening tags, opaque sections included.
pub fn elements(directive: &Directive) -> Vec<Span> {
    let content = &directive.content;
    // It was parsed before, so it is well formed.
    let written = opaque::blank(content, &mut Vec::new());
    let document = xml::parse(content, &written);
    document.map(|document| document.elements().collect()).unwrap_or_default()
}
