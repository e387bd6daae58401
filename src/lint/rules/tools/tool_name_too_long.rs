use crate::diagnostic::Problem;
use crate::lint::rules::{Check, Findings, Project, Rule, pages};
use crate::palette::api_name;

use super::palettes::{PaletteSight, tools_in_question};

pub(super) const RULE: Rule = Rule { check: Check::Project(check), ..pages::RR404 };

/// Most characters of a name.
const LONGEST: usize = 64;

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let long = tools_in_question(project, |ids| ids.iter().any(|id| api_name(id).chars().count() > LONGEST));
    let sight = PaletteSight::new(project);
    for id in long.into_iter().flatten() {
        let name_of_it = api_name(&id);
        let is_it = |problem: &Problem| matches!(problem, Problem::ToolNameTooLong { name } if *name == name_of_it);
        let ids = [id];
        if let Some((diagnostic, by)) = sight.first(&ids, 1, &is_it) {
            let at = sight.tool(&ids).unwrap_or_else(|| by.clone());
            found.diagnosed(&diagnostic, || at).related(by, "granted here");
        }
    }
}
