use crate::lint::rules::{Check, Findings, Hook, LintFile, Project};

use super::operand_fault;

pub const CHECK: Check = Check::Hook(check);

fn check(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    for (part, comparison) in hook.condition.comparisons() {
        let (Some(fault), Some(at)) = (operand_fault(comparison), part.place("value")) else { continue };
        match fault {
            Some(problem) => drop(found.problem(problem, at)),
            None => {
                found
                    .at(at, "the value of `in` must be a list, so the condition is false")
                    .help("write a list: [a, b]");
            }
        }
    }
}
