use crate::lint::rules::{Check, Findings, LintFile, Project};
use crate::read::item::{Hook, ROUTING_EVENT};
use crate::read::protocol::ContextScope;

use super::place_of;

pub const CHECK: Check = Check::Hook(check);

fn check(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
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
