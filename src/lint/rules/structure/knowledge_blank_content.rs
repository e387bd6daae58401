use crate::assemble;
use crate::diagnostic::Problem;
use crate::lint::rules::{Check, Findings, Project, Rule, pages};

use super::uses;

pub(super) const RULE: Rule = Rule { check: Check::Project(check), ..pages::RR037 };

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let problem = |id: &str, item: &_| {
        let problem = assemble::hook_text_problem(id, item);
        problem.filter(|problem| matches!(problem, Problem::KnowledgeBlankContent { .. }))
    };
    uses::report(project, found, problem, |item_use| item_use.takes_hook_text(project));
}
