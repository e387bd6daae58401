use crate::condition::Truth;
use crate::diagnostic::Problem;
use crate::item::Hook;
use crate::lint::rules::{Check, Findings, LintFile, Project, Rule, pages};

use super::conditions::{each_part, judged_blindly};
use super::{place_of, report};

pub(super) const RULE: Rule = Rule { check: Check::Hook(check), ..pages::RR309 };

fn check(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    let Some(rules) = project.protocol.routing else { return };
    if !hook.routes() || hook.parent().is_some() || is_misplaced(hook) {
        return;
    }
    let Some(at) = place_of(hook, "id") else { return };
    let name = hook.name().to_string();
    match judged_blindly(hook).truth {
        // It is never asked for a parent.
        Some(Truth::False) => {}
        Some(Truth::True) => {
            report(found, Problem::RoutingWithoutTarget { hook: name, stops: rules.without_target_stops }, &at);
        }
        // Whether it matches is known in a render alone.
        _ => {
            let does = if rules.without_target_stops { "ends the search all the same" } else { "is passed over" };
            found.at(&at, format!("hook {name} sets no parent; where its condition holds, it {does}"));
        }
    }
}

/// Whether the parent is named, in a place where nothing reads it. That is said there.
fn is_misplaced(hook: &Hook) -> bool {
    let mut is_there = hook.written.get("set_extends").is_some();
    each_part(hook, &mut |_, part| is_there |= part.node().is_some_and(|node| node.get("set_extends").is_some()));
    is_there
}
