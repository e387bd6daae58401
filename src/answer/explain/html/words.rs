//! The phrases of the page.

use crate::text::Origin;
use crate::text::numbers::count;
use crate::write::layout::newlines;

pub fn origin(origin: &Origin) -> String {
    match origin {
        Origin::File(span) => span.file_lines(),
        Origin::Derived(span) => format!("{} derived", span.file_lines()),
        Origin::Input { source: Some(span), .. } | Origin::Variable { source: Some(span), .. } => {
            format!("{}, {}", origin.value_name().unwrap_or_default(), span.file_line())
        }
        Origin::Base { id, .. } => format!("the agent's own text `{id}`"),
        origin => origin.value_name().unwrap_or_else(|| "fixed text of the protocol".to_string()),
    }
}

pub fn class(origin: &Origin) -> &'static str {
    match origin {
        Origin::File(_) => "file",
        Origin::Derived(_) => "derived",
        Origin::Input { .. } => "input",
        Origin::Env(_) => "env",
        Origin::Variable { .. } => "variable",
        Origin::Argument(_) => "argument",
        Origin::Protocol | Origin::Base { .. } => "fixed",
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
