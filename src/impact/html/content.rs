//! What the page shows, as the values that its template takes.

use serde::Serialize;

use crate::diff::html::{Card, Cards, Room, Row, grown, grown_by, reused, sign, tokens, word};
use crate::diff::text::tools::what;
use crate::diff::{CachePlace, Change, ToolPair, View};
use crate::impact::details::Detail;
use crate::impact::text::hidden;
use crate::impact::{Affected, Cause, Changed, Failed, Impact, NamedChange, ToolChange, What};
use crate::layout::count;
use crate::page::text::{Note, line};
use crate::tokens::thousands;

/// The page.
#[derive(Serialize)]
pub struct Content {
    title: String,
    left: String,
    right: String,
    verdict: String,
    facts: Vec<String>,
    causes: Vec<Heading>,
    prompts: Vec<Prompt>,
    failures: Vec<Failure>,
}

/// A cause with the prompts that differ because of it.
#[derive(Serialize)]
struct Heading {
    name: String,
    path: Option<String>,
    said: Option<&'static str>,
    prompts: String,
    grown: Option<String>,
    rows: Vec<Entry>,
    /// The directive whose lines are shown.
    shown: Option<String>,
    cards: Vec<Card>,
}

/// A prompt below a cause.
#[derive(Serialize)]
struct Entry {
    /// The anchor of the prompt.
    target: String,
    name: String,
    /// What differs in it because of the cause.
    what: String,
    /// What differs besides layers.
    details: Vec<String>,
    grown: Option<String>,
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
    grown: Option<String>,
    rows: Vec<Row>,
    cache: Option<String>,
    /// Whether more counts as changed than is.
    coarse: bool,
}

/// A directive that cannot be rendered.
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

