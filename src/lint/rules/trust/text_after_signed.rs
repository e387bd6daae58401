use crate::lint::rules::{Directive, Findings, LintFile, Project, Span, first_line};

use super::signature::is_partly_signed;

pub fn check(file: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    if let Some(added) = added_text(directive).filter(|_| is_partly_signed(file, project)) {
        found.at(first_line(&added), format!("this text follows the signed body of `{}`", file.id));
    }
}

/// The text after a body that is wrapped in tags. A closing tag alone may be an example.
pub(super) fn added_text(directive: &Directive) -> Option<Span> {
    const CLOSING: &str = "</directive>";
    let body = directive.body.text();
    // Few bodies have tags, and searching for the last one is slow.
    let is_wrapped = body.trim_start().starts_with("<directive>");
    let end = is_wrapped.then(|| body.rfind(CLOSING)).flatten()? + CLOSING.len();
    Some(directive.body.slice(end..body.len()).trim()).filter(|added| !added.text().is_empty())
}

#[cfg(test)]
mod tests {
    use crate::lint::pages::RR619 as RULE;
    use crate::lint::testing::examples;
    use crate::lint::testing::messages_of;

    fn at(line: usize) -> [String; 1] {
        [format!(".ai/directives/garden/water.md:{line}: this text follows the signed body of `garden/water`")]
    }

    #[test]
    fn added_text_is_found() {
        for protocol in ["rye-1", "rye-2", "rye-3"] {
            assert_eq!(messages_of(&RULE, examples(&RULE).bad.0, protocol), at(15));
        }
        // The signed text is unchanged, even if the key is unknown.
        let (directive, key) = examples(&RULE).bad.0.split_once("=== user:").unwrap();
        assert_eq!(messages_of(&RULE, directive, "rye-3"), at(15));
        let (path, text) = directive.split_once('\n').unwrap();
        let other_ends = format!("{path}\n{}=== user:{key}", text.replace('\n', "\r\n"));
        assert_eq!(messages_of(&RULE, &other_ends, "rye-3"), at(15));
        // A later closing tag extends the signed region.
        let later = examples(&RULE).bad.0.replace("at noon as well.", "at noon.</directive>");
        assert_eq!(messages_of(&RULE, &later, "rye-3"), [""; 0], "`content_changed` reports it");
        let blanks = examples(&RULE).bad.0.replace("Water at noon as well.", "  ");
        assert_eq!(messages_of(&RULE, &blanks, "rye-3"), [""; 0]);
        let unsigned = examples(&RULE).bad.0.replace("rye:signed:", "signed:");
        assert_eq!(messages_of(&RULE, &unsigned, "rye-3"), [""; 0], "nothing is covered there");
    }
}
