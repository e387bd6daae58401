use crate::lint::rules::{Check, Findings, Knowledge, Problem, Project};

use super::uses;

pub const CHECK: Check = Check::Project(check);

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let problem = |id: &str, item: &Knowledge| {
        let is_missing = item.metadata.get("name").is_none();
        is_missing.then(|| Problem::KnowledgeNameMissing { id: id.to_string(), tag: id.to_string() })
    };
    uses::report(project, found, problem, |item_use| item_use.executes() && item_use.takes_name(project));
}
