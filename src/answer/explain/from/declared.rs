//! What lines of a file declare, request and decide.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::{FileLines, LineReason, METADATA};
use crate::answer::explain::hooks::{PromptHooks, reason};
use crate::answer::explain::metadata::{Metadata, metadata};
use crate::decide::condition::shown;
use crate::prompt::{Decision, DecisionOutcome, Declared, Prompt, Setting, SettingValue, Slot};
use crate::read::value::Value;
use crate::text::Span;
use crate::text::numbers::{count, thousands};

pub struct Declarations {
    pub reasons: Vec<LineReason>,
    /// Used only if there are no other reasons: comments, placeholders, and newlines that a declaration requires.
    pub otherwise: Vec<LineReason>,
}

impl Declarations {
    /// `is_shown` says whether a declaration's value appears in a message as written.
    pub fn new(place: &FileLines, prompt: &Prompt, is_shown: impl Fn(&Metadata) -> bool) -> Self {
        let all = metadata(prompt);
        let ends = all.iter().filter(|declared| declared.line_break.as_ref().is_some_and(|end| place.meets(end)));
        let mut otherwise: Vec<LineReason> = ends.filter(|it| !place.meets(&it.span)).map(line_end).collect();
        let here = all.into_iter().filter(|declared| place.meets(&declared.span));
        let (aside, mut declared): (Vec<_>, Vec<_>) = here.partition(|declared| aside(declared).is_some());
        declared.retain(|declared| !is_shown(declared));
        let does = [idle(place, prompt), decided(place, prompt)].concat();
        let settings = settings(place, prompt);
        // A declaration that contains another, such as a section with its hooks, adds nothing.
        let reported = does.iter().filter_map(|reason| reason.at.as_ref()).chain(settings.iter().map(|(at, _)| *at));
        let mut spans: Vec<_> = reported.map(|span| (span.range(), false)).collect();
        spans.extend(declared.iter().map(|declared| (declared.span.range(), true)));
        spans.sort_by_key(|(range, is_declared)| (range.start, std::cmp::Reverse(range.end), !is_declared));
        let holds = |pair: &[(std::ops::Range<usize>, bool)]| pair[0].1 && pair[1].0.end <= pair[0].0.end;
        let outer: HashSet<_> = spans.windows(2).filter(|pair| holds(pair)).map(|pair| pair[0].0.clone()).collect();
        // A permission is kept, because the reasons about the tools that it grants do not name it.
        declared.retain(|declared| declared.name == "permission" || !outer.contains(&declared.span.range()));

        let of = |why: String, declared: &Metadata| LineReason { code: METADATA, why, at: Some(declared.span.clone()) };
        otherwise
            .splice(0..0, aside.iter().filter_map(|declared| Some(of(self::aside(declared)?.to_string(), declared))));
        let mut reasons: Vec<_> =
            declared.iter().map(|declared| of(format!("it declares {}", name(declared)), declared)).collect();
        reasons.extend(does);
        reasons.extend(settings.into_iter().map(|(_, reason)| reason));
        Self { reasons, otherwise }
    }
}

fn name(declared: &Metadata) -> String {
    let part = |key: &str| declared.value.get(key).and_then(Value::as_str);
    let text = declared.value.as_str().unwrap_or_default();
    let named = |what: &str, name: Option<&str>| match name {
        Some(name) => format!("the {what} `{name}`"),
        None => format!("an {what} without a name"),
    };
    match declared.name.as_str() {
        kind @ ("input" | "output") => named(kind, part("name")),
        "hook" => match part("id") {
            Some(id) => format!("the hook `{id}`"),
            None => "a hook without an id".to_string(),
        },
        "extends" => named("parent", Some(text)),
        "permission" => named("permission", Some(text)),
        "suppress" => format!("that `{text}` is suppressed"),
        element @ ("system" | "before" | "after") => format!("`{text}` in <{element}>"),
        "directive" => "the directive".to_string(),
        name => format!("`{name}`"),
    }
}

fn aside(declared: &Metadata) -> Option<&'static str> {
    Some(match declared.name.as_str() {
        "comment" => "it is a comment in the xml block",
        "placeholder" => "it holds a placeholder, and its value is sent",
        "body" => "it is the body of the directive, and a hook reads it",
        "yaml block" => "it is the yaml block of the item, which is read but not sent",
        "front matter" => "it is the front matter of the item, which is read but not sent",
        _ => return None,
    })
}

fn line_end(declared: &Metadata) -> LineReason {
    let why = format!("it is the newline before `{}`, which must begin a line", declared.name);
    LineReason { code: METADATA, why, at: Some(declared.span.clone()) }
}

fn idle(place: &FileLines, prompt: &Prompt) -> Vec<LineReason> {
    let hooks = PromptHooks::new(prompt);
    let here = hooks.undecided().filter_map(|(_, run)| Some((run, run.hook.span.as_ref()?)));
    here.filter(|(_, span)| place.meets(span))
        .map(|(run, span)| {
            let why = format!("it declares the hook `{}`: {}", run.hook.name(), reason(run));
            LineReason { code: METADATA, why, at: Some(span.clone()) }
        })
        .collect()
}

