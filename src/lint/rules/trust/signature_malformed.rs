use std::sync::Arc;

use crate::lint::rules::{Findings, LintFile, Project};
use crate::read::item::SignatureComment;
use crate::read::trust::SignatureVerdict;
use crate::text::{Source, Span};

use super::signature::{comment, is_key, style};

pub fn check(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    let Some(trust) = project.trusted(file).filter(|_| !is_key(file)) else { return };
    match (&trust.verdict, comment(file)) {
        (SignatureVerdict::Malformed, Some(SignatureComment::Malformed(line))) => {
            let message = format!("the first line of `{}` begins like a signature but cannot be read", file.id);
            found.at(line, message);
        }
        (SignatureVerdict::Unsigned, _) => {
            if let Some(line) = file.source.as_ref().and_then(overlooked) {
                let opening = style(file).opening();
                let message = format!(
                    "this line of `{}` is not a signature: a signature is the first line and begins with `{opening}`",
                    file.id
                );
                found.at(line, message);
            }
        }
        _ => {}
    }
}

/// The number of lines that are searched for a misplaced signature.
const FIRST_LINES: usize = 5;

/// A line near the start that was probably meant as a signature. In a fence or after a tag it would be an example.
fn overlooked(source: &Arc<Source>) -> Option<Span> {
    let mut start = 0;
    for line in source.text().split('\n').take(FIRST_LINES) {
        let written = line.trim_start_matches('\u{feff}').trim();
        if written.starts_with("```") || written.starts_with("~~~") || written.starts_with("<directive") {
            return None;
        }
        if is_meant(written) {
            return Some(source.span(start..start + line.len()).trim());
        }
        start += line.len() + 1;
    }
    None
}

/// Whether a comment begins like a signature with a date.
fn is_meant(line: &str) -> bool {
    let inside = ["<!--", "#", "//"].iter().find_map(|opening| line.strip_prefix(opening)).unwrap_or(line);
    let fields = inside.trim_start().strip_prefix("rye:signed:");
    fields.is_some_and(|fields| fields.starts_with(|first: char| first.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_in_the_wrong_place_or_form_is_found() {
        let line = |text: &str| {
            let source = Source::read("project".into(), ".ai/knowledge/a.md", text.as_bytes().to_vec()).unwrap();
            overlooked(&source).map(|line| line.line())
        };
        assert_eq!(line("<!--rye:signed:2026-01-02T03:04:05Z:… -->\nText.\n"), Some(1));
        assert_eq!(line("\u{feff}<!-- rye:signed:2026-…\n"), Some(1));
        assert_eq!(line("# Rules\n\n<!-- rye:signed:2026-01-02T03:04:05Z:… -->\n"), Some(3));
        assert_eq!(line("rye:signed:2026-01-02T03:04:05Z:…\n"), Some(1));
        assert_eq!(line("#\n#\n#\n#\n#\n# rye:signed:2026\n"), None);
        assert_eq!(line("```\n<!-- rye:signed:2026-01-02T03:04:05Z:… -->\n"), None);
        assert_eq!(line("A line of `<!-- rye:signed:2026-…`\n"), None);
        assert_eq!(line("<!-- rye:signed:TIME:HASH:SIGNATURE:KEY -->\n"), None);
    }
}
