use crate::lint::rules::{Check, Findings, LintFile, Project, Rule, pages};
use crate::trust::SignatureVerdict;

use super::signature::{is_key, signature};

pub(super) const RULE: Rule = Rule { check: Check::File(check), ..pages::RR604 };

fn check(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    if !project.trusted(file).is_some_and(|trust| trust.verdict == SignatureVerdict::UnknownKey) || is_key(file) {
        return;
    }
    if let Some(signature) = signature(file) {
        let key = signature.key.text();
        let message = format!("`{}` is signed by the key `{key}`, which no tier trusts", file.id);
        found.at(signature.key, message);
    }
}
