use crate::lint::rules::{Check, Findings, LintFile, Project, Rule, pages};
use crate::trust::SignatureVerdict;

pub const RULE: Rule = Rule { check: Check::File(check), ..pages::RR601 };

fn check(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    if let Some(kind) = file.kind.item()
        && project.trusted(file).is_some_and(|trust| trust.verdict == SignatureVerdict::Unsigned)
    {
        found.at(project.location(file), format!("the {} `{}` is not signed", kind.into_str(), file.id));
    }
}
