//! The values of the template.

use serde::Serialize;

use crate::diff::html::{Card, Cards, PageRoom, ValueRow, grown, sign};
use crate::diff::summary::{phrase, reuse_in_short, sizes};
use crate::diff::{CachePlace, Change, DiffView, Pair};
use crate::impact::details::Detail;
use crate::impact::text::{cost, verdict};
use crate::impact::{Affected, Cause, CauseKind, ChangedPrompt, Failed, Impact};
use crate::layout::count;
use crate::page::text::{Note, line};
use crate::tokens::thousands;

#[derive(Serialize)]
pub struct ImpactPage {
    title: String,
    left: String,
    right: String,
    verdict: String,
    facts: Vec<String>,
    causes: Vec<Heading>,
    prompts: Vec<Prompt>,
    failures: Vec<Failure>,
}

/// A cause with its prompts.
#[derive(Serialize)]
struct Heading {
    name: String,
    path: Option<String>,
    /// What happened to the file, or a sentence.
    note: Option<&'static str>,
    prompts: String,
    grown: String,
    rows: Vec<PromptRow>,
    /// The directive whose lines are shown.
    shown: Option<String>,
    cards: Vec<Card>,
}

#[derive(Serialize)]
struct PromptRow {
    /// The anchor of the prompt.
    target: String,
    name: String,
    /// The layers that differ because of the cause.
    what: String,
    details: Vec<String>,
    grown: String,
    reused: String,
}

/// All that differs in a prompt.
#[derive(Serialize)]
struct Prompt {
    id: String,
    class: &'static str,
    sign: &'static str,
    word: &'static str,
    name: String,
    tokens: String,
    grown: String,
    rows: Vec<ValueRow>,
    cache: Option<String>,
    coarse: bool,
}

#[derive(Serialize)]
struct Failure {
    name: String,
    sides: Vec<FailedSide>,
}

#[derive(Serialize)]
struct FailedSide {
    word: &'static str,
    notes: Vec<Note>,
}

impl ImpactPage {
    pub fn new(impact: &Impact, view: &DiffView) -> Self {
        let mut room = PageRoom::default();
        let [left, right] = impact.title.as_ref().map(|title| line(title)).into_array();
        let verdict = verdict(impact);
        Self {
            title: format!("{verdict} · {left} → {right}"),
            left,
            right,
            verdict,
            facts: facts(impact),
            causes: impact.causes.iter().enumerate().map(|it| Heading::new(it, impact, view, &mut room)).collect(),
            prompts: impact.changed.iter().enumerate().map(Prompt::new).collect(),
            failures: impact.failed.iter().map(Failure::new).collect(),
        }
    }
}

fn facts(impact: &Impact) -> Vec<String> {
    let mut facts: Vec<String> = cost(impact).into_iter().collect();
    let number = |change| impact.changed.iter().filter(|prompt| prompt.change == change).count();
    let numbers = [Change::Added, Change::Removed].map(|change| (number(change), change.into_str()));
    facts.extend(numbers.iter().filter(|(number, _)| *number > 0).map(|(n, word)| format!("{} {word}", thousands(*n))));
    facts.push(count(impact.causes.len(), "cause"));
    if !impact.failed.is_empty() {
        facts.push(format!("{} cannot be rendered", thousands(impact.failed.len())));
    }
    facts
}

impl Heading {
    fn new((index, cause): (usize, &Cause), impact: &Impact, view: &DiffView, room: &mut PageRoom) -> Self {
        let (name, path) = match &cause.what {
            CauseKind::File { tier, path, id: Some(id), .. } => (line(id), Some(line(&format!("{tier} {path}")))),
            CauseKind::File { tier, path, id: None, .. } => (line(&format!("{tier} {path}")), None),
            CauseKind::Settings { path } => (line(path), None),
            CauseKind::Arguments => ("arguments".to_string(), None),
        };
        let affected = |one: &Affected| Some((impact.changed.get(one.prompt)?, one.prompt));
        let entry = |one: &Affected| affected(one).map(|(prompt, at)| PromptRow::new(one, prompt, at));
        let cards = cause.shown.iter().flat_map(|shown| {
            let cards = Cards::of(&shown.difference, view.context);
            let mut all: Vec<_> = shown.layers.iter().map(|&pair| cards.layer(pair, room)).collect();
            all.extend(shown.tools.iter().map(|&pair| cards.tool(pair, room)));
            all.into_iter().flatten().map(|mut card| {
                card.id = format!("C{index}-{}", card.id);
                card
            })
        });
        Self {
            cards: cards.collect(),
            name,
            path,
            note: cause.what.added_or_removed().map(|change| change.into_str()).or(cause.what.sentence()),
            prompts: count(cause.prompts.len(), "prompt"),
            grown: grown(cause.grown()),
            rows: cause.prompts.iter().filter_map(entry).collect(),
            shown: cause.shown.as_ref().and_then(|it| impact.changed.get(it.prompt)).map(|prompt| line(&prompt.id)),
        }
    }
}

