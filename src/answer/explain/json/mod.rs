//! Answers as one JSON object: the prompt as `render` writes it, with its explanation.

pub mod answers;
mod hooks;
pub mod shape;

use std::io;

use super::inputs::{OutsideValues, ValuePlaces};
use super::metadata::{Metadata, metadata};
use super::plan::{Plan, SectionSubject};
use super::window::Window;
use super::{ExplainView, Explanation, used_settings};
use crate::prompt::json;
use crate::prompt::{Prompt, PromptTrust};

pub fn write(prompt: &Prompt, answer: &Explanation, view: &ExplainView, out: &mut dyn io::Write) -> io::Result<()> {
    let plan = Plan::new(prompt, view.tokenizer);
    let metadata = metadata(prompt);
    json::line(&document(prompt, answer, &plan, &metadata, view), out)
}

fn document<'a>(
    prompt: &'a Prompt,
    answer: &'a Explanation,
    plan: &'a Plan<'_>,
    metadata: &'a [Metadata],
    view: &ExplainView,
) -> shape::ExplainDocument<'a> {
    let document = json::document(prompt, Some(view.tokenizer));
    let (mut blame, mut from, mut why, mut sent, mut tree) = (None, None, None, None, None);
    match answer {
        Explanation::Blame(lines) => blame = Some(answers::BlameJson { prompt, lines }),
        Explanation::From(occurrences) => from = Some(answers::FromJson::new(occurrences)),
        Explanation::Why(reasons) => why = Some(answers::WhyJson::new(prompt, reasons)),
        Explanation::Sent(departures) => sent = Some(answers::SentJson::new(departures)),
        Explanation::Capabilities(reached) => tree = reached.as_ref(),
        Explanation::Plan | Explanation::Inputs | Explanation::Settings | Explanation::Hooks => {}
    }
    shape::ExplainDocument {
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
        settings: used_settings(prompt).collect(),
        capabilities_tree: tree,
        hooks: prompt.hooks.iter().map(Into::into).collect(),
        what_if: prompt.what_if.as_slice(),
        repository: prompt.repository.as_ref(),
        blame,
        from,
        why,
        sent,
    }
}

fn totals<'a>(plan: &'a Plan<'_>) -> shape::Totals<'a> {
    let parts = plan.sections.iter().filter(|section| section.is_sent()).map(|section| shape::PartTotal {
        name: &section.name,
        message: match section.about {
            SectionSubject::Message(index, _) => index,
            SectionSubject::Chain | SectionSubject::Palette => None,
        },
        bytes: section.size.bytes,
        tokens: section.size.known_tokens(),
    });
    shape::Totals {
        bytes: plan.size.bytes,
        tokens: plan.size.tokens,
        overhead: shape::OverheadTotal { bytes: plan.overhead.bytes, tokens: plan.overhead.tokens },
        parts: parts.collect(),
    }
}

fn input_places<'a>(prompt: &'a Prompt) -> Vec<shape::InputPlacesJson<'a>> {
    let OutsideValues { inputs, environment } = OutsideValues::new(prompt);
    let all = inputs.into_iter().map(|input| ("input", input)).chain(environment.into_iter().map(|it| ("env", it)));
    let shape = |(kind, value): (&'static str, ValuePlaces<'a>)| shape::InputPlacesJson {
        kind,
        name: value.name,
        from: value.given.map(|given| given.from.into_str()),
        source: value.source().map(Into::into),
        required: value.declared.is_some_and(|declaration| declaration.required),
        places: value.places,
        outsider: true,
    };
    all.map(shape).collect()
}
