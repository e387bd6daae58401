use crate::lint::rules::{Check, Findings, LintFile, Project};
use crate::read::trust::SignatureVerdict;

pub const CHECK: Check = Check::File(check);

fn check(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    if let Some(kind) = file.kind.item()
        && project.trusted(file).is_some_and(|trust| trust.verdict == SignatureVerdict::Unsigned)
    {
        found.at(project.location(file), format!("the {} `{}` is not signed", kind.into_str(), file.id));
    }
}