fn decided(place: &FileLines, prompt: &Prompt) -> Vec<LineReason> {
    let mut seen = HashSet::new();
    let mut reasons = Vec::new();
    // Decisions of one grant are reported together, even if others come between.
    let mut grants: IndexMap<(usize, usize), (Span, Vec<&Decision>)> = IndexMap::new();
    for decision in prompt.decisions.iter().filter(|decision| !prompt.is_about_setting(decision)) {
        let here = |declared: &Option<Declared>| {
            declared.as_ref().and_then(|it| it.span.clone()).filter(|span| place.meets(span))
        };
        if let Some(span) = here(&decision.by).filter(|_| decision.slot == Slot::Palette) {
            let range = (span.range().start, span.range().end);
            grants.entry(range).or_insert_with(|| (span, Vec::new())).1.push(decision);
            continue;
        }
        let (code, why, at) = match (here(&decision.declared_by), here(&decision.by)) {
            (Some(span), _) => ("asks", format!("it asks for {}: {}", decision.title(), decision.reason()), span),
            (None, Some(span)) => ("decides", decides(decision), span),
            (None, None) => continue,
        };
        if seen.insert(why.clone()) {
            reasons.push(LineReason { code, why, at: Some(at) });
        }
    }
    let of_grant = |(span, decisions): (Span, Vec<&Decision>)| {
        let why = match decisions[..] {
            [decision] => decides(decision),
            _ => grants_many(&decisions),
        };
        LineReason { code: "decides", why, at: Some(span) }
    };
    reasons.extend(grants.into_values().map(of_grant));
    reasons
}

fn decides(decision: &Decision) -> String {
    let title = decision.title();
    let verb = match (decision.slot, decision.outcome) {
        (_, DecisionOutcome::Suppressed) => return format!("it suppresses {title}"),
        (Slot::Palette, DecisionOutcome::Included) => "adds",
        (Slot::Palette, DecisionOutcome::ConditionFalse) => "disables",
        (Slot::Palette, _) => "asks for",
        _ => return format!("it places {title}"),
    };
    format!("it {verb} {title}: {}", decision.reason())
}

const MOST_NAMES: usize = 8;

/// `it grants 45 tools that are in the palette: a, b and 43 more; 15 that are over budget: c, d and 13 more`
fn grants_many(decisions: &[&Decision]) -> String {
    let mut outcomes: IndexMap<&str, Vec<&str>> = IndexMap::new();
    let (included, others): (Vec<&Decision>, Vec<&Decision>) =
        decisions.iter().copied().partition(|decision| decision.outcome.is_in_use());
    // A shadowed copy belongs to a tool that is already listed.
    let others = others.into_iter().filter(|decision| decision.outcome != DecisionOutcome::Shadowed);
    for decision in included.into_iter().chain(others) {
        let what = if decision.outcome.is_in_use() { "in the palette" } else { decision.phrase() };
        outcomes.entry(what).or_default().push(&decision.name);
    }
    let mut parts = Vec::new();
    for (what, names) in outcomes {
        let number = if parts.is_empty() { count(names.len(), "tool") } else { thousands(names.len()) };
        let verb = if names.len() == 1 { "is" } else { "are" };
        let shown = names.iter().take(MOST_NAMES).copied().collect::<Vec<_>>().join(", ");
        let more = match names.len().saturating_sub(MOST_NAMES) {
            0 => String::new(),
            more => format!(" and {} more", thousands(more)),
        };
        parts.push(format!("{number} that {verb} {what}: {shown}{more}"));
    }
    format!("it grants {}", parts.join("; "))
}

/// The settings that lines of a file set, each with the place of its value in these lines.
fn settings<'p>(place: &FileLines, prompt: &'p Prompt) -> Vec<(&'p Span, LineReason)> {
    let here = |value: &'p SettingValue| value.by.span.as_ref().filter(|span| place.meets(span));
    let mut all = Vec::new();
    for setting in &prompt.settings {
        all.extend(here(&setting.set).map(|span| (span, in_effect(setting))));
        let overridden = setting.overrides.iter().filter_map(|value| Some((here(value)?, overridden(value, setting))));
        all.extend(overridden);
    }
    all
}

fn in_effect(Setting { name, is_used, set, overrides }: &Setting) -> LineReason {
    let mut why = format!("it sets {name} to {}", shown(&set.value));
    if !is_used {
        why += ", which no text or condition depends on";
        return LineReason { code: METADATA, why, at: set.by.span.clone() };
    }
    if !overrides.is_empty() {
        let values: Vec<_> = overrides.iter().map(|it| format!("{} in {}", shown(&it.value), it.by.by)).collect();
        why += &format!(", which overrides {}", values.join(" and "));
    }
    LineReason { code: "decides", why, at: set.by.span.clone() }
}

/// The place is that of the value that wins.
fn overridden(value: &SettingValue, Setting { name, set, .. }: &Setting) -> LineReason {
    let sets = format!("it sets {name} to {}", shown(&value.value));
    let why = match &set.by.span {
        Some(_) => format!("{sets}, but {} overrides it", shown(&set.value)),
        None => format!("{sets}, but {} overrides it with {}", set.by.by, shown(&set.value)),
    };
    LineReason { code: "shadowed", why, at: set.by.span.clone() }
}
