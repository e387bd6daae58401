//! The inputs that hooks use.

use std::collections::HashSet;
use std::ops::Range;

use crate::decide::condition::Truth;
use crate::fill::interpolate::hook::has_placeholder;
use crate::lint::placeholders::of_hook;
use crate::lint::rules::{Composed, LintFile, Project, Span, has_context};
use crate::read::item::condition::Comparison;
use crate::read::item::{Directive, Hook, TextPlace};
use crate::read::protocol::Protocol;
use crate::read::value::Value;

use super::placeholders::{PlaceholderKind, placeholders};

/// Deeper parameters are ignored.
const MAX_DEPTH: usize = 100;

#[derive(Debug, Clone)]
pub(super) struct InputUse<'p> {
    /// None for all inputs, or for one that is only known at run time.
    pub of: Option<String>,
    pub by: InputUser<'p>,
}

#[derive(Debug, Clone)]
pub(super) enum InputUser<'p> {
    Condition {
        comparison: &'p Comparison,
    },
    /// `${inputs.x}` in an id, a parameter or text, and whether it has a fallback.
    Variable {
        has_other: bool,
    },
    /// `{input:x}` in an id or text, which stays as written if no input is given.
    Placeholder {
        default: Option<&'p str>,
        at: Span,
    },
}

pub(super) struct HookUses<'p> {
    pub hook: &'p Hook,
    /// First those in its condition, then those in ids, parameters and texts.
    pub all: Vec<InputUse<'p>>,
    /// The inputs used by name.
    names: HashSet<String>,
    looks_at_all: bool,
}

impl<'p> HookUses<'p> {
    pub fn of(hook: &'p Hook, project: &'p Project<'_>) -> Self {
        let mut all = of_condition(hook);
        all.extend(of_actions(hook, project));
        let names = all.iter().filter_map(|it| it.of.clone()).collect();
        let looks_at_all = all.iter().any(|it| it.of.is_none());
        Self { hook, all, names, looks_at_all }
    }

    pub fn names(&self, input: &str) -> bool {
        self.names.contains(input)
    }

    /// Whether the hook uses an input, by name or together with all others.
    pub fn looks_at(&self, input: &str) -> bool {
        self.looks_at_all || self.names(input)
    }

    pub fn may_apply(&self, composed: &Composed<'_>) -> bool {
        composed.truth(self.hook) != Truth::False
    }
}

/// The hooks in the configuration that use inputs.
pub(super) fn configured<'p>(project: &'p Project<'_>) -> Vec<HookUses<'p>> {
    if !has_context(project) {
        return Vec::new();
    }
    let all = project.configured_hooks().map(|hook| HookUses::of(hook, project));
    all.filter(|uses| !uses.all.is_empty()).collect()
}

pub(super) fn own<'p>(directive: &'p Directive, project: &'p Project<'_>) -> Vec<HookUses<'p>> {
    let hooks = directive.hooks.iter().filter(|_| has_context(project));
    hooks.map(|hook| HookUses::of(hook, project)).collect()
}

pub(super) fn of_condition(hook: &Hook) -> Vec<InputUse<'_>> {
    let uses = hook.condition.comparisons().filter_map(|(_, comparison)| {
        Some(InputUse { of: of_path(&comparison.path)?, by: InputUser::Condition { comparison } })
    });
    uses.collect()
}

/// None for a path outside of the inputs; `Some(None)` for all inputs.
fn of_path(path: &str) -> Option<Option<String>> {
    let mut parts = path.trim().split('.');
    match (parts.next(), parts.next()) {
        (Some("" | "inputs"), None) => Some(None),
        (Some("inputs"), name) => Some(name.map(str::to_string)),
        _ => None,
    }
}

fn of_actions<'p>(hook: &'p Hook, project: &'p Project<'_>) -> Vec<InputUse<'p>> {
    let mut uses = Vec::new();
    let protocol = project.protocol;
    for action in &hook.actions {
        if let Some(id) = &action.item_id {
            let place = |range| id.text.slice(range).span().unwrap_or_else(|| id.span.clone());
            of_text(id.as_str(), protocol, &place, &mut uses);
        }
        for value in action.params.values() {
            if let Some(span) = action.span.as_ref().or(hook.span.as_ref()) {
                of_value(value, protocol, span, 0, &mut uses);
            }
        }
    }
    uses.extend(items(hook, project).flat_map(|(_, file)| of_file(file, protocol)));
    uses
}

/// The items whose text a hook inserts, each with the id in the hook.
pub(super) fn items<'p>(hook: &'p Hook, project: &'p Project<'_>) -> impl Iterator<Item = (&'p Span, &'p LintFile)> {
    hook.actions.iter().filter_map(|action| {
        let id = action.item_id.as_ref().filter(|id| !has_placeholder(id.as_str()))?;
        Some((&id.span, project.inserted(action)?))
    })
}

/// The uses in the text of an item that a hook inserts.
pub(super) fn of_file<'p>(file: &'p LintFile, protocol: &Protocol) -> Vec<InputUse<'p>> {
    let mut uses = Vec::new();
    if let Some(source) = &file.source {
        // For most items, hooks insert the text without the metadata.
        let start = match file.knowledge().map(|knowledge| &knowledge.place) {
            Some(TextPlace::Block(text)) if !text.text().is_empty() => text.range().start,
            _ => 0,
        };
        let place = |range: Range<usize>| source.span(start + range.start..start + range.end);
        of_text(&source.text()[start..], protocol, &place, &mut uses);
    }
    uses
}

fn of_value<'p>(value: &'p Value, protocol: &Protocol, span: &'p Span, depth: usize, uses: &mut Vec<InputUse<'p>>) {
    match value {
        _ if depth > MAX_DEPTH => {}
        Value::Str(text) => of_text(text, protocol, &|_| span.clone(), uses),
        Value::List(list) => list.iter().for_each(|value| of_value(value, protocol, span, depth + 1, uses)),
        Value::Map(map) => map.values().for_each(|value| of_value(value, protocol, span, depth + 1, uses)),
        _ => {}
    }
}

fn of_text<'p>(text: &'p str, protocol: &Protocol, place: &dyn Fn(Range<usize>) -> Span, uses: &mut Vec<InputUse<'p>>) {
    for it in of_hook(text, protocol).filter(|it| text[it.range.start..].starts_with("${")) {
        let by = InputUser::Variable { has_other: it.paths.len() > 1 };
        let uses_of = it.paths.iter().filter_map(|path| of_path(path));
        uses.extend(uses_of.map(|of| InputUse { of, by: by.clone() }));
    }
    for it in placeholders(text).filter(|it| it.kind == PlaceholderKind::Input) {
        let by = InputUser::Placeholder { default: it.default, at: place(it.range) };
        uses.push(InputUse { of: Some(it.name.to_string()), by });
    }
}
