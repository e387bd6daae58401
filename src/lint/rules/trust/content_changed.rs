use crate::lint::rules::{Check, Findings, LintFile, Project};
use crate::read::trust::SignatureVerdict;

use super::signature::with_verdict;

pub const CHECK: Check = Check::File(check);

fn check(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    if let Some(signature) = with_verdict(file, project, SignatureVerdict::ContentChanged)
        && project.trusts(signature.key.text())
    {
        found.at(signature.hash, format!("`{}` was changed after it was signed", file.id));
    }
}