impl Content {
    /// The page about a change.
    pub fn new(impact: &Impact, view: &View) -> Self {
        let mut room = Room::default();
        let (left, right) = (line(&impact.title.left), line(&impact.title.right));
        let changed = impact.changed.len();
        let are = if changed == 1 { "changes" } else { "change" };
        let change = match changed {
            0 => format!("No prompt of {} changes", thousands(impact.directives)),
            _ => format!("{} of {} {are}", thousands(changed), count(impact.directives, "prompt")),
        };
        let verdict = [Some(change), hidden(impact)].into_iter().flatten().collect::<Vec<_>>().join("; ");
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

/// The numbers of the prompts that change.
fn facts(impact: &Impact) -> Vec<String> {
    let grown = grown_by(impact.tokens).map_or_else(|| ", as before".to_string(), |grown| format!(" ({grown})"));
    let cost = (!impact.changed.is_empty()).then(|| format!("{}{grown}", tokens(impact.tokens)));
    let mut facts: Vec<String> = cost.into_iter().collect();
    let number = |change| impact.changed.iter().filter(|prompt| prompt.change == change).count();
    let numbers = [(number(Change::Added), "added"), (number(Change::Removed), "removed")];
    facts.extend(numbers.iter().filter(|(number, _)| *number > 0).map(|(n, word)| format!("{} {word}", thousands(*n))));
    facts.push(count(impact.causes.len(), "cause"));
    if !impact.failed.is_empty() {
        facts.push(format!("{} cannot be rendered", thousands(impact.failed.len())));
    }
    facts
}

impl Heading {
    fn new((index, cause): (usize, &Cause), impact: &Impact, view: &View, room: &mut Room) -> Self {
        let (name, path, said) = match &cause.what {
            What::File { tier, path, id, is_there } => {
                let path = line(&format!("{tier} {path}"));
                let said = match is_there {
                    (false, true) => Some("added"),
                    (true, false) => Some("removed"),
                    _ => None,
                };
                match id {
                    Some(id) => (line(id), Some(path), said),
                    None => (path, None, said),
                }
            }
            What::Settings { path } => (line(path), None, Some("other example inputs, or another protocol")),
            What::Arguments => ("arguments".to_string(), None, Some("another protocol, model or input")),
        };
        let affected = |one: &Affected| Some((impact.changed.get(one.prompt)?, one.prompt));
        let entry = |one: &Affected| affected(one).map(|(prompt, at)| Entry::new(one, prompt, at));
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
            said,
            prompts: count(cause.prompts.len(), "prompt"),
            grown: grown(cause.grown()),
            rows: cause.prompts.iter().filter_map(entry).collect(),
            shown: cause.shown.as_ref().and_then(|it| impact.changed.get(it.prompt)).map(|prompt| line(&prompt.id)),
        }
    }
}

impl Entry {
    fn new(affected: &Affected, prompt: &Changed, index: usize) -> Self {
        let share = &affected.share;
        let is_there = !prompt.is_on_one_side();
        let layers: Vec<_> =
            share.layers.iter().filter_map(|&at| prompt.layers.get(at)).map(|layer| line(&layer.title)).collect();
        Self {
            target: format!("P{index}"),
            name: line(&prompt.id),
            what: if is_there { layers.join(", ") } else { format!("the prompt is {}", prompt.change.into_str()) },
            details: Detail::all(prompt, share).iter().map(detail).collect(),
            grown: grown(share.grown()),
            reused: if is_there { reused(&prompt.cache) } else { String::new() },
        }
    }
}

fn detail(detail: &Detail) -> String {
    let kind = if matches!(detail, Detail::Tool(_)) { "tool " } else { "" };
    let name = detail.name().map(|name| format!("{kind}{}: ", line(&name))).unwrap_or_default();
    format!("{name}{}", line(&detail.how()))
}

impl Prompt {
    fn new((index, changed): (usize, &Changed)) -> Self {
        let layers = changed.layers.iter().map(|layer| {
            let said = |tokens, is_there: bool| is_there.then(|| count(tokens, "token"));
            Row::new(
                &format!("{} · {}", layer.role, word(layer.change)),
                &layer.title,
                said(layer.tokens.left, layer.change != Change::Added),
                said(layer.tokens.right, layer.change != Change::Removed),
            )
        });
        let named = |group: &'static str| {
            move |change: &NamedChange| {
                let [left, right] = [&change.state.left, &change.state.right].map(|it| it.as_deref().map(line));
                Row::new(group, &change.name, left, right)
            }
        };
        let tool = |tool: &ToolChange| {
            let ToolPair { index, tokens, .. } = &tool.compared;
            let said = |tokens, is_there: bool| is_there.then(|| count(tokens, "token"));
            Row::new(
                &format!("tool · {}", what(&tool.compared)),
                &tool.name,
                said(tokens.left, index.left.is_some()),
                said(tokens.right, index.right.is_some()),
            )
        };
        let other = |name: &str| Row::new("", name, Some("one".to_string()), Some("another".to_string()));
        let chain = changed.chain.then(|| other("chain"));
        let rows = layers
            .chain(changed.tools.iter().map(tool))
            .chain(changed.fields.iter().map(Row::field))
            .chain(changed.decisions.iter().map(named("decision")))
            .chain(chain)
            .chain(changed.between.then(|| other("between layers")))
            .chain(changed.tool_order.then(|| other("order of the tools")));
        Self {
            id: format!("P{index}"),
            class: changed.change.into_str(),
            sign: sign(changed.change),
            word: word(changed.change),
            name: line(&changed.id),
            tokens: tokens(changed.tokens),
            grown: grown(changed.tokens),
            rows: rows.collect(),
            cache: cache(changed),
            coarse: changed.is_coarse,
        }
    }
}

/// What of the cached prompt can be used again, and what ends that.
fn cache(changed: &Changed) -> Option<String> {
    if matches!(changed.change, Change::Added | Change::Removed) {
        return None;
    }
    let ends = match changed.cache.breaks_at.as_ref() {
        None => String::new(),
        Some(CachePlace::Tool(name)) => format!(", up to the tool {}", line(name)),
        Some(CachePlace::Message { pair, .. }) => match pair.and_then(|at| changed.layers.get(at)) {
            Some(layer) => format!(", up to {}", line(&layer.title)),
            None => ", up to what stands between two layers".to_string(),
        },
    };
    Some(format!("Of the cached prefix {} can be used again{ends}.", reused(&changed.cache)))
}

impl Failure {
    fn new(failed: &Failed) -> Self {
        let side = |word, errors: &[_]| FailedSide { word, notes: errors.iter().map(Note::new).collect() };
        let sides = [side("before", &failed.errors.left), side("now", &failed.errors.right)];
        Self { name: line(&failed.id), sides: sides.into_iter().filter(|side| !side.notes.is_empty()).collect() }
    }
}
