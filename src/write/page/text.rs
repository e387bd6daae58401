//! Text for pages.

use minijinja::HtmlEscape;
use serde::Serialize;

use crate::diagnostic::{Diagnostic, Location};
use crate::text::visible::{is_hidden, visible};

#[derive(Serialize)]
pub struct Note {
    severity: &'static str,
    message: String,
    help: Option<String>,
    place: Option<String>,
}

impl Note {
    pub fn new(diagnostic: &Diagnostic) -> Self {
        let place = diagnostic.at.as_ref().map(|at| match at {
            Location::Span(span) => span.file_line(),
            Location::File { tier, path, .. } => format!("{tier} {path}").trim_start().to_string(),
        });
        Self {
            severity: diagnostic.severity().into_str(),
            message: diagnostic.message(),
            help: diagnostic.help(),
            place,
        }
    }
}

/// The prompt's own text as markup, with each run of invisible characters escaped in an element.
pub fn with_hidden_marked(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = text;
    while !rest.is_empty() {
        let (seen, after) = rest.split_at(rest.find(is_hidden).unwrap_or(rest.len()));
        let (hidden, after) = after.split_at(after.find(|c| !is_hidden(c)).unwrap_or(after.len()));
        out.push_str(&HtmlEscape(seen).to_string());
        if !hidden.is_empty() {
            out.push_str(&format!("<span class=\"hidden\">{}</span>", HtmlEscape(&visible(hidden))));
        }
        rest = after;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_marked_once_per_run() {
        assert_eq!(with_hidden_marked(""), "");
        assert_eq!(with_hidden_marked("plain\ttext\n"), "plain\ttext\n");
        let marked = "a<span class=\"hidden\">&lt;U+202E&gt;&lt;U+000D&gt;</span>b&lt;";
        assert_eq!(with_hidden_marked("a\u{202e}\rb<"), marked);
        assert_eq!(with_hidden_marked("\0"), "<span class=\"hidden\">&lt;U+0000&gt;</span>");
    }
}
