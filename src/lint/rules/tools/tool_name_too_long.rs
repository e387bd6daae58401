use crate::fill::palette::api_name;
use crate::lint::rules::{Check, Findings, Problem, Project};

use super::palettes;

pub const CHECK: Check = Check::Project(check);

/// The maximum length of a tool name in the API, in characters.
const LONGEST: usize = 64;

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let long = palettes::tools_in_question(project, |ids| ids.iter().any(|id| api_name(id).chars().count() > LONGEST));
    for id in long.into_iter().flatten() {
        let name_of_it = api_name(&id);
        let is_wanted = |problem: &Problem| matches!(problem, Problem::ToolNameTooLong { name } if *name == name_of_it);
        palettes::report(project, found, &[id], 1, is_wanted);
    }
}
