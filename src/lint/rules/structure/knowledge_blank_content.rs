use crate::fill::assemble::hook_text_problem;
use crate::lint::rules::{Check, Findings, Project};

use super::uses;

pub const CHECK: Check = Check::Project(check);

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    uses::report(project, found, hook_text_problem, |item_use| item_use.takes_hook_text(project));
}
