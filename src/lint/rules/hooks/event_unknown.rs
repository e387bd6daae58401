use crate::lint::rules::{Check, Findings, LintFile, Problem, Project};
use crate::read::item::{EVENTS, Hook};
use crate::text::nearest::nearest;

use super::place_of;
use super::words::{rewrite, surely_meant};

pub const CHECK: Check = Check::Hook(check);

fn check(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    if hook.fires() {
        return;
    }
    let Some(at) = place_of(hook, "event") else { return };
    let nearest = nearest(&hook.event, EVENTS.into_iter());
    let problem = Problem::EventUnknown { hook: hook.name().to_string(), event: hook.event.clone(), nearest };
    let finding = found.problem(problem, &at);
    let meant = surely_meant(&hook.event, EVENTS.into_iter());
    if let Some((meant, edit)) = meant.and_then(|meant| Some((meant, rewrite(&at, &hook.event, meant)?))) {
        finding.fix(format!("write {meant}"), vec![edit]);
    }
}
