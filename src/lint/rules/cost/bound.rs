//! How large a prompt can be at most, told from sizes, so that next to no prompt has to be put together.

use crate::item::Directive;
use crate::lint::placeholders;
use crate::lint::project::{ContextItem, InsertedValues, PlacementOutcome};
use crate::lint::rules::{Composed, LintFile, Project};
use crate::request::Position;
use crate::tokens::Tokenizer;

/// The fixed sentences of a prompt: tags, the return instruction, separators.
const FIXED: usize = 1_000;

/// What a value of the hook context prints at most besides what the directive and the project's path have a part in.
const VALUE: usize = 200;

/// The most bytes that a prompt has, filled in with placeholders for inputs that have no default. Several rules ask.
pub(super) fn most_bytes(composed: &Composed<'_>, project: &Project<'_>) -> usize {
    *composed.leaf.most_bytes.get_or_init(|| work_out(composed, project))
}

/// The same of the prompt of a directive, which is looked at only where nobody has asked before.
pub(super) fn most_bytes_of(file: &LintFile, directive: &Directive, project: &Project<'_>) -> usize {
    let work = || work_out(&project.composed(file, directive), project);
    *file.most_bytes.get_or_init(work)
}

fn work_out(composed: &Composed<'_>, project: &Project<'_>) -> usize {
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

/// What the list of all capabilities prints at most, with what is granted for the outputs.
fn summary(composed: &Composed<'_>) -> usize {
    let granted = composed.granting().map_or(&[][..], |(_, permissions)| permissions);
    VALUE + granted.iter().map(|permission| permission.capability.len() + ", ".len()).sum::<usize>()
}

/// What another value of the hook context prints at most: a path, or what the directive declares.
fn value(directive: &Directive, project: &Project<'_>) -> usize {
    let root = project.tiers.project_root().map_or(0, |root| root.as_os_str().len());
    VALUE + root.max(directive.content.text().len())
}

/// The most bytes that follow the directive's own prompt where no directive places anything after it.
pub(super) fn most_after_any(project: &Project<'_>) -> usize {
    project.configured_costs().after + FIXED
}

/// The most bytes that follow the directive's own prompt.
pub(super) fn most_after(composed: &Composed<'_>, project: &Project<'_>) -> usize {
    let after = composed.context.iter().filter(|asked| asked.position == Position::After);
    after.filter_map(placed).sum::<usize>() + most_after_any(project)
}

/// What an item that is asked for adds: no more than its file, and what stands between it and the next.
fn placed(asked: &ContextItem<'_>) -> Option<usize> {
    let file = asked.file.filter(|_| matches!(asked.becomes, PlacementOutcome::Placed))?;
    Some(file.source.as_ref()?.text().len() + 2)
}

/// What a directive itself adds: its body, and of its declarations no more than there is, some of them twice.
fn directive(directive: &Directive) -> usize {
    let written = directive.preamble.text().len() + 2 * directive.content.text().len() + directive.body.text().len();
    let defaults = directive.inputs.iter().filter_map(|input| input.default.as_ref());
    // Each place that names an input may show the longest default; the shortest such place has nine bytes.
    let longest = defaults.map(|default| default.as_str().len()).max().unwrap_or(0);
    written + written / "{input:x}".len() * longest.saturating_sub("{input:x}".len())
}

/// The fewest tokens that the body of a directive has in its prompt, whatever its placeholders show.
pub(super) fn least_tokens(composed: &Composed<'_>, project: &Project<'_>) -> usize {
    let body = composed.directive.body.text();
    let shown: usize = placeholders::of_directive(body).map(|placeholder| placeholder.range.len()).sum();
    match project.options.tokenizer {
        Tokenizer::Chars4 => body.chars().count().saturating_sub(shown) / 4,
        // How many characters the longest token has is not said here.
        Tokenizer::O200k | Tokenizer::Cl100k => 0,
    }
}

/// The most tokens that so many bytes can be.
pub(super) fn most_tokens(bytes: usize, tokenizer: Tokenizer) -> usize {
    match tokenizer {
        // Each message is rounded up on its own, and there are two.
        Tokenizer::Chars4 => bytes.div_ceil(4) + 1,
        Tokenizer::O200k | Tokenizer::Cl100k => bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::super::rendered;
    use super::*;
    use crate::lint::LintOptions;
    use crate::lint::testing::{examples, tiers};
    use crate::protocol::Protocols;

    /// No prompt of an example is larger than the bound says.
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
                        let Some(prompt) = rendered::with_placeholders(&composed, &project) else { continue };
                        let bytes: usize = prompt.messages.iter().map(|message| message.text().len()).sum();
                        let most = most_bytes(&composed, &project);
                        assert!(bytes <= most, "{}: {} has {bytes} bytes, not {most}", rule.code, file.id);
                        let tokens = rendered::tokens(&prompt, options.tokenizer);
                        let least = least_tokens(&composed, &project);
                        assert!(tokens >= least, "{}: {} has {tokens} tokens, not {least}", rule.code, file.id);
                        prompts += 1;
                    }
                }
            }
        }
        assert!(prompts > 50, "{prompts}");
    }
}
