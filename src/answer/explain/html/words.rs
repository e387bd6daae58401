//! The phrases of the page.

use crate::prompt::{Decision, Declared, Layer, LayerKind, Slot};
use crate::text::numbers::count;
use crate::text::{Origin, Span, argument};
use crate::write::layout::newlines;

/// The place of a declaration, or what made it if no file holds it.
pub fn declared(declared: &Declared) -> String {
    declared.span.as_ref().map_or_else(|| declared.by.clone(), Span::file_line)
}

pub fn reason(decision: &Decision) -> String {
    let why = decision.reason();
    match decision.by.as_ref().and_then(|by| by.span.as_ref()) {
        Some(span) => format!("{why}, {}", span.file_line()),
        None => why,
    }
}

pub fn what(layer: &Layer) -> &'static str {
    match (layer.kind, layer.slot) {
        (LayerKind::Hook, Slot::SystemHooksBefore | Slot::UserHooksBefore) => "loaded by a hook, position before",
        (LayerKind::Hook, _) => "loaded by a hook, position after",
        (LayerKind::Skills, _) => "introduction to the skills",
        (LayerKind::Skill, _) => "skill that can be read",
        (LayerKind::Environment, _) => "date and working folder",
        (LayerKind::Extension, _) => "text from an extension",
        (LayerKind::Prompt, _) => "the user's prompt",
        (_, slot) => considered(slot),
    }
}

pub fn considered(slot: Slot) -> &'static str {
    match slot {
        Slot::Routing => "hook that may set the parent",
        Slot::Chain => "directive of the extends chain",
        Slot::Palette => "tool of the palette",
        Slot::SystemHooksBefore | Slot::UserHooksBefore => "hook, position before",
        Slot::SystemHooksAfter | Slot::UserHooksAfter => "hook, position after",
        Slot::UserInstruction => "instruction before the directive",
        Slot::UserDirective => "the directive's own prompt",
        Slot::Earlier => "earlier message of the thread",
        Slot::SystemBase => "base of the system prompt",
        Slot::SystemGuidelines => "guideline of the base",
        Slot::SystemAppend => "text appended to the base",
        Slot::SystemContext => "instruction file",
        Slot::SystemSkills => "skill",
        Slot::SystemChain => "knowledge item in <system>",
        Slot::UserChainBefore => "knowledge item in <before>",
        Slot::UserChainAfter => "knowledge item in <after>",
        _ => "knowledge item",
    }
}

pub fn no_file(layer: &Layer) -> &'static str {
    match layer.kind {
        LayerKind::Message => "given by --messages",
        _ => "not from a file",
    }
}

pub fn origin(origin: &Origin) -> String {
    match origin {
        Origin::File(span) => span.file_lines(),
        Origin::Derived(span) => format!("computed from {}", span.file_lines()),
        Origin::Input { name, from, source } => {
            let input = format!("input {name} ({})", from.into_str());
            source.as_ref().map_or_else(|| input.clone(), |span| format!("{input}, {}", span.file_line()))
        }
        Origin::Env(name) => format!("environment variable {name}"),
        Origin::Variable(name) => format!("${{{name}}}, a variable of hooks"),
        Origin::Argument(name) => format!("given by {}", argument(name)),
        Origin::Protocol => "fixed text of the protocol".to_string(),
    }
}

/// The CSS class of a segment.
pub fn class(origin: &Origin) -> &'static str {
    match origin {
        Origin::File(_) => "file",
        Origin::Derived(_) => "derived",
        Origin::Input { .. } => "input",
        Origin::Env(_) => "env",
        Origin::Variable(_) => "variable",
        Origin::Argument(_) => "argument",
        Origin::Protocol => "fixed",
    }
}

/// `25 bytes · 7 tokens`
pub fn size(bytes: usize, tokens: usize) -> String {
    format!("{} · {}", count(bytes, "byte"), count(tokens, "token"))
}

pub fn between(text: &str) -> String {
    match text.len() {
        _ if text.contains(|c| c != '\n') => "between layers".to_string(),
        breaks => newlines(breaks),
    }
}
