use crate::fill::palette::budget_problems;
use crate::lint::rules::{Check, Findings, Project, whole_project};

pub const CHECK: Check = Check::Project(check);

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let preload = project.configuration.as_ref().and_then(|configuration| configuration.tool_preload.as_ref());
    for diagnostic in preload.into_iter().flat_map(budget_problems) {
        found.diagnosed(&diagnostic, whole_project);
    }
}
