use super::{InputDeclaration, OutputDeclaration};
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::item::ItemField;
use crate::read::item::xml::Element;
use crate::text::Traced;

pub(super) fn inputs(root: Element<'_>, diagnostics: &mut Vec<Diagnostic>) -> Vec<InputDeclaration> {
    entries(root, "inputs", "input", diagnostics)
        .map(|entry| InputDeclaration {
            name: entry.value("name").unwrap_or_else(|| ItemField { text: Traced::new(), span: entry.span() }),
            input_type: entry.value("type").map_or("string".to_string(), |written| written.as_str().to_string()),
            required: is_required(entry),
            required_as: entry.value("required"),
            default: entry.value("default"),
            description: entry.words(),
            span: entry.span(),
        })
        .collect()
}

pub(super) fn outputs(root: Element<'_>, diagnostics: &mut Vec<Diagnostic>) -> Vec<OutputDeclaration> {
    entries(root, "outputs", "output", diagnostics)
        .map(|entry| OutputDeclaration {
            name: entry.value("name"),
            output_type: entry.value("type"),
            required: entry.value("required").filter(|_| is_required(entry)).map(|written| written.span),
            required_as: entry.value("required"),
            description: entry.words(),
            span: entry.span(),
        })
        .collect()
}

fn entries<'a>(
    root: Element<'a>,
    parent: &'static str,
    tag: &'static str,
    diagnostics: &mut Vec<Diagnostic>,
) -> impl Iterator<Item = Element<'a>> {
    let list = root.child(parent);
    for ignored in list.into_iter().flat_map(Element::children).filter(|child| child.tag() != tag) {
        let problem = Problem::ChildIgnored { tag: ignored.tag().to_string(), parent };
        diagnostics.push(Diagnostic::at(problem, ignored.span()));
    }
    list.into_iter().flat_map(Element::children).filter(move |child| child.tag() == tag)
}

fn is_required(entry: Element<'_>) -> bool {
    entry.value("required").is_some_and(|written| written.as_str().eq_ignore_ascii_case("true"))
}
