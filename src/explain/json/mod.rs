//! Answers as one JSON object: the prompt as `render` writes it, and its explanation.

pub mod answers;
mod hooks;
mod sent;
pub mod shape;

use std::io;

use super::inputs::{Landed, Outside};
use super::metadata::{Metadata, metadata};
use super::plan::{About, Plan};
use super::window::Window;
use super::{Answer, View};
use crate::prompt::Prompt;
use crate::render::json;
use crate::trust::PromptTrust;

pub fn write(prompt: &Prompt, answer: &Answer, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    let plan = Plan::new(prompt, view.tokenizer);
    let metadata = metadata(prompt);
    json::line(&document(prompt, answer, &plan, &metadata, view), out)
}

fn document<'a>(
    prompt: &'a Prompt,
    answer: &'a Answer,
    plan: &Plan<'a>,
    metadata: &'a [Metadata],
    view: &View,
) -> shape::Document<'a> {
    let document = json::document(prompt, view.tokenizer);
    let (mut blame, mut from, mut why, mut sent, mut tree) = (None, None, None, None, None);
    match answer {
        Answer::Blame(lines) => blame = Some(answers::Blame { prompt, lines }),
        Answer::From(landings) => from = Some(answers::From::new(prompt, landings)),
        Answer::Why(reasons) => why = Some(answers::Why::new(prompt, reasons)),
        Answer::Sent(departures) => sent = Some(self::sent::document(prompt, departures)),
        Answer::Capabilities(reached) => tree = reached.as_ref(),
        Answer::Plan | Answer::Inputs | Answer::Hooks => {}
    }
    shape::Document {
        prompt: json::shape::PromptDocument { format: "rye-render.explain/1", ..document },
        metadata,
        totals: totals(plan),
        weakest_link: prompt
            .trust
            .as_ref()
            .and_then(PromptTrust::weakest)
            .map(|part| shape::WeakestLink { part: &part.title, trust: part.into() }),
        window: view.window.map(|size| Window::new(size, plan)),
        input_places: input_places(prompt),
        capabilities_tree: tree,
        hooks: prompt.hooks.iter().map(Into::into).collect(),
        what_if: prompt.what_if.as_slice(),
        blame,
        from,
        why,
        sent,
    }
}

fn totals<'a>(plan: &Plan<'a>) -> shape::Totals<'a> {
    let parts = plan.sections.iter().filter(|section| section.is_sent()).map(|section| shape::Part {
        name: section.name,
        message: match section.about {
            About::Message(index, _) => index,
            About::Chain | About::Palette => None,
        },
        bytes: section.bytes,
        tokens: section.tokens,
    });
    shape::Totals {
        bytes: plan.bytes,
        tokens: plan.tokens,
        overhead: shape::Size { bytes: plan.overhead_bytes, tokens: plan.overhead },
        parts: parts.collect(),
    }
}

fn input_places(prompt: &Prompt) -> Vec<shape::InputPlaces<'_>> {
    let Outside { inputs, environment } = Outside::new(prompt);
    let inputs = inputs.into_iter().map(|input| shape::InputPlaces {
        kind: "input",
        name: input.name,
        from: input.given.map(|given| given.from.into_str()),
        source: input.source().map(Into::into),
        required: input.declared.is_some_and(|declaration| declaration.required),
        places: input.places.iter().map(Into::into).collect(),
        outsider: true,
    });
    let environment = environment.into_iter().map(|variable| shape::InputPlaces {
        kind: "env",
        name: variable.name,
        from: None,
        source: None,
        required: false,
        places: variable.places.iter().map(Into::into).collect(),
        outsider: true,
    });
    inputs.chain(environment).collect()
}

impl From<&Landed<'_>> for shape::Landed {
    fn from(landed: &Landed) -> Self {
        Self {
            message: landed.message,
            at: landed.at,
            end: landed.at + landed.text.len(),
            line: landed.position.line,
            column: landed.position.column,
            layer: landed.layer_index,
        }
    }
}
