use crate::assemble::hook_text_problem;
use crate::lint::rules::{Check, Findings, Project, Rule, pages};

use super::uses;

pub const RULE: Rule = Rule { check: Check::Project(check), ..pages::RR037 };

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    uses::report(project, found, hook_text_problem, |item_use| item_use.takes_hook_text(project));
}
