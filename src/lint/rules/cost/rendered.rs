//! Renders prompts for rules that need exact numbers.

use std::sync::Arc;

use crate::decide::request::{DirectiveRef, Environment, GivenInput, Request};
use crate::fill::assemble;
use crate::lint::placeholders::directive::{PlaceholderKind, placeholders};
use crate::lint::rules::{Composed, Project};
use crate::prompt::Prompt;
use crate::text::InputFrom;
use crate::text::tokens::Tokenizer;

/// The prompt as `render --placeholders` shows it.
pub(super) fn with_placeholders(composed: &Composed<'_>, project: &Project<'_>) -> Option<Prompt> {
    render(composed, project, Vec::new(), Environment::default())
}

/// With all inputs given, each as a placeholder.
pub(super) fn with_inputs(composed: &Composed<'_>, project: &Project<'_>) -> Option<Prompt> {
    let given = composed.directive.inputs.iter().map(|input| {
        let name = input.name.as_str();
        GivenInput { name: name.to_string(), value: format!("{{input:{name}}}").into(), from: InputFrom::File }
    });
    render(composed, project, given.collect(), environment(composed))
}

fn render(
    composed: &Composed<'_>,
    project: &Project<'_>,
    inputs: Vec<GivenInput>,
    environment: Environment,
) -> Option<Prompt> {
    let root = project.tiers.project_root();
    let request = Request {
        directive: DirectiveRef { id: composed.leaf.id.clone(), source: composed.leaf.source.as_ref().map(Arc::clone) },
        project_path: root.map_or_else(String::new, |root| root.to_string_lossy().into_owned()),
        placeholders: true,
        for_many: true,
        environment: Arc::new(environment),
        inputs,
        ..Request::new("")
    };
    assemble::render(&request, project.tiers, project.protocol).ok()
}

/// Placeholders for the variables in the body.
fn environment(composed: &Composed<'_>) -> Environment {
    let named = placeholders(composed.directive.body.text()).filter(|it| it.kind == PlaceholderKind::Environment);
    named.map(|it| (it.name.to_string(), format!("{{env:{}}}", it.name))).collect()
}

/// Counts each message separately.
pub(super) fn tokens(prompt: &Prompt, tokenizer: Tokenizer) -> usize {
    prompt.messages.iter().map(|message| tokenizer.count(message.text())).sum()
}
