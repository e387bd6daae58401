use crate::lint::rules::{Findings, LintFile, Problem, Project};
use crate::read::item::{EVENTS, Hook, ROUTING_EVENT};
use crate::read::protocol::ContextScope;
use crate::text::nearest::nearest;

use super::place_of;
use super::words::{rewrite, surely_meant};

pub fn event_not_fired(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    let protocol = project.protocol;
    let is_routing = hook.event == ROUTING_EVENT;
    let why = match protocol.routing {
        _ if !hook.fires() => return,
        _ if protocol.context == ContextScope::None => format!("{} fires no event", protocol.name),
        None if is_routing => format!("{} never fires {ROUTING_EVENT}", protocol.name),
        Some(_) if is_routing && !hook.routes() => {
            format!("{ROUTING_EVENT} only runs builtin_hooks and the hooks.yaml files of the project and the user")
        }
        _ => return,
    };
    if let Some(at) = place_of(hook, "event") {
        found.at(at, format!("hook {} never runs: {why}", hook.name()));
    }
}

pub fn event_unknown(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    if hook.fires() {
        return;
    }
    let Some(at) = place_of(hook, "event") else { return };
    let nearest = nearest(&hook.event, EVENTS.into_iter());
    let problem = Problem::EventUnknown { hook: hook.name().to_string(), event: hook.event.clone(), nearest };
    let finding = found.problem(problem, &at);
    let meant = surely_meant(&hook.event, EVENTS.into_iter());
    if let Some(meant) = meant {
        finding.fix(format!("write {meant}"), rewrite(&at, &hook.event, meant));
    }
}
