//! What the page shows, as the values that its template takes.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;

use super::message::{Text, of};
use super::plan::{Card, Section, Share, Shown};
use super::words;
use crate::explain::View;
use crate::explain::inputs::hidden;
use crate::explain::plan::{About, Plan};
use crate::layout::count;
use crate::page::text::{self, Note};
use crate::prompt::{ChainMember, Input, Prompt, ToolEntry};
use crate::text::Origin;
use crate::text::visible::visible;
use crate::trust::{PartTrust, PromptTrust};
use crate::value::{python_str, to_json};

/// Above so many bytes, a browser draws only what is in sight.
const LONG: usize = 200_000;

#[derive(Serialize)]
pub struct Content {
    title: String,
    name: String,
    hidden: Option<String>,
    /// The flags that make it another prompt than the one of the files.
    what_if: Vec<String>,
    facts: Vec<String>,
    weakest: Option<String>,
    sections: Vec<Section>,
    shares: Vec<Share>,
    shares_text: String,
    layers: Vec<Card>,
    /// Whether drawing all of it at once takes a while.
    is_long: bool,
    messages: Vec<Text>,
    tools: Vec<Tool>,
    budget: Option<String>,
    inputs: Vec<Given>,
    chain: Vec<Member>,
    notes: Vec<Note>,
}

#[derive(Serialize)]
struct Tool {
    name: String,
    call: String,
    from: String,
    trust: Option<String>,
    tokens: String,
    description: String,
    schema: String,
}

#[derive(Serialize)]
struct Given {
    name: String,
    value: String,
    from: String,
    layers: BTreeSet<usize>,
}

#[derive(Serialize)]
struct Member {
    name: String,
    from: String,
    parent: Option<String>,
}

impl Content {
    pub fn new(prompt: &Prompt, plan: &Plan, view: &View) -> Self {
        let Shown { sections, shares, layers } = Shown::new(prompt, plan, view);
        let mut tokens = vec![0; prompt.messages.len()];
        for section in &plan.sections {
            if let About::Message(Some(at), _) = section.about {
                tokens[at] = section.tokens;
            }
        }
        let name = text::line(prompt.subject.name());
        Self {
            title: format!("{name} · prompt"),
            name,
            hidden: hidden(prompt),
            what_if: prompt.what_if.iter().map(|flag| text::line(flag)).collect(),
            facts: facts(prompt, plan, view),
            weakest: prompt.trust.as_ref().and_then(PromptTrust::weakest).map(weakest),
            shares_text: in_words(plan),
            sections,
            shares,
            layers,
            is_long: prompt.messages.iter().map(|message| message.text().len()).sum::<usize>() > LONG,
            messages: Text::all(prompt, view, &tokens, plan.tokens),
            tools: prompt
                .tools
                .iter()
                .enumerate()
                .map(|(at, tool)| Tool::new(tool, trust_of_tool(prompt, at), view))
                .collect(),
            budget: prompt.budget.map(|budget| of(budget.used, budget.limit, "token")),
            inputs: inputs(prompt),
            chain: prompt.chain.iter().map(Member::new).collect(),
            notes: prompt.diagnostics.iter().map(Note::new).collect(),
        }
    }
}

fn facts(prompt: &Prompt, plan: &Plan, view: &View) -> Vec<String> {
    let mut facts = vec![
        text::line(&prompt.protocol),
        format!("model {}", text::line(&prompt.model.effective)),
        count(plan.tokens, "token"),
        format!("{} of them overhead", words::percent(plan.overhead, plan.tokens)),
        count(prompt.messages.len(), "message"),
        count(prompt.tools.len(), "tool"),
    ];
    if let Some(window) = view.window.and_then(|window| usize::try_from(window).ok()) {
        facts.push(format!("{} of a window of {}", words::percent(plan.tokens, window), count(window, "token")));
    }
    facts
}

fn weakest(part: &PartTrust) -> String {
    let (title, phrase) = (text::line(&part.title), text::line(&part.trust.phrase()));
    format!("{title}, {phrase}, {}", text::place(&part.at))
}

/// What is known of the signature of a tool; none where it was not checked, and of what no file declares.
fn trust_of_tool(prompt: &Prompt, at: usize) -> Option<&PartTrust> {
    prompt.trust.as_ref()?.tools.get(at)?.as_ref()
}

fn in_words(plan: &Plan) -> String {
    let share = |about, tokens| {
        let name = match about {
            About::Chain | About::Message(None, _) => return None,
            About::Message(Some(_), role) => role.into_str(),
            About::Palette => "palette",
        };
        Some(format!("{name} {}", words::percent(tokens, plan.tokens)))
    };
    let shares: Vec<_> = plan.sections.iter().filter_map(|section| share(section.about, section.tokens)).collect();
    format!("Tokens: {}", shares.join(" · "))
}

impl Tool {
    fn new(tool: &ToolEntry, trust: Option<&PartTrust>, view: &View) -> Self {
        let schema = serde_json::to_string_pretty(&to_json(&tool.input_schema)).unwrap_or_default();
        Self {
            name: text::line(&tool.name),
            call: format!("{} {}", tool.primary, text::line(&tool.item_id)),
            from: tool.source.as_ref().map_or_else(
                || "made from the outputs".to_string(),
                |source| text::line(&format!("{} {}", source.tier(), source.path())),
            ),
            trust: trust.map(|part| text::line(&part.trust.phrase())),
            tokens: count(view.tokenizer.count(&tool.text()), "token"),
            description: visible(&tool.description).into_owned(),
            schema: visible(&schema).into_owned(),
        }
    }
}

fn inputs(prompt: &Prompt) -> Vec<Given> {
    let mut landed: HashMap<&str, BTreeSet<usize>> = HashMap::new();
    for segment in prompt.messages.iter().flat_map(|message| message.segments()) {
        if let (Origin::Input { name, .. }, Some(layer)) = (segment.origin, segment.layer) {
            landed.entry(name).or_default().insert(layer + 1);
        }
    }
    let given = |input: &Input| Given::new(input, landed.remove(&*input.name).unwrap_or_default());
    prompt.inputs.iter().map(given).collect()
}

impl Given {
    fn new(input: &Input, layers: BTreeSet<usize>) -> Self {
        let place = input.default_span.as_ref().map(text::place);
        Self {
            name: text::line(&input.name),
            value: visible(&python_str(&input.value)).into_owned(),
            from: place.map_or_else(
                || input.from.into_str().to_string(),
                |place| format!("{}, {place}", input.from.into_str()),
            ),
            layers,
        }
    }
}

impl Member {
    fn new(member: &ChainMember) -> Self {
        Self {
            name: text::line(&member.id),
            from: text::line(&format!("{} {}", member.source.tier(), member.source.path())),
            parent: member.extends.as_ref().map(words::declared),
        }
    }
}
