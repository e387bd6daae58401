//! The size of a prompt: an upper bound, computed from file sizes so that few prompts have to be rendered, and the prompt
//! itself for rules that need exact numbers.

use std::sync::Arc;

use crate::decide::request::{DirectiveRef, Environment, GivenInput, Position, Request};
use crate::fill::assemble;
use crate::lint::placeholders::{PlaceholderKind, placeholders};
use crate::lint::project::{ContextItem, InsertedValues, PlacementOutcome};
use crate::lint::rules::{Composed, Directive, LintFile, Project};
use crate::prompt::Prompt;
use crate::text::InputFrom;
use crate::text::tokens::Tokenizer;

/// The maximum size in bytes of the fixed parts of a prompt: tags, the return instruction, separators.
const FIXED: usize = 1_000;

/// The maximum size in bytes of a hook context value, except the directive's declarations and the project's path.
const VALUE: usize = 200;

/// The maximum size in bytes of a prompt that is rendered with placeholders for inputs without a default. Cached,
/// because several rules need it.
pub(super) fn most_bytes(composed: &Composed<'_>, project: &Project<'_>) -> usize {
    *composed.leaf.most_bytes.get_or_init(|| compute(composed, project))
}

/// Like [`most_bytes`], composing the directive only if needed.
pub(super) fn most_bytes_of(file: &LintFile, directive: &Directive, project: &Project<'_>) -> usize {
    let work = || compute(&project.composed(file, directive), project);
    *file.most_bytes.get_or_init(work)
}

fn compute(composed: &Composed<'_>, project: &Project<'_>) -> usize {
    let context: usize = composed.context.iter().filter_map(placed).sum();
    let directive = directive(composed.directive);
    let mut hooks = project.configured_costs();
    if !composed.directive.hooks.is_empty() {
        hooks += project.hook_costs(composed.directive.hooks.iter());
    }
    let InsertedValues { bodies, capabilities, values } = hooks.shows;
    let summary = if capabilities == 0 { 0 } else { capabilities * summary(composed) };
    FIXED
        + context
        + directive
        + hooks.bytes
        + bodies * directive
        + summary
        + values * value(composed.directive, project)
}

/// The maximum size in bytes of the list of capabilities, including those for outputs.
fn summary(composed: &Composed<'_>) -> usize {
    let granted = composed.granting().map_or(&[][..], |(_, permissions)| permissions);
    VALUE + granted.iter().map(|permission| permission.capability.len() + ", ".len()).sum::<usize>()
}

/// The maximum size in bytes of any other value in the hook context: a path, or a declaration.
fn value(directive: &Directive, project: &Project<'_>) -> usize {
    let root = project.tiers.project_root().map_or(0, |root| root.as_os_str().len());
    VALUE + root.max(directive.content.text().len())
}

/// The maximum number of bytes after the directive's prompt if no directive places items there.
pub(super) fn most_after_any(project: &Project<'_>) -> usize {
    project.configured_costs().after + FIXED
}

/// The maximum number of bytes after the directive's prompt.
pub(super) fn most_after(composed: &Composed<'_>, project: &Project<'_>) -> usize {
    let after = composed.context.iter().filter(|asked| asked.position == Position::After);
    after.filter_map(placed).sum::<usize>() + most_after_any(project)
}

/// The size in bytes of an item that is placed, with a separator.
fn placed(asked: &ContextItem<'_>) -> Option<usize> {
    let file = asked.file.filter(|_| matches!(asked.becomes, PlacementOutcome::Placed))?;
    Some(file.source.as_ref()?.text().len() + 2)
}

/// The maximum size in bytes of a directive: its body, and its declarations, some of them twice.
fn directive(directive: &Directive) -> usize {
    let written = directive.preamble.text().len() + 2 * directive.content.text().len() + directive.body.text().len();
    let defaults = directive.inputs.iter().filter_map(|input| input.default.as_ref());
    // Each placeholder may show the longest default; the shortest placeholder has nine bytes.
    let longest = defaults.map(|default| default.as_str().len()).max().unwrap_or(0);
    written + written / "{input:x}".len() * longest.saturating_sub("{input:x}".len())
}

/// The minimum number of tokens of the body in its prompt, no matter what its placeholders show.
pub(super) fn least_tokens(composed: &Composed<'_>, project: &Project<'_>) -> usize {
    let body = composed.directive.body.text();
    let shown: usize = placeholders(body).map(|placeholder| placeholder.range.len()).sum();
    match project.options.tokenizer {
        Tokenizer::Chars4 => body.chars().count().saturating_sub(shown) / 4,
        // The length of their longest token is unknown.
        Tokenizer::O200k | Tokenizer::Cl100k => 0,
    }
}

pub(super) fn most_tokens(bytes: usize, tokenizer: Tokenizer) -> usize {
    match tokenizer {
        // Each of the two messages is rounded up.
        Tokenizer::Chars4 => bytes.div_ceil(4) + 1,
        Tokenizer::O200k | Tokenizer::Cl100k => bytes,
    }
}

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
pub(super) fn count_tokens(prompt: &Prompt, tokenizer: Tokenizer) -> usize {
    prompt.messages.iter().map(|message| tokenizer.count(message.text())).sum()
}

#[cfg(test)]
mod bound_tests {
    use super::*;
    use crate::lint::LintOptions;
    use crate::lint::testing::{examples, tiers};
    use crate::read::protocol::Protocols;

    #[test]
    fn no_prompt_exceeds_its_bound() {
        let options = LintOptions::default();
        let protocols = Protocols::default();
        let mut prompts = 0;
        for rule in crate::lint::RULES.iter() {
            for example in examples(rule).all() {
                let tiers = tiers(example);
                for protocol in ["rye-2", "rye-3"].map(|name| protocols.get(name).unwrap()) {
                    let project = Project::read(&tiers, &protocol, &options);
                    for (file, directive) in project.directives() {
                        let composed = project.composed(file, directive);
                        let Some(prompt) = with_placeholders(&composed, &project) else { continue };
                        let bytes: usize = prompt.messages.iter().map(|message| message.text().len()).sum();
                        let most = most_bytes(&composed, &project);
                        assert!(bytes <= most, "{}: {} has {bytes} bytes, more than {most}", rule.code, file.id);
                        let tokens = count_tokens(&prompt, options.tokenizer);
                        let least = least_tokens(&composed, &project);
                        assert!(tokens >= least, "{}: {} has {tokens} tokens, fewer than {least}", rule.code, file.id);
                        prompts += 1;
                    }
                }
            }
        }
        assert!(prompts > 50, "{prompts}");
    }
}
