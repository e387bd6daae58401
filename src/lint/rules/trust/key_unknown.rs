use crate::lint::rules::{Check, Findings, LintFile, Project};
use crate::read::trust::SignatureVerdict;

use super::signature::with_verdict;

pub const CHECK: Check = Check::File(check);

fn check(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    if let Some(signature) = with_verdict(file, project, SignatureVerdict::UnknownKey) {
        let key = signature.key.text();
        let message = format!("`{}` is signed by the key `{key}`, which no tier trusts", file.id);
        found.at(signature.key, message);
    }
}
