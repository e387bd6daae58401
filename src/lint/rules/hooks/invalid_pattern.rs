use crate::decide::condition::{Comparison, Form, pattern};
use crate::lint::rules::{Check, Findings, Hook, LintFile, Problem, Project};
use crate::read::value::Value;

use super::conditions::each_part;

pub const CHECK: Check = Check::Hook(check);

fn check(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    if project.has_costly_patterns(hook) {
        return;
    }
    each_part(hook, &mut |form, part| {
        let Form::Comparison(Comparison { operator, expected: Some(Value::Str(pattern)), .. }) = form else { return };
        if operator == "regex"
            && let (Some(reason), Some(at)) = (pattern::refusal(pattern), part.place("value"))
        {
            found.problem(Problem::InvalidPattern { pattern: pattern.clone(), reason }, &at);
        }
    });
}
