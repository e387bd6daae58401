use crate::lint::rules::{Findings, Hook, LintFile, Problem, Project};

use super::place_of;

pub fn check(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    let Some(position) = hook.position.as_deref().filter(|word| !matches!(*word, "before" | "after")) else { return };
    if let Some(at) = place_of(hook, "position") {
        let (hook, position) = (hook.name().to_string(), position.to_string());
        found.problem(Problem::PositionUnknown { hook, position }, &at);
    }
}
