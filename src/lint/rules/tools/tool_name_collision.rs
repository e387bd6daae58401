use crate::diagnostic::Problem;
use crate::lint::rules::{Check, Findings, Project, Rule, pages};

use super::palettes::{PaletteSight, tools_in_question};

pub(super) const RULE: Rule = Rule { check: Check::Project(check), ..pages::RR403 };

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    let sight = PaletteSight::new(project);
    for ids in tools_in_question(project, |ids| ids.len() > 1) {
        let is_it = |problem: &Problem| match problem {
            Problem::ToolNameCollision { ids: of, .. } => of.iter().any(|id| ids.contains(id)),
            _ => false,
        };
        if let Some((diagnostic, by)) = sight.first(&ids, 2, &is_it) {
            let at = sight.tool(&ids).unwrap_or_else(|| by.clone());
            found.diagnosed(&diagnostic, || at).related(by, "granted here");
        }
    }
}
