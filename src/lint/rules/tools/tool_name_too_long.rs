use crate::diagnostic::Problem;
use crate::lint::rules::{Check, Findings, Project, Rule, pages};
use crate::palette::api_name;

use super::palettes::{first_problem, own_tool, tools_in_question};

pub(super) const RULE: Rule = Rule { check: Check::Project(check), ..pages::RR404 };

/// The most characters of a tool name in the API.
const LONGEST: usize = 64;

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let long = tools_in_question(project, |ids| ids.iter().any(|id| api_name(id).chars().count() > LONGEST));
    for id in long.into_iter().flatten() {
        let name_of_it = api_name(&id);
        let is_wanted = |problem: &Problem| matches!(problem, Problem::ToolNameTooLong { name } if *name == name_of_it);
        let ids = [id];
        if let Some((diagnostic, by)) = first_problem(project, &ids, 1, &is_wanted) {
            let at = own_tool(project, &ids).unwrap_or_else(|| by.clone());
            found.diagnosed(&diagnostic, || at).related(by, "granted here");
        }
    }
}
