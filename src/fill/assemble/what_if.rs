//! Checks the what-if flags of the command line, and names the flag behind a decision.

use std::collections::HashSet;

use crate::decide::request::{Request, WhatIf};
use crate::diagnostic::Diagnostic;
use crate::prompt::{Declared, HookVerdict, LayerKind};
use crate::read::item::Hook;
use crate::read::protocol::Protocol;
use crate::read::store::last_segment;
use crate::text::nearest::{did_you_mean, nearest};

use super::plan::{HookOutcome, Plan};

pub(super) fn flag(name: &str) -> Declared {
    Declared { by: name.to_string(), span: None }
}

pub(super) fn left_out(what_if: &WhatIf, hook: &Hook) -> Option<HookOutcome> {
    let is_named = what_if.without_hooks.contains(hook.id.as_ref()?);
    is_named
        .then(|| HookOutcome::new(HookVerdict::LeftOut, "--without-hook leaves it out", Some(flag("--without-hook"))))
}

/// Refuses flags that have no effect in this mode and protocol.
pub(super) fn check(request: &Request, protocol: &Protocol, managed: bool) -> Result<(), Diagnostic> {
    let flags = request.what_if.flags();
    let Some(first) = flags.first() else { return Ok(()) };
    if !managed {
        return Err(Diagnostic::invalid(
            format!("{first} has no effect: this mode or protocol has neither chain nor hooks"),
            "leave it out, or use --mode thread with rye-2 or rye-3",
        ));
    }
    if !request.what_if.suppress.is_empty() && !protocol.suppresses_hooks() {
        return Err(Diagnostic::invalid(
            format!("{first} has no effect: {} suppresses nothing", protocol.name),
            "leave it out, or use rye-2 or rye-3",
        ));
    }
    Ok(())
}

/// Refuses unknown names: they would leave the prompt unchanged, but the output would say that it had changed.
///
/// If many directives are rendered, most lack the name, so that is not an error.
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
        let mut known: HashSet<&str> = hooks.iter().filter(fires).flat_map(|hook| hook.suppressible_names()).collect();
        let items = plan.entries.iter().filter(|entry| entry.kind == LayerKind::Context);
        if protocol.suppresses_items() {
            known.extend(items.map(|entry| entry.decision.name.as_str()));
        } else if let Some(name) = items
            .map(|entry| &entry.decision.name)
            .find(|name| suppress.contains(name) && !known.contains(name.as_str()))
        {
            return Err(Diagnostic::invalid(
                format!("--suppress {name}: {} suppresses only hooks, not items of the chain", protocol.name),
                "use rye-3, or leave it out",
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
    names: &[String],
    known: &HashSet<&str>,
    request: &Request,
) -> Result<(), Diagnostic> {
    let Some(unknown) = names.iter().find(|name| !known.contains(name.as_str())) else { return Ok(()) };
    // Sorted, so that ties are broken the same way every time.
    let mut known: Vec<&str> = known.iter().copied().collect();
    known.sort_unstable();
    let by_last = || known.iter().find(|name| last_segment(name) == unknown).map(ToString::to_string);
    let help = did_you_mean(
        nearest(unknown, known.iter().copied()).or_else(by_last),
        format!("leave {flag} out, and `explain` lists them"),
    );
    Err(Diagnostic::invalid(
        format!("{flag} {unknown}: the prompt of {} has no such {kind}", request.directive.id),
        help,
    ))
}

pub(super) fn no_such_item(flag: &str, id: &str, near: Option<String>) -> Diagnostic {
    let help = did_you_mean(near, "give the id of an item below `.ai/knowledge`, without extension");
    Diagnostic::invalid(format!("{flag} {id}: no tier has a knowledge item with this id"), help)
}
