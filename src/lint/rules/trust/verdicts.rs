use crate::lint::rules::{Findings, LintFile, Project};
use crate::read::trust::SignatureVerdict;

use super::signature::with_verdict;

pub fn unsigned(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    if let Some(kind) = file.kind.item()
        && project.trusted(file).is_some_and(|trust| trust.verdict == SignatureVerdict::Unsigned)
    {
        found.at(project.location(file), format!("the {} `{}` is not signed", kind.into_str(), file.id));
    }
}

pub fn content_changed(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    let changed = with_verdict(file, project, SignatureVerdict::ContentChanged);
    if let Some(signature) = changed.filter(|signature| project.trusts(signature.key.text())) {
        found.at(signature.hash, format!("`{}` was changed after it was signed", file.id));
    }
}

pub fn content_changed_unknown_key(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    let changed = with_verdict(file, project, SignatureVerdict::ContentChanged);
    if let Some(signature) = changed.filter(|signature| !project.trusts(signature.key.text())) {
        let message = format!("`{}` was changed after it was signed by a key that no tier trusts", file.id);
        found.at(signature.hash, message);
    }
}

pub fn key_unknown(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    if let Some(signature) = with_verdict(file, project, SignatureVerdict::UnknownKey) {
        let message = format!("`{}` is signed by the key `{}`, which no tier trusts", file.id, signature.key.text());
        found.at(signature.key, message);
    }
}

pub fn signature_bad(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    if let Some(signature) = with_verdict(file, project, SignatureVerdict::BadSignature) {
        let message = format!("the key `{}` did not make this signature of `{}`", signature.key.text(), file.id);
        found.at(signature.signature, message);
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::pages::RR618 as RULE;
    use crate::lint::testing::examples;
    use crate::lint::testing::messages_of;

    #[test]
    fn changes_are_reported_unless_an_error_reports_them() {
        let reported = ["`garden/rules` was changed after it was signed by a key that no tier trusts"];
        let reported = reported.map(|message| format!(".ai/knowledge/garden/rules.md:1: {message}"));
        for protocol in ["rye-1", "rye-2", "rye-3"] {
            assert_eq!(messages_of(&RULE, examples(&RULE).bad.0, protocol), reported);
        }
        let unchanged = examples(&RULE).bad.0.replace("Always", "Never");
        assert_eq!(messages_of(&RULE, &unchanged, "rye-3"), [""; 0]);
        // Different line endings are not a change.
        let (directive, knowledge) = unchanged.split_once("rules.md\n").unwrap();
        let other_ends = format!("{directive}rules.md\n{}", knowledge.replace('\n', "\r\n"));
        assert_eq!(messages_of(&RULE, &other_ends, "rye-3"), [""; 0]);
        // A key that only the project trusts is trusted too.
        let (_, key) = examples(&RULE).near_miss.0.split_once("=== user:").unwrap();
        assert_eq!(messages_of(&RULE, &format!("{}=== {key}", examples(&RULE).bad.0), "rye-3"), [""; 0]);
    }
}
