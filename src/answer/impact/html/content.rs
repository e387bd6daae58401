//! The values of the template.

use minijinja::value::Serde;
use minijinja::{Value, context};

use crate::answer::diff::html::{Cards, PageRoom, change_and_tokens, field, grown, value_row};
use crate::answer::diff::summary::{is_too_short, phrase, prefix_in_short, reuse_in_short};
use crate::answer::diff::{CachePlace, Change, DiffView, Pair};
use crate::answer::impact::details::Detail;
use crate::answer::impact::text::{cost, verdict};
use crate::answer::impact::{Affected, Cause, CauseKind, ChangedPrompt, Failed, Impact};
use crate::diagnostic::Diagnostic;
use crate::text::numbers::count;
use crate::text::numbers::thousands;
use crate::write::page::text::{Note, line};

pub fn content(impact: &Impact, view: &DiffView) -> Value {
    let mut room = PageRoom::default();
    let [left, right] = impact.title.as_ref().map(|title| line(title)).into_array();
    let verdict = verdict(impact);
    let causes = impact.causes.iter().enumerate().map(|(index, it)| cause(index, it, impact, view, &mut room));
    context! {
        title => format!("{verdict} · {left} → {right}"),
        left,
        right,
        verdict,
        facts => facts(impact),
        hidden => impact.hidden_values().sentence(),
        causes => causes.collect::<Vec<_>>(),
        prompts => impact.changed.iter().enumerate().map(prompt).collect::<Vec<_>>(),
        failures => impact.failed.iter().map(failure).collect::<Vec<_>>(),
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

/// A cause with its prompts.
fn cause(index: usize, cause: &Cause, impact: &Impact, view: &DiffView, room: &mut PageRoom) -> Value {
    let (name, path) = match &cause.what {
        CauseKind::File { tier, path, id: Some(id), .. } => (line(id), Some(line(&format!("{tier} {path}")))),
        CauseKind::File { tier, path, id: None, .. } => (line(&format!("{tier} {path}")), None),
        CauseKind::Settings { path } => (line(path), None),
        CauseKind::Arguments => ("arguments".to_string(), None),
    };
    let cards = cause.shown.iter().flat_map(|shown| {
        let cards = Cards::of(&shown.difference, view.context, format!("C{index}-"));
        let mut all: Vec<_> = shown.layers.iter().map(|&pair| cards.layer(pair, room)).collect();
        all.extend(shown.tools.iter().map(|&pair| cards.tool(pair, room)));
        all.into_iter().flatten()
    });
    let shown = cause.shown.as_ref().and_then(|it| impact.changed.get(it.prompt)).map(|prompt| line(&prompt.id));
    context! {
        cards => cards.collect::<Vec<_>>(),
        name,
        path,
        note => cause.what.added_or_removed().map(|change| change.into_str()).or(cause.what.sentence()),
        prompts => count(cause.prompts.len(), "prompt"),
        grown => grown(cause.grown()),
        rows => cause.prompts.iter().filter_map(|affected| row(affected, impact)).collect::<Vec<_>>(),
        shown,
    }
}

/// A prompt of a cause, with the layers that differ because of it.
fn row(Affected { prompt, share }: &Affected, impact: &Impact) -> Option<Value> {
    let changed = impact.changed.get(*prompt)?;
    let is_there = !changed.is_on_one_side();
    let layers: Vec<_> =
        share.layers.iter().filter_map(|&at| changed.layers.get(at)).map(|layer| line(&layer.title)).collect();
    Some(context! {
        target => format!("P{prompt}"),
        name => line(&changed.id),
        what => if is_there { layers.join(", ") } else { format!("the prompt was {}", changed.change.into_str()) },
        details => Detail::all(changed, share).iter().map(detail).collect::<Vec<_>>(),
        grown => grown(share.grown()),
        reused => if is_there { reuse_in_short(&changed.cache, true) } else { String::new() },
    })
}

fn detail(detail: &Detail) -> String {
    let kind = if matches!(detail, Detail::Tool(_)) { "tool " } else { "" };
    let name = detail.name().map(|name| format!("{kind}{}: ", line(&name))).unwrap_or_default();
    format!("{name}{}", line(&detail.change()))
}

/// Everything that differs in a prompt.
fn prompt((index, changed): (usize, &ChangedPrompt)) -> Value {
    let sizes_of = |tokens: Pair<usize>, change: Change| Pair {
        left: (change != Change::Added).then(|| count(tokens.left, "token")),
        right: (change != Change::Removed).then(|| count(tokens.right, "token")),
    };
    let layers = changed.layers.iter().map(|layer| {
        let group = format!("{} · {}", layer.role, phrase(layer.change));
        value_row(&group, &layer.title, sizes_of(layer.tokens, layer.change))
    });
    let tools = changed.tools.iter();
    let tools =
        tools.map(|tool| value_row(&format!("tool · {}", tool.what), &tool.name, sizes_of(tool.tokens, tool.change)));
    let decisions = changed.decisions.iter().map(|decision| {
        let outcome = decision.outcome.as_ref().map(|outcome| outcome.as_deref().map(line));
        value_row("decision", &decision.name, outcome)
    });
    let unnamed = [(changed.chain, "chain"), (changed.between, "between layers"), (changed.tool_order, "tool order")];
    let unnamed = unnamed
        .into_iter()
        .filter(|(differs, _)| *differs)
        .map(|(_, name)| value_row("", name, Pair { left: Some("old".to_string()), right: Some("new".to_string()) }));
    let fields = changed.fields.iter().map(field);
    context! {
        id => format!("P{index}"),
        name => line(&changed.id),
        rows => layers.chain(tools).chain(fields).chain(decisions).chain(unnamed).collect::<Vec<_>>(),
        cache => cache(changed),
        coarse => changed.is_coarse,
        ..change_and_tokens(changed.change, changed.tokens)
    }
}

/// How much of the cached prompt can be reused, and what ends the reusable prefix.
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
    let tokens = count(changed.cache.shared_tokens, "token");
    let reuse = match (changed.cache.is_reusable, is_too_short(&changed.cache)) {
        (true, _) => format!("; {tokens} can be reused"),
        (false, true) => "; too short to reuse".to_string(),
        (false, false) => String::new(),
    };
    Some(format!("Prefix: {}{ends}{reuse}.", prefix_in_short(&changed.cache, true)))
}

fn failure(failed: &Failed) -> Value {
    let side = |(word, errors): (&str, &[Diagnostic])| {
        let notes: Vec<_> = errors.iter().map(Note::new).collect();
        context! { word, notes => Value::from(Serde(notes)) }
    };
    let sides = [("before", &*failed.errors.left), ("now", &*failed.errors.right)];
    let sides = sides.into_iter().filter(|(_, errors)| !errors.is_empty()).map(side);
    context! { name => line(&failed.id), sides => sides.collect::<Vec<_>>() }
}