impl PromptRow {
    fn new(affected: &Affected, prompt: &ChangedPrompt, index: usize) -> Self {
        let share = &affected.share;
        let is_there = !prompt.is_on_one_side();
        let layers: Vec<_> =
            share.layers.iter().filter_map(|&at| prompt.layers.get(at)).map(|layer| line(&layer.title)).collect();
        Self {
            target: format!("P{index}"),
            name: line(&prompt.id),
            what: if is_there { layers.join(", ") } else { format!("the prompt was {}", prompt.change.into_str()) },
            details: Detail::all(prompt, share).iter().map(detail).collect(),
            grown: grown(share.grown()),
            reused: if is_there { reuse_in_short(&prompt.cache, true) } else { String::new() },
        }
    }
}

fn detail(detail: &Detail) -> String {
    let kind = if matches!(detail, Detail::Tool(_)) { "tool " } else { "" };
    let name = detail.name().map(|name| format!("{kind}{}: ", line(&name))).unwrap_or_default();
    format!("{name}{}", line(&detail.change()))
}

impl Prompt {
    fn new((index, changed): (usize, &ChangedPrompt)) -> Self {
        let sizes_of = |tokens: Pair<usize>, change: Change| Pair {
            left: (change != Change::Added).then(|| count(tokens.left, "token")),
            right: (change != Change::Removed).then(|| count(tokens.right, "token")),
        };
        let layers = changed.layers.iter().map(|layer| {
            let group = format!("{} · {}", layer.role, phrase(layer.change));
            ValueRow::new(&group, &layer.title, sizes_of(layer.tokens, layer.change))
        });
        let tools = changed.tools.iter().map(|tool| {
            ValueRow::new(&format!("tool · {}", tool.what), &tool.name, sizes_of(tool.tokens, tool.change))
        });
        let decisions = changed.decisions.iter().map(|decision| {
            let outcome = decision.outcome.as_ref().map(|outcome| outcome.as_deref().map(line));
            ValueRow::new("decision", &decision.name, outcome)
        });
        let unnamed =
            [(changed.chain, "chain"), (changed.between, "between layers"), (changed.tool_order, "tool order")];
        let unnamed = unnamed.into_iter().filter(|(differs, _)| *differs).map(|(_, name)| {
            ValueRow::new("", name, Pair { left: Some("old".to_string()), right: Some("new".to_string()) })
        });
        let fields = changed.fields.iter().map(ValueRow::field);
        let rows = layers.chain(tools).chain(fields).chain(decisions).chain(unnamed);
        Self {
            id: format!("P{index}"),
            class: changed.change.into_str(),
            sign: sign(changed.change),
            word: phrase(changed.change),
            name: line(&changed.id),
            tokens: sizes(changed.tokens),
            grown: grown(changed.tokens),
            rows: rows.collect(),
            cache: cache(changed),
            coarse: changed.is_coarse,
        }
    }
}

/// What of the cached prompt can be reused, and what ends that.
fn cache(changed: &ChangedPrompt) -> Option<String> {
    if changed.is_on_one_side() {
        return None;
    }
    let ends = match changed.cache.breaks_at.as_ref() {
        None => String::new(),
        Some(CachePlace::Tool { name }) => format!(", up to tool {}", line(name)),
        Some(CachePlace::Message { pair, .. }) => match pair.and_then(|at| changed.layers.get(at)) {
            Some(layer) => format!(", up to {}", line(&layer.title)),
            None => ", up to text between layers".to_string(),
        },
    };
    Some(format!("Reusable from the cache: {}{ends}.", reuse_in_short(&changed.cache, true)))
}

impl Failure {
    fn new(failed: &Failed) -> Self {
        let side = |word, errors: &[_]| FailedSide { word, notes: errors.iter().map(Note::new).collect() };
        let sides = [side("before", &failed.errors.left), side("now", &failed.errors.right)];
        Self { name: line(&failed.id), sides: sides.into_iter().filter(|side| !side.notes.is_empty()).collect() }
    }
}
