//! What would be different if the command line decided: what may be asked, and in whose name it is done.

use std::collections::HashSet;

use crate::diagnostic::{Diagnostic, Problem};
use crate::item::Hook;
use crate::nearest::nearest;
use crate::prompt::{Declared, LayerKind};
use crate::protocol::{Protocol, Scope};
use crate::request::{Request, WhatIf};
use crate::store::last_segment;

use super::hooks::names;
use super::plan::Plan;

/// A flag as what decides about something.
pub(super) fn flag(name: &str) -> Declared {
    Declared { by: name.to_string(), span: None }
}

/// Whether the command line leaves a hook out.
pub(super) fn leaves_out(what_if: &WhatIf, hook: &Hook) -> bool {
    hook.id.as_ref().is_some_and(|id| what_if.without_hooks.contains(id))
}

/// Why a hook is left out that the command line leaves out.
pub(super) const LEFT_OUT: &str = "--without-hook leaves it out";

/// Refuses what has nothing to act on in this mode and protocol.
pub(super) fn check(request: &Request, protocol: &Protocol, managed: bool) -> Result<(), Diagnostic> {
    let flags = request.what_if.flags();
    let Some(first) = flags.first() else { return Ok(()) };
    if !managed {
        return Err(wrong(
            format!("{first} has nothing to act on: in this mode or protocol there is neither chain nor hook"),
            "leave it out, or use --mode thread with rye-2 or rye-3".to_string(),
        ));
    }
    if !request.what_if.suppress.is_empty() && protocol.suppress == Scope::None {
        return Err(wrong(
            format!("{first} has nothing to act on: {} suppresses nothing", protocol.name),
            "leave it out, or use rye-2 or rye-3".to_string(),
        ));
    }
    Ok(())
}

/// Refuses names of nothing, which would leave the prompt as it is and say that it is another one.
///
/// Of many directives most have no hook or item of that name, so there it is no mistake.
pub(super) fn check_names(
    request: &Request,
    protocol: &Protocol,
    hooks: &[&Hook],
    events: &[&str],
    plan: &Plan,
) -> Result<(), Diagnostic> {
    let WhatIf { suppress, without_hooks, .. } = &request.what_if;
    if request.for_many {
        return Ok(());
    }
    if !suppress.is_empty() {
        let fires = |hook: &&&Hook| events.contains(&hook.event.as_str());
        let mut known: HashSet<&str> = hooks.iter().filter(fires).flat_map(|hook| names(hook)).collect();
        let mut items = plan.entries.iter().filter(|entry| entry.kind == LayerKind::Context);
        if protocol.suppress == Scope::HooksAndChain {
            known.extend(items.map(|entry| entry.name.as_str()));
        } else if let Some(item) = items.find(|item| suppress.contains(&item.name) && !known.contains(&*item.name)) {
            return Err(wrong(
                format!("--suppress {}: {} suppresses hooks, and no items of the chain", item.name, protocol.name),
                "use rye-3, or leave it out".to_string(),
            ));
        }
        check_each("--suppress", "hook or context item", suppress, &known, request)?;
    }
    let known = hooks.iter().filter_map(|hook| hook.id.as_deref()).collect();
    check_each("--without-hook", "hook", without_hooks, &known, request)
}

fn check_each(
    flag: &str,
    kind: &str,
    asked: &[String],
    known: &HashSet<&str>,
    request: &Request,
) -> Result<(), Diagnostic> {
    let Some(unknown) = asked.iter().find(|name| !known.contains(name.as_str())) else { return Ok(()) };
    // Byte order makes one of several choices.
    let mut known: Vec<&str> = known.iter().copied().collect();
    known.sort_unstable();
    let by_last = || known.iter().find(|name| last_segment(name) == unknown).map(ToString::to_string);
    let help = match nearest(unknown, known.iter().copied()).or_else(by_last) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("`rye-render explain {}` lists what there is", request.directive.id),
    };
    Err(wrong(format!("{flag} {unknown}: the prompt of {} has no such {kind}", request.directive.id), help))
}

/// Nothing of that id is in the tiers.
pub(super) fn no_such_item(flag: &str, id: &str, near: Option<String>) -> Diagnostic {
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "give the id of an item below `.ai/knowledge`, without extension".to_string(),
    };
    wrong(format!("{flag} {id}: no tier has a knowledge item of that id"), help)
}

fn wrong(what: String, help: String) -> Diagnostic {
    Diagnostic::new(Problem::InvalidArgument { what, help: Some(help) })
}
