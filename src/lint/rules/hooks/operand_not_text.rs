use crate::decide::condition::Form;
use crate::lint::rules::{Check, Findings, Hook, LintFile, Project};

use super::conditions::each_part;
use super::operand_fault;

pub const CHECK: Check = Check::Hook(check);

fn check(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    each_part(hook, &mut |form, part| {
        let Form::Comparison(comparison) = form else { return };
        let (Some(fault), Some(at)) = (operand_fault(comparison), part.place("value")) else { return };
        match fault {
            Some(problem) => drop(found.problem(problem, &at)),
            None => {
                found
                    .at(at, "the value of `in` must be a list, so the condition is false")
                    .help("write a list: [a, b]");
            }
        }
    });
}
