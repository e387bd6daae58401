use std::collections::BTreeMap;

use super::{ContextDeclaration, Directive, LimitDeclaration, ModelDeclaration, hooks, permissions};
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::item::ItemField;
use crate::read::item::xml::{Attribute, Element};
use crate::read::limits;
use crate::read::protocol::Protocol;
use crate::read::value::{Value, parse_float, parse_int};
use crate::text::Span;

/// Reads the children of `<metadata>`; if a name repeats, the last one wins. Returns an error for
/// each unknown tag of `<permissions>` and each block over a limit; the rest is still read.
pub(super) fn read(
    directive: &mut Directive,
    metadata: Element<'_>,
    protocol: &Protocol,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for child in metadata.children() {
        match child.tag() {
            "name" => replace(&mut directive.name, &mut directive.places, child, "name", diagnostics),
            "version" => replace(&mut directive.version, &mut directive.places, child, "version", diagnostics),
            "extends" => replace(&mut directive.extends, &mut directive.places, child, "extends", diagnostics),
            "category" => directive.category = Some(child.content()),
            // White space replaces the root's description too; an empty element does not.
            "description" => match child.text() {
                Some(text) => directive.description = Some(text),
                None => continue,
            },
            "model" | "model_class" => {
                directive.model = ModelDeclaration {
                    tier: child.value("tier"),
                    id: child.value("id"),
                    provider: child.value("provider"),
                };
                let written = |it: &Attribute| (Value::from(&*it.name), Value::from(it.value.as_str()));
                directive.model_attributes = child.attributes().iter().map(written).collect();
            }
            "limits" => directive.limits = child.attributes().iter().map(limit).collect(),
            "permissions" => {
                let (granted, unknown) = permissions::read(child, &protocol.permission_words);
                errors.extend(too_many(granted.len(), child));
                directive.permissions = granted;
                directive.acknowledged = permissions::acknowledged(child);
                errors.extend(unknown);
            }
            "context" => {
                directive.context = context(child, diagnostics);
                errors.extend(too_many(child.children().count(), child));
            }
            "hooks" => directive.hooks = hooks::read(child, protocol, diagnostics),
            "outputs" => {
                directive.outputs_text = child.words().map(|_| child.span());
                let registers = directive.outputs_text.is_some() && directive.outputs.is_empty();
                diagnostics.push(Diagnostic::at(Problem::OutputsInMetadata { registers }, child.span()));
            }
            _ => {}
        }
        const PLACED: [&str; 5] = ["category", "description", "model", "limits", "permissions"];
        let tag = if child.tag() == "model_class" { "model" } else { child.tag() };
        if let Some(name) = PLACED.into_iter().find(|name| *name == tag) {
            directive.places.insert(name, child.span());
        }
    }
    errors
}

fn too_many(asked: usize, block: Element<'_>) -> Option<Diagnostic> {
    let problem = Problem::OverLimit { limit: limits::REQUESTED_ITEMS as u64, unit: "items or capabilities" };
    (asked > limits::REQUESTED_ITEMS).then(|| Diagnostic::at(problem, block.span()))
}

/// Text in the metadata replaces the attribute of that name, even if it is only white space.
fn replace(
    field: &mut Option<ItemField>,
    places: &mut BTreeMap<&'static str, Span>,
    child: Element<'_>,
    name: &'static str,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some(text) = child.text() else { return };
    if field.is_some() {
        diagnostics.push(Diagnostic::at(Problem::MetadataOverridesAttribute { name }, child.span()));
    }
    *field = Some(text);
    places.insert(name, child.span());
}

fn limit(it: &Attribute) -> LimitDeclaration {
    let (value, value_span) = (limit_value(it.value.as_str()), it.value.span.clone());
    LimitDeclaration { name: it.name.to_string(), value, span: it.span.clone(), value_span }
}

/// A float if the text contains a dot, else an integer, else text (Directives, "Reading a directive").
pub fn limit_value(text: &str) -> Value {
    let number = if text.contains('.') { parse_float(text).map(Value::Float) } else { parse_int(text).map(Value::Int) };
    number.unwrap_or_else(|| Value::from(text))
}

fn context(block: Element<'_>, diagnostics: &mut Vec<Diagnostic>) -> ContextDeclaration {
    let mut context = ContextDeclaration::default();
    for entry in block.children() {
        let list = match entry.tag() {
            "system" => &mut context.system,
            "before" => &mut context.before,
            "after" => &mut context.after,
            "suppress" => &mut context.suppress,
            tag => {
                let tag = tag.to_string();
                diagnostics.push(Diagnostic::at(Problem::ContextTagIgnored { tag }, entry.span()));
                continue;
            }
        };
        list.extend(entry.words());
    }
    context
}
