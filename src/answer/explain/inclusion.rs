//! How to get a missing item into a prompt, or why that is impossible.

use crate::decide::request::Mode;
use crate::fill::palette::capability::{Primary, Reach};
use crate::prompt::{Grant, Prompt};
use crate::read::protocol::ContextScope;
use crate::read::store::ItemKind;
use crate::text::Span;

pub fn how_to_include(kind: ItemKind, id: &str, prompt: &Prompt) -> String {
    if prompt.context == ContextScope::None {
        return format!("{} uses no parents, no knowledge items from the chain, no hooks and no tools", alone(prompt));
    }
    match kind {
        ItemKind::Knowledge if prompt.context == ContextScope::Hooks => {
            format!("to include it, fetch {id} with a hook")
        }
        ItemKind::Knowledge => format!(
            "to include it, list {id} in <system>, <before> or <after> in a directive in the chain, or fetch it with a \
             hook"
        ),
        ItemKind::Directive => format!(
            "to inherit its context and permissions, but not its body, write extends=\"{id}\" in a directive in the chain"
        ),
        ItemKind::Tool if prompt.tool_rules.is_none() => format!("protocol {} has no tool palette", prompt.protocol),
        ItemKind::Tool if prompt.budget.is_none() => {
            "tool_preload.enabled is false, so there is no tool palette".to_string()
        }
        ItemKind::Tool => format!("to include it, grant permission to execute the tool {id}"),
    }
}

fn alone(prompt: &Prompt) -> String {
    match prompt.mode {
        Mode::InThread => "in-thread mode".to_string(),
        Mode::Thread => format!("protocol {}", prompt.protocol),
    }
}

/// A permission that reaches a tool that is not in the palette, and why it has no effect.
pub fn permitted(kind: ItemKind, id: &str, prompt: &Prompt) -> Option<(String, Option<Span>)> {
    let rules = prompt.tool_rules.filter(|_| kind == ItemKind::Tool && prompt.budget.is_some())?;
    let reach = |grant: &Grant| {
        let reach = Reach::of(&grant.capability, rules.star_is_all)?;
        reach.covers(Primary::Execute, kind, id).then(|| reach.pattern.specificity())
    };
    let reaching = prompt.permissions.iter().filter_map(|grant| Some((reach(grant)?, grant)));
    // The most specific permission.
    let (_, permission) = reaching.max_by_key(|(specificity, _)| *specificity)?;
    let became = match what_is_left(permission, &prompt.capabilities) {
        RemainingGrant::All => "the tool palette skips it".to_string(),
        RemainingGrant::Narrowed(left) => format!("the parent thread narrows that to {left}"),
        RemainingGrant::Nothing => "no capability of the parent thread covers that permission".to_string(),
    };
    let why = format!("the permission {} of {} covers it, but {became}", permission.capability, permission.by.by);
    Some((why, permission.by.span.clone()))
}

#[derive(Debug, PartialEq)]
pub enum RemainingGrant<'a> {
    All,
    Narrowed(&'a str),
    Nothing,
}

/// What a parent's capabilities leave of a permission: a grant is identified by the place of its declaration.
pub fn what_is_left<'a>(permission: &Grant, capabilities: &'a [Grant]) -> RemainingGrant<'a> {
    let of_it = |grant: &&Grant| grant.by.span.is_some() && grant.by.span == permission.by.span;
    match capabilities.iter().find(of_it) {
        Some(left) if left.capability == permission.capability.replace('/', ".") => RemainingGrant::All,
        Some(left) => RemainingGrant::Narrowed(&left.capability),
        None => RemainingGrant::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::explain::testing::shop;

    #[test]
    fn a_parent_passes_on_no_body() {
        let how = how_to_include(ItemKind::Directive, "ping", &shop().0);
        let expected = "to inherit its context and permissions, but not its body, write extends=\"ping\"";
        assert!(how.starts_with(expected), "{how}");
    }
}
