use crate::item::Directive;
use crate::lint::rules::{Check, Findings, LintFile, Project, Rule, pages};
use crate::text::Span;
use crate::trust::{Covers, SignatureVerdict};

pub(super) const RULE: Rule = Rule { check: Check::Directive(check), ..pages::RR619 };

fn check(file: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    // A text that is not the signed one is the matter of other rules.
    let is_what_was_signed = project.trusted(file).is_some_and(|trust| {
        matches!(trust.verdict, SignatureVerdict::Valid(_) | SignatureVerdict::UnknownKey)
            && trust.covers == Covers::Part
    });
    if let Some(added) = behind_signed(directive).filter(|_| is_what_was_signed) {
        let line = added.slice(0..added.text().find('\n').unwrap_or(added.text().len()));
        found.at(line, format!("this text stands behind the signed body of `{}`", file.id));
    }
}

/// What stands behind a body that is wrapped in tags. A closing tag alone may be an example of one.
pub(super) fn behind_signed(directive: &Directive) -> Option<Span> {
    const CLOSING: &str = "</directive>";
    let body = directive.body.text();
    let end = body.rfind(CLOSING).filter(|_| body.trim_start().starts_with("<directive>"))? + CLOSING.len();
    Some(directive.body.slice(end..body.len()).trim()).filter(|added| !added.text().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::testing::examples;
    use crate::lint::testing::said;

    fn at(line: usize) -> [String; 1] {
        [format!(".ai/directives/garden/water.md:{line}: this text stands behind the signed body of `garden/water`")]
    }

    #[test]
    fn what_anybody_could_have_added_is_found() {
        for protocol in ["rye-1", "rye-2", "rye-3"] {
            assert_eq!(said(&RULE, examples(&RULE).bad.0, protocol), at(15));
        }
        // The signature is that of the same text, whoever knows its key.
        let (directive, key) = examples(&RULE).bad.0.split_once("=== user:").unwrap();
        assert_eq!(said(&RULE, directive, "rye-3"), at(15));
        let (path, text) = directive.split_once('\n').unwrap();
        let other_ends = format!("{path}\n{}=== user:{key}", text.replace('\n', "\r\n"));
        assert_eq!(said(&RULE, &other_ends, "rye-3"), at(15));
        // A later closing tag would be in the signed region, which is another one then.
        let later = examples(&RULE).bad.0.replace("at noon as well.", "at noon.</directive>");
        assert_eq!(said(&RULE, &later, "rye-3"), [""; 0], "`content_changed` says so");
        let blanks = examples(&RULE).bad.0.replace("Water at noon as well.", "  ");
        assert_eq!(said(&RULE, &blanks, "rye-3"), [""; 0]);
        let unsigned = examples(&RULE).bad.0.replace("rye:signed:", "signed:");
        assert_eq!(said(&RULE, &unsigned, "rye-3"), [""; 0], "nothing is covered there");
    }
}
