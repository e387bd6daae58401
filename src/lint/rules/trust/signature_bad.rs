use crate::lint::rules::{Check, Findings, LintFile, Project};
use crate::read::trust::SignatureVerdict;

use super::signature::with_verdict;

pub const CHECK: Check = Check::File(check);

fn check(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    if let Some(signature) = with_verdict(file, project, SignatureVerdict::BadSignature) {
        let message = format!("the key `{}` did not make this signature of `{}`", signature.key.text(), file.id);
        found.at(signature.signature, message);
    }
}
