use crate::fill::palette::api_name;
use crate::lint::rules::{Findings, Problem, Project};

use super::palettes;

/// The maximum length of a tool name in the API, in characters.
const LONGEST: usize = 64;

pub fn tool_name_collision(project: &Project<'_>, found: &mut Findings<'_>) {
    for ids in palettes::tools_in_question(project, |ids| ids.len() > 1) {
        let is_wanted = |problem: &Problem| match problem {
            Problem::ToolNameCollision { ids: colliding, .. } => colliding.iter().any(|id| ids.contains(id)),
            _ => false,
        };
        palettes::report(project, found, &ids, 2, is_wanted);
    }
}

pub fn tool_name_too_long(project: &Project<'_>, found: &mut Findings<'_>) {
    let long = palettes::tools_in_question(project, |ids| ids.iter().any(|id| api_name(id).chars().count() > LONGEST));
    for id in long.into_iter().flatten() {
        let name_of_it = api_name(&id);
        let is_wanted = |problem: &Problem| matches!(problem, Problem::ToolNameTooLong { name } if *name == name_of_it);
        palettes::report(project, found, &[id], 1, is_wanted);
    }
}
