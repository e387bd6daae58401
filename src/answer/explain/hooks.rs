//! The hooks of a prompt: the decisions about each, its place among the others, and what it would add.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::fill::interpolate::hook::may_expand_to;
use crate::prompt::{Decision, DecisionOutcome, HookRun, HookVerdict, Prompt};
use crate::read::item::{Hook, HookAction, HookOrigin};
use crate::read::store::ItemKind;
use crate::text::{Source, Span};

pub struct PromptHooks<'a> {
    prompt: &'a Prompt,
    known: HashMap<HookKey<'a>, usize>,
    places: Vec<(usize, usize)>,
}

/// A hook is identified by its name and the place of its declaration.
type HookKey<'a> = (&'a str, Option<(*const Source, usize)>);

fn key<'a>(name: &'a str, span: Option<&Span>) -> HookKey<'a> {
    (name, span.map(|span| (Arc::as_ptr(span.source()), span.range().start)))
}

impl<'a> PromptHooks<'a> {
    pub fn new(prompt: &'a Prompt) -> Self {
        let of = |(index, run): (usize, &'a HookRun)| (key(run.hook.name(), run.hook.span.as_ref()), index);
        let events = prompt.hooks.chunk_by(|one, next| one.hook.event == next.hook.event);
        let places = events.flat_map(|runs| (1..=runs.len()).map(|place| (place, runs.len()))).collect();
        Self { prompt, known: prompt.hooks.iter().enumerate().map(of).collect(), places }
    }

    /// The index of the hook that a decision is about.
    pub fn of(&self, decision: &Decision) -> Option<usize> {
        if !decision.slot.is_hook() || decision.outcome == DecisionOutcome::Shadowed {
            return None;
        }
        let span = decision.declared_by.as_ref()?.span.as_ref();
        self.known.get(&key(&decision.name, span)).copied()
    }

    /// The hooks without a decision, since their events do not occur in this prompt.
    pub fn undecided(&self) -> impl Iterator<Item = (usize, &'a HookRun)> {
        let decided: HashSet<usize> = self.prompt.decisions.iter().filter_map(|decision| self.of(decision)).collect();
        self.prompt.hooks.iter().enumerate().filter(move |(index, _)| !decided.contains(index))
    }

    /// The 1-based position of a hook among those of its event, and their number.
    pub fn place(&self, index: usize) -> (usize, usize) {
        self.places[index]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemMatch {
    Sure,
    /// The action's id has placeholders that may expand to the item's.
    Maybe,
}

/// Whether actions name an item; kinds for which `is_kind` is false are ignored.
pub fn naming(actions: &[HookAction], is_kind: impl Fn(ItemKind) -> bool, id: &str) -> Option<ItemMatch> {
    let of_action = |action: &HookAction| {
        let parent = action.set_extends.as_ref().filter(|_| is_kind(ItemKind::Directive));
        if parent.is_some_and(|parent| parent.as_str() == id) {
            return Some(ItemMatch::Sure);
        }
        // An action whose kind cannot be read may mean any kind.
        let kind = action.kind();
        let named = action.item_id.as_ref().filter(|_| kind.is_none_or(&is_kind))?.as_str();
        if named == id {
            return Some(ItemMatch::Sure);
        }
        may_expand_to(named, id).then_some(ItemMatch::Maybe)
    };
    let all = || actions.iter().filter_map(of_action);
    all().find(|naming| *naming == ItemMatch::Sure).or_else(|| all().next())
}

/// Layer and origin; position and wrapping if it adds text.
pub fn placement(hook: &Hook) -> String {
    let origin = match hook.origin {
        HookOrigin::User => "user",
        HookOrigin::Directive => "directive",
        HookOrigin::Builtin => "builtin_hooks",
        HookOrigin::Context => "context_hooks",
        HookOrigin::Project => "project",
        HookOrigin::Infra => "infra_hooks",
    };
    let mut placement = format!("layer {} ({origin})", hook.effective_layer());
    // A hook that sets a parent adds no text.
    if hook.actions.iter().any(|action| action.set_extends.is_none()) {
        placement.push_str(if hook.is_after() { ", position after" } else { ", position before" });
        placement.push_str(if hook.wraps() { "" } else { ", not wrapped" });
    }
    placement
}

pub fn action_phrase(action: &HookAction) -> String {
    let field = |text: &Option<String>| text.clone().unwrap_or_else(|| "?".to_string());
    match (&action.set_extends, &action.item_id) {
        (Some(parent), _) => format!("set the parent to {}", parent.as_str()),
        (None, None) if action.primary.is_none() => "do nothing, since the action names nothing".to_string(),
        (None, id) => {
            let id = id.as_ref().map_or("?", |id| id.as_str());
            format!("{} {} {id}", field(&action.primary), field(&action.item_type))
        }
    }
}

/// Why a hook adds nothing: `does not fire: this event adds no message to a prompt`.
pub fn reason(run: &HookRun) -> String {
    match run.verdict {
        // These sentences name the outcome themselves.
        HookVerdict::Suppressed | HookVerdict::LeftOut | HookVerdict::Unknown => run.why.clone(),
        verdict => format!("{}: {}", verdict.phrase(), run.why),
    }
}
