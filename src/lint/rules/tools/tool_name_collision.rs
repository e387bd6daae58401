use crate::diagnostic::Problem;
use crate::lint::rules::{Check, Findings, Project, Rule, pages};

use super::palettes::{first_problem, own_tool, tools_in_question};

pub(super) const RULE: Rule = Rule { check: Check::Project(check), ..pages::RR403 };

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    for ids in tools_in_question(project, |ids| ids.len() > 1) {
        let is_wanted = |problem: &Problem| match problem {
            Problem::ToolNameCollision { ids: colliding, .. } => colliding.iter().any(|id| ids.contains(id)),
            _ => false,
        };
        if let Some((diagnostic, by)) = first_problem(project, &ids, 2, &is_wanted) {
            let at = own_tool(project, &ids).unwrap_or_else(|| by.clone());
            found.diagnosed(&diagnostic, || at).related(by, "granted here");
        }
    }
}
