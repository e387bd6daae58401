//! The impact as a page: its causes with their prompts, and the directives that cannot be rendered.

use std::io;

use minijinja::value::Serde;
use minijinja::{Value, context};

use super::rows::PromptRow;
use super::{Cause, ChangedPrompt, Failed, Impact};
use crate::answer::diff::html::{Cards, PARTS, PageRoom, SCRIPT, STYLE, change_and_tokens, field, value_row};
use crate::answer::diff::summary::{cache_sentence, capitalized, phrase, reuse_in_short, signed, signed_tokens};
use crate::answer::diff::{CachePlace, Change, DiffView, Pair};
use crate::diagnostic::Diagnostic;
use crate::text::numbers::{count, count_if_known, thousands};
use crate::write::page::Page;
use crate::write::page::text::Note;

const PAGE: Page = Page {
    template: include_str!("html/page.html"),
    parts: PARTS,
    styles: &[STYLE, include_str!("html/page.css")],
    script: SCRIPT,
};

pub fn write(impact: &Impact, view: &DiffView, out: &mut dyn io::Write) -> io::Result<()> {
    PAGE.write(&content(impact, view), out)
}

fn content(impact: &Impact, view: &DiffView) -> Value {
    let mut room = PageRoom::default();
    let Pair { left, right } = &impact.title;
    let verdict = impact.verdict();
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
        failures => impact.failed.iter().map(|it| failure(it, impact)).collect::<Vec<_>>(),
    }
}

fn facts(impact: &Impact) -> Vec<String> {
    let number = |change| impact.changed.iter().filter(|prompt| prompt.change == change).count();
    let numbers = [Change::Added, Change::Removed].map(|change| (number(change), change.into_str()));
    let numbers = numbers.into_iter().filter(|(number, _)| *number > 0);
    let numbers = numbers.map(|(number, word)| format!("{} {word}", thousands(number)));
    let causes = [count(impact.causes.len(), "cause")];
    impact
        .cost()
        .into_iter()
        .chain(numbers)
        .chain(causes)
        .chain(impact.failures())
        .chain(impact.agents(&str::to_string))
        .chain(impact.not_compared())
        .collect()
}

/// A cause with its prompts.
fn cause(index: usize, cause: &Cause, impact: &Impact, view: &DiffView, room: &mut PageRoom) -> Value {
    let cards = cause.shown.iter().flat_map(|shown| {
        let cards = Cards::of(&shown.difference, view.context, format!("C{index}-"));
        let mut all: Vec<_> = shown.layers.iter().map(|&pair| cards.layer(pair, room)).collect();
        all.extend(shown.tools.iter().map(|&pair| cards.tool(pair, room)));
        all.into_iter().flatten()
    });
    context! {
        cards => cards.collect::<Vec<_>>(),
        name => cause.what.name(),
        path => cause.what.place(),
        note => cause.what.note(),
        prompts => count(cause.prompts.len(), "prompt"),
        grown => signed(cause.grown()),
        tokens => signed_tokens(cause.grown()),
        rows => PromptRow::all(cause, impact).map(row).collect::<Vec<_>>(),
        shown => cause.shown.as_ref().and_then(|it| impact.changed.get(it.prompt)).map(|prompt| &prompt.id),
    }
}

fn row(row: PromptRow) -> Value {
    context! {
        target => format!("P{}", row.prompt),
        name => row.id,
        what => row.what,
        details => row.details.iter().map(|it| it.sentence(str::to_string)).collect::<Vec<_>>(),
        tokens => row.tokens,
        cache => row.cache.map(|cache| reuse_in_short(cache, true)),
    }
}

/// Everything that differs in a prompt.
fn prompt((index, changed): (usize, &ChangedPrompt)) -> Value {
    let size = |tokens| count_if_known(tokens, "token");
    let sizes_of = |tokens: Pair<Option<usize>>, change: Change| Pair {
        left: (change != Change::Added).then(|| size(tokens.left)),
        right: (change != Change::Removed).then(|| size(tokens.right)),
    };
    let layers = changed.layers.iter().map(|layer| {
        let group = format!("{} · {}", layer.role, phrase(layer.change));
        value_row(&group, &layer.title, sizes_of(layer.tokens, layer.change))
    });
    let tools = changed.tools.iter();
    let tools = tools.map(|tool| {
        value_row(&format!("tool · {}", tool.what), &tool.name, sizes_of(tool.tokens.map(Some), tool.change))
    });
    let decisions = changed.decisions.iter();
    let decisions = decisions.map(|decision| value_row("decision", &decision.name, decision.shown().map(Some)));
    let unnamed = [(changed.chain, "chain"), (changed.between, "between layers"), (changed.tool_order, "tool order")];
    let unnamed = unnamed
        .into_iter()
        .filter(|(differs, _)| *differs)
        .map(|(_, name)| value_row("", name, Pair { left: Some("old".to_string()), right: Some("new".to_string()) }));
    let fields = changed.fields.iter().map(field);
    context! {
        id => format!("P{index}"),
        name => &changed.id,
        rows => layers.chain(tools).chain(fields).chain(decisions).chain(unnamed).collect::<Vec<_>>(),
        cache => cache(changed),
        coarse => changed.is_coarse,
        ..change_and_tokens(changed.change, changed.tokens)
    }
}

/// How much of the cached prompt can be reused, and what ends the reusable prefix.
fn cache(changed: &ChangedPrompt) -> Option<String> {
    let broken_by = |place: &CachePlace| match place {
        CachePlace::Tool { name } => format!("tool {name}"),
        CachePlace::Message { pair, .. } => match pair.and_then(|at| changed.layers.get(at)) {
            Some(layer) => format!("{} · {}", layer.role, layer.title),
            None => "text between layers".to_string(),
        },
    };
    let sentence = || capitalized(&cache_sentence(&changed.cache, changed.cache.breaks_at.as_ref().map(broken_by)));
    (!changed.is_on_one_side()).then(sentence)
}

fn failure(failed: &Failed, impact: &Impact) -> Value {
    let side = |(title, errors): (&String, &Vec<Diagnostic>)| {
        let notes: Vec<_> = errors.iter().map(Note::new).collect();
        (!notes.is_empty()).then(|| context! { title, notes => Value::from(Serde(notes)) })
    };
    let sides = impact.title.as_ref().zip(failed.errors.as_ref()).into_array().into_iter().filter_map(side);
    context! { name => &failed.id, sides => sides.collect::<Vec<_>>() }
}

#[cfg(test)]
mod tests;
