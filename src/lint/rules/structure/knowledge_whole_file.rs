use crate::fill::assemble::hook_text_problem;
use crate::lint::rules::{Check, Findings, Knowledge, Project};

use super::uses;

pub const CHECK: Check = Check::Project(check);

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let problem = |id: &str, item: &Knowledge| hook_text_problem(id, item, project.protocol.hook_text);
    uses::report(project, found, problem, |item_use| item_use.takes_hook_text(project));
}
