use crate::lint::rules::{Check, Findings, Project, Rule, pages, whole_project};
use crate::palette::budget_problems;

pub const RULE: Rule = Rule { check: Check::Project(check), ..pages::RR410 };

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let preload = project.configuration.as_ref().and_then(|configuration| configuration.tool_preload.as_ref());
    for diagnostic in preload.into_iter().flat_map(budget_problems) {
        found.diagnosed(&diagnostic, whole_project);
    }
}
