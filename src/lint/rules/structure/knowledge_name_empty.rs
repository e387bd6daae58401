use crate::lint::rules::{Check, Findings, Knowledge, Problem, Project};

use super::uses;

pub const CHECK: Check = Check::Project(check);

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let problem = |id: &str, item: &Knowledge| {
        let is_empty = item.metadata.get("name").is_some_and(|name| !name.value().is_true());
        is_empty.then(|| Problem::KnowledgeNameEmpty { id: id.to_string() })
    };
    uses::report(project, found, problem, |item_use| item_use.takes_name(project));
}
