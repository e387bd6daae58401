//! The plan and the messages as an HTML page: every layer with its origin.

mod message;
mod plan;

use std::collections::BTreeSet;
use std::io;

use minijinja::value::Serde;
use minijinja::{Value, context};

use super::ExplainView;
use super::inputs::{HiddenValues, OutsideValues, ValuePlaces};
use super::plan::Plan;
use crate::prompt::{ChainMember, Declared, PartTrust, Prompt, PromptInput, PromptTrust, RepositoryOnly, ToolEntry};
use crate::read::value::{python_str, to_json};
use crate::text::numbers::count;
use crate::write::layout::share;
use crate::write::page::Page;
use crate::write::page::text::Note;

const PAGE: Page = Page {
    template: include_str!("page.html"),
    parts: &[],
    styles: &[include_str!("page.css")],
    script: include_str!("page.js"),
};

/// Above this size in bytes, a browser lays out only what is in view.
const LONG: usize = 200_000;

pub fn write(prompt: &Prompt, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    PAGE.write(&content(prompt, &Plan::new(prompt, view.tokenizer), view), out)
}

fn content(prompt: &Prompt, plan: &Plan, view: &ExplainView) -> Value {
    let name = prompt.subject.name();
    let (sections, layers) = plan::sections_and_layers(prompt, plan, view);
    let trust_of = |at: usize| prompt.trust.as_ref()?.tools.get(at)?.as_ref();
    let tools = prompt.tools.iter().enumerate().map(|(at, tool)| self::tool(tool, trust_of(at), view));
    let notes: Vec<_> = prompt.diagnostics.iter().map(Note::new).collect();
    context! {
        title => format!("{name} · prompt"),
        name,
        hidden => HiddenValues::of(prompt).sentence(),
        what_if => &prompt.what_if,
        repository => prompt.repository.as_ref().map(repository),
        facts => facts(prompt, plan, view),
        weakest => prompt.trust.as_ref().and_then(PromptTrust::weakest).map(weakest),
        sections,
        shares => plan::shares(prompt, plan),
        shares_text => shares_in_words(plan),
        layers,
        is_long => prompt.messages.iter().map(|message| message.text().len()).sum::<usize>() > LONG,
        messages => message::messages(prompt, view, plan),
        tools => tools.collect::<Vec<_>>(),
        budget => prompt.budget.map(|budget| budget.to_string()),
        inputs => inputs(prompt),
        chain => prompt.chain.iter().map(member).collect::<Vec<_>>(),
        notes => Value::from(Serde(notes)),
    }
}

/// What a repository alone hides from its readers.
fn repository(repository: &RepositoryOnly) -> Value {
    let hidden = repository.hidden.iter().map(|hidden| {
        context! { place => repository.place(hidden), what => hidden.sentence(), text => &hidden.text }
    });
    let waits = repository.waits().map(|(path, clause)| context! { path, clause });
    context! {
        title => repository.title(),
        hidden => hidden.collect::<Vec<_>>(),
        rest => repository.rest(),
        waiting => repository.waiting_title(),
        waits => waits.collect::<Vec<_>>(),
    }
}

fn facts(prompt: &Prompt, plan: &Plan, view: &ExplainView) -> Vec<String> {
    let mut facts = vec![
        prompt.protocol.clone(),
        format!("model {}", prompt.model.effective),
        count(plan.size.tokens, "token"),
        format!("{} of them overhead", share(plan.overhead.tokens, plan.size.tokens)),
        count(prompt.messages.len(), "message"),
        count(prompt.tools.len(), "tool"),
    ];
    if let Some(installed) = prompt.installed_phrase() {
        facts.insert(1, installed);
    }
    if let Some(window) = view.window {
        facts.push(format!("{} of a window of {}", share(plan.size.tokens, window), count(window, "token")));
    }
    facts
}

fn weakest(part: &PartTrust) -> String {
    format!("{}, {}, {}", part.title, part.trust.phrase(), part.at.file_line())
}

fn shares_in_words(plan: &Plan) -> String {
    let sent = plan.sections.iter().filter(|section| section.is_sent());
    let shares = sent.map(|section| format!("{} {}", section.name, section.size.share(plan.size.tokens)));
    format!("Tokens: {}", shares.collect::<Vec<_>>().join(" · "))
}

fn tool(tool: &ToolEntry, trust: Option<&PartTrust>, view: &ExplainView) -> Value {
    let file = tool.source.as_ref().map(ToString::to_string);
    let schema = serde_json::to_string_pretty(&to_json(&tool.input_schema)).unwrap_or_default();
    context! {
        name => &tool.name,
        call => format!("{} {}", tool.primary, tool.item_id),
        from => file.unwrap_or_else(|| "made from the outputs".to_string()),
        trust => trust.map(|part| part.trust.phrase()),
        tokens => count(view.tokenizer.count(&tool.text()), "token"),
        description => &tool.description,
        schema,
    }
}

/// The inputs that have a value, each with the numbers of the layers that hold it.
fn inputs(prompt: &Prompt) -> Vec<Value> {
    let inputs = OutsideValues::new(prompt).inputs.into_iter();
    let input = |input: ValuePlaces| {
        let PromptInput { name, value, from, default_span } = input.given?;
        let place = default_span.as_ref().map_or_else(String::new, |span| format!(", {}", span.file_line()));
        let layers: BTreeSet<usize> = input.places.iter().filter_map(|place| Some(place.layer? + 1)).collect();
        Some(context! {
            name,
            value => python_str(value),
            from => format!("{}{place}", from.into_str()),
            layers => layers.into_iter().collect::<Vec<_>>(),
        })
    };
    inputs.filter_map(input).collect()
}

fn member(member: &ChainMember) -> Value {
    context! {
        name => &member.id,
        from => member.source.to_string(),
        parent => member.extends.as_ref().map(Declared::place),
    }
}

#[cfg(test)]
mod tests;
