use crate::lint::rules::{Check, Findings, LintFile, Project, Rule, pages};
use crate::trust::SignatureVerdict;

use super::signature::{is_key, signature};

pub(super) const RULE: Rule = Rule { check: Check::File(check), ..pages::RR605 };

fn check(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    if !project.trusted(file).is_some_and(|trust| trust.verdict == SignatureVerdict::BadSignature) || is_key(file) {
        return;
    }
    if let Some(signature) = signature(file) {
        let message = format!("the key `{}` did not make this signature of `{}`", signature.key.text(), file.id);
        found.at(signature.signature, message);
    }
}
