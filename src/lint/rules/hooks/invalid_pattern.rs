use crate::decide::condition::pattern;
use crate::lint::rules::{Check, Findings, Hook, LintFile, Problem, Project};

pub const CHECK: Check = Check::Hook(check);

fn check(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    if project.has_costly_patterns(hook) {
        return;
    }
    for (part, pattern) in hook.condition.patterns() {
        if let (Some(reason), Some(at)) = (pattern::refusal(pattern), part.place("value")) {
            found.problem(Problem::InvalidPattern { pattern: pattern.to_string(), reason }, at);
        }
    }
}
