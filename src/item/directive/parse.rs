use std::sync::Arc;

use super::attributes::{Found, RootAttributes};
use super::{Context, Directive, Model, Places, declarations, metadata, unread};
use crate::diagnostic::{Diagnostic, Problem};
use crate::item::fence::{self, Fence, NoFence};
use crate::item::{Parsed, opaque, xml};
use crate::text::{Source, Span};

/// Reads a directive from its file (Directives, "Reading a directive").
///
/// `permission_words` are the tags that `<permissions>` may hold besides `acknowledge`. When the directive cannot be
/// used, the errors come with the warnings found so far.
pub fn parse_directive(
    source: &Arc<Source>,
    permission_words: &[String],
) -> Result<Parsed<Directive>, Vec<Diagnostic>> {
    read_directive(source, permission_words).map_err(|refused| refused.diagnostics)
}

/// A directive that cannot be used.
#[derive(Debug)]
pub struct Refused {
    /// What it says for all that; none where nothing of it can be read.
    pub item: Option<Box<Directive>>,
    /// Why it is refused, behind the warnings found so far.
    pub diagnostics: Vec<Diagnostic>,
}

/// The same, and what one that is refused says.
pub fn read_directive(source: &Arc<Source>, permission_words: &[String]) -> Result<Parsed<Directive>, Refused> {
    let mut diagnostics = Vec::new();
    match read(source, permission_words, &mut diagnostics) {
        Ok((item, errors)) if errors.is_empty() => Ok(Parsed { item, diagnostics }),
        Ok((item, errors)) => {
            diagnostics.extend(errors);
            Err(Refused { item: Some(Box::new(item)), diagnostics })
        }
        Err(error) => {
            diagnostics.push(error);
            Err(Refused { item: None, diagnostics })
        }
    }
}

fn read(
    source: &Arc<Source>,
    permission_words: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<(Directive, Vec<Diagnostic>), Diagnostic> {
    let Fence { preamble, content, body, .. } = fence::split(source, "xml", diagnostics)
        .map_err(|NoFence { reason, at }| Diagnostic::at(Problem::NoXmlBlock { reason }, at))?;
    let written = opaque::blank(&content, diagnostics);
    let document = xml::parse(&content, &written)?;
    let root = document.root();

    let attributes = RootAttributes::find(&content);
    attributes.compare(&content, root, diagnostics);
    let mut places = Places::default();
    let mut attribute = |name, found: Option<Found>| {
        let Found { field, span } = found?;
        places.set(name, span);
        Some(field)
    };
    let (name, version) = (attribute("name", attributes.name), attribute("version", attributes.version));
    let extends = attribute("extends", attributes.extends);
    // The first one of the root counts; one in the metadata replaces it below.
    let described = root.child("description");
    let description = described.and_then(xml::Element::text);
    if let Some(element) = described.filter(|_| description.is_some()) {
        places.set("description", element.span());
    }
    let mut directive = Directive {
        source: Arc::clone(source),
        name,
        version,
        category: None,
        extends,
        description,
        model: Model::default(),
        limits: Vec::new(),
        permissions: Vec::new(),
        acknowledged: Vec::new(),
        context: Context::default(),
        hooks: Vec::new(),
        inputs: declarations::inputs(root, diagnostics),
        outputs: declarations::outputs(root, diagnostics),
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
        Some(element) => metadata::read(&mut directive, element, permission_words, diagnostics),
        None => Vec::new(),
    };
    Ok((directive, errors))
}

/// Where the elements of a directive stand, from their opening to their closing tag, in the order of the opening ones; an
/// opaque section is one of them.
pub fn elements(directive: &Directive) -> Vec<Span> {
    let content = &directive.content;
    // It was parsed before, so that it is well formed.
    let written = opaque::blank(content, &mut Vec::new());
    let document = xml::parse(content, &written);
    document.map(|document| document.elements().collect()).unwrap_or_default()
}
