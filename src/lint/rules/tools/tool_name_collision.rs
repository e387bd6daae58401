use crate::lint::rules::{Check, Findings, Problem, Project};

use super::palettes;

pub const CHECK: Check = Check::Project(check);

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    for ids in palettes::tools_in_question(project, |ids| ids.len() > 1) {
        let is_wanted = |problem: &Problem| match problem {
            Problem::ToolNameCollision { ids: colliding, .. } => colliding.iter().any(|id| ids.contains(id)),
            _ => false,
        };
        palettes::report(project, found, &ids, 2, is_wanted);
    }
}
