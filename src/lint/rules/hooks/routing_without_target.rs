use crate::decide::condition::{Truth, truth_anywhere};
use crate::lint::rules::{Findings, Hook, LintFile, Problem, Project};

use super::place_of;

pub fn check(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    let Some(rules) = project.protocol.routing else { return };
    if !hook.routes() || hook.parent().is_some() || is_misplaced(hook) {
        return;
    }
    let Some(at) = place_of(hook, "id") else { return };
    let name = hook.name().to_string();
    match truth_anywhere(&hook.condition) {
        // It never matches.
        Truth::False => {}
        Truth::True => {
            found.problem(Problem::RoutingWithoutTarget { hook: name, stops: rules.without_target_stops }, &at);
        }
        // Whether it matches is only known in a render.
        Truth::Unknown => {
            let does = if rules.without_target_stops { "still ends the search" } else { "is skipped" };
            found.at(&at, format!("hook {name} sets no parent; if its condition holds, it {does}"));
        }
    }
}

/// Whether `set_extends` is in the wrong place, which RR317 reports.
fn is_misplaced(hook: &Hook) -> bool {
    hook.written.get("set_extends").is_some()
        || hook.condition.parts().any(|part| part.keys.contains_key("set_extends"))
}
