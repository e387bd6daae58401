use crate::lint::rules::{Check, Findings, Knowledge, Problem, Project, Rule, pages};

use super::uses;

pub const RULE: Rule = Rule { check: Check::Project(check), ..pages::RR040 };

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let problem = |id: &str, item: &Knowledge| {
        let is_missing = item.metadata.get("name").is_none();
        is_missing.then(|| Problem::KnowledgeNameMissing { id: id.to_string(), tag: id.to_string() })
    };
    uses::report(project, found, problem, |item_use| item_use.executes() && item_use.takes_name(project));
}
