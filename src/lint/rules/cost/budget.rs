//! Prompts and layers that are too large.

use std::sync::Arc;

use crate::decide::condition::Truth;
use crate::lint::options::LintOptions;
use crate::lint::project::{InsertedValues, PlacementOutcome, span_key};
use crate::lint::rule::RR501;
use crate::lint::rules::{Composed, Findings, LintFile, Project, Span};
use crate::prompt::{LayerKind, Prompt};
use crate::text::numbers::thousands;
use crate::text::tokens::Tokenizer;

use super::size;

pub fn prompt_over_budget(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    let budget = project.options.most_tokens(&composed.leaf.id);
    let tokenizer = project.options.tokenizer;
    if size::most_tokens(size::most_bytes(composed, project), tokenizer) <= budget {
        return;
    }
    let Some(prompt) = size::with_placeholders(composed, project) else { return };
    let tokens = size::count_tokens(&prompt, tokenizer);
    if tokens > budget {
        let [has, over] = [tokens, tokens - budget].map(thousands);
        let message = format!("the prompt has {has} tokens, {over} more than its budget");
        found.at(&composed.directive.tag, message).help(largest_layers(&prompt, tokenizer));
    }
}

/// Names the largest layers.
fn largest_layers(prompt: &Prompt, tokenizer: Tokenizer) -> String {
    let texts = prompt.layer_texts();
    let mut layers: Vec<(usize, String)> =
        prompt.layers.iter().zip(texts).map(|(layer, text)| (tokenizer.count(text), layer.title())).collect();
    layers.sort_by(|left, right| right.cmp(left));
    let largest: Vec<String> =
        layers.iter().take(3).map(|(tokens, title)| format!("`{title}` ({})", thousands(*tokens))).collect();
    format!("its largest layers are {}; {}", largest.join(", "), RR501.help)
}

pub fn layer_dominates(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    let mut candidates = candidates(composed, project);
    candidates.retain(|candidate| candidate.may_dominate(composed, project));
    // Items that other files place are reported once for all prompts.
    candidates.retain(|DominanceCandidate { place, .. }| {
        let earlier = project.cached.dominating.get(&span_key(place)).filter(|_| !is_own(place, composed));
        if let Some(Some(message)) = &earlier {
            found.at(*place, message);
        }
        earlier.is_none()
    });
    if candidates.is_empty() {
        return;
    }
    for layer in dominating(composed, project) {
        if is_own(&layer.place, composed) {
            found.at(&layer.place, layer.numbers);
            continue;
        }
        let message = (!is_reported_by_owner(&layer.place, project)).then(|| {
            let share = project.options.layer_share;
            format!("`{}` is more than {share}% of the prompts that contain it", layer.name)
        });
        project.cached.dominating.set(span_key(&layer.place), message.clone());
        if let Some(message) = message {
            found.at(&layer.place, message);
        }
    }
}

/// An item or hook text that may dominate a prompt.
struct DominanceCandidate<'p> {
    place: &'p Span,
    /// The maximum number of tokens; none if it depends on a value.
    tokens: Option<usize>,
}

/// Tokens of the element that wraps inserted text.
const ELEMENT: usize = 100;

fn candidates<'p>(composed: &'p Composed<'_>, project: &'p Project<'_>) -> Vec<DominanceCandidate<'p>> {
    let LintOptions { tokenizer, layer_share, layer_share_from, .. } = *project.options;
    let is_large = |bytes: usize| size::most_tokens(bytes, tokenizer) * 100 >= layer_share * layer_share_from;
    // Only large files are counted.
    let tokens = |file: &LintFile| {
        let text = file.source.as_ref().map(|source| source.text()).filter(|text| is_large(text.len()))?;
        Some(ELEMENT + *file.tokens.get_or_init(|| tokenizer.count(text)))
    };
    let placed = composed.context.iter().filter(|asked| matches!(asked.becomes, PlacementOutcome::Placed));
    let placed = placed.filter_map(|asked| Some((&asked.id.span, Some(tokens(asked.file?)?))));
    let mut candidates: Vec<DominanceCandidate<'p>> =
        placed.map(|(place, tokens)| DominanceCandidate { place, tokens }).collect();
    let own = composed.directive.hooks.iter();
    let configured = project.configured_hooks().filter(|_| is_large(project.configured_costs().largest));
    for hook in own.chain(configured) {
        let costs = project.hook_costs(std::iter::once(hook));
        if !is_large(costs.largest) || composed.truth(hook) == Truth::False {
            continue;
        }
        let Some(place) = &hook.span else { continue };
        let texts = project.hook_texts(hook);
        let is_fixed = costs.shows == InsertedValues::default() && texts.len() == hook.actions.len();
        let sum = || texts.iter().map(|text| tokens(text.file).unwrap_or(ELEMENT + layer_share_from)).sum();
        candidates.push(DominanceCandidate { place, tokens: is_fixed.then(sum) });
    }
    candidates
}

impl DominanceCandidate<'_> {
    /// Whether it can reach the share, given the text that is certainly in the prompt.
    fn may_dominate(&self, composed: &Composed<'_>, project: &Project<'_>) -> bool {
        let LintOptions { tokenizer, layer_share, layer_share_from, .. } = *project.options;
        let most = size::most_tokens(size::most_bytes(composed, project), tokenizer);
        let Some(tokens) = self.tokens else { return most >= layer_share_from };
        let total = layer_share_from.max(tokens + size::least_tokens(composed, project));
        most >= layer_share_from && tokens * 100 >= layer_share * total
    }
}

struct DominantLayer {
    name: String,
    place: Span,
    numbers: String,
}

fn dominating(composed: &Composed<'_>, project: &Project<'_>) -> Vec<DominantLayer> {
    let LintOptions { tokenizer, layer_share, layer_share_from, .. } = *project.options;
    let Some(prompt) = size::with_placeholders(composed, project) else { return Vec::new() };
    let total = size::count_tokens(&prompt, tokenizer);
    if total < layer_share_from {
        return Vec::new();
    }
    let layers = prompt.layers.iter().zip(prompt.layer_texts());
    let brought = layers.filter(|(layer, _)| matches!(layer.kind, LayerKind::Hook | LayerKind::Context));
    let dominating = brought.filter_map(|(layer, text)| {
        let place = layer.declared_by.as_ref()?.span.clone()?;
        let tokens = tokenizer.count(text);
        let numbers =
            format!("`{}` accounts for {} of the prompt's {} tokens", layer.name, thousands(tokens), thousands(total));
        let is_most = tokens > 0 && tokens * 100 >= layer_share * total;
        is_most.then(|| DominantLayer { name: layer.name.to_string(), place, numbers })
    });
    dominating.collect()
}

/// Whether the prompt's own directive placed the item.
fn is_own(place: &Span, composed: &Composed<'_>) -> bool {
    composed.leaf.source.as_ref().is_some_and(|own| Arc::ptr_eq(own, place.source()))
}

/// Whether the directive that placed the item reports it, with the numbers of its own prompt.
fn is_reported_by_owner(place: &Span, project: &Project<'_>) -> bool {
    let (path, tier) = (place.source().path(), place.source().tier());
    let is_it = |file: &&LintFile| file.path == path && *project.tiers.list()[file.tier].label == *tier;
    let Some((file, directive)) = project.linted().find(is_it).and_then(|file| Some((file, file.directive()?))) else {
        return false;
    };
    dominating(&project.composed(file, directive), project).iter().any(|layer| layer.place == *place)
}

#[cfg(test)]
mod prompt_over_budget_tests {
    use super::*;
    use crate::decide::request::Request;
    use crate::fill::assemble;
    use crate::lint::LintOptions;
    use crate::lint::testing::Example;
    use crate::lint::testing::examples;
    use crate::lint::testing::{found, tiers};
    use crate::read::protocol::Protocols;

    fn with_budgets(example: Example, budgets: &str) -> Vec<String> {
        let text = example.0.replacen("lint:\n", &format!("lint:\n  budgets: {budgets}\n"), 1);
        let found = found(Example(text.leak()), &LintOptions::default());
        found.into_iter().filter(|finding| finding.rule.code == RR501.code).map(|finding| finding.message).collect()
    }

    #[test]
    fn a_directive_may_have_its_own_budget() {
        assert_eq!(with_budgets(examples(&RR501).bad, "{deploy: 90000}"), [""; 0]);
        assert_eq!(with_budgets(examples(&RR501).bad, "{'dep*': 90000, other: 1}"), [""; 0]);
        assert_eq!(with_budgets(examples(&RR501).bad, "{other: 90000}").len(), 1);
        assert_eq!(with_budgets(examples(&RR501).good, "{other: 1}"), [""; 0]);
        let found = with_budgets(examples(&RR501).good, "{deploy: 1, '*': 90000}");
        assert!(found.len() == 1 && found[0].ends_with(" more than its budget"), "{found:?}");
    }

    #[test]
    fn the_number_is_exact() {
        let protocol = Protocols::default().get("rye-3").unwrap();
        let prompt = assemble::render(&Request::new("deploy"), &tiers(examples(&RR501).bad), &protocol).unwrap();
        let tokens: usize = prompt.messages.iter().map(|message| message.text().chars().count().div_ceil(4)).sum();
        let found = found(examples(&RR501).bad, &LintOptions::default());
        let expected = format!("the prompt has {tokens} tokens, {} more than its budget", tokens - 500);
        assert_eq!(found.iter().map(|finding| finding.message.as_str()).collect::<Vec<_>>(), [expected]);
        assert!(found[0].help.starts_with("its largest layers are `deploy/handbook` ("), "{}", found[0].help);
    }
}

#[cfg(test)]
mod layer_dominates_tests {
    use crate::lint::rule::RR502 as RULE;
    use crate::lint::testing::found;
    use crate::lint::testing::{Example, examples};

    use super::*;

    fn reported(files: &str) -> Vec<String> {
        let example = Example(files.to_string().leak());
        let found = found(example, &LintOptions::default()).into_iter().filter(|it| it.rule.code == RULE.code);
        found.map(|it| format!("{}: {}", it.path(), it.message)).collect()
    }

    /// A directive with two short children, and a handbook that it places.
    fn with_children(body: &str) -> String {
        let child = |name: &str| {
            format!(
                "=== .ai/directives/{name}.md\n```xml\n<directive name=\"{name}\" version=\"1.0.0\" extends=\"deploy\">\
                 <metadata><description>D</description></metadata></directive>\n```\n\nGo.\n"
            )
        };
        let base = examples(&RULE).bad.0.replacen("\nDeploy.\n", &format!("\nDeploy.\n{body}\n"), 1);
        base + &child("a") + &child("b")
    }

    #[test]
    fn a_place_is_reported_once() {
        let place = ".ai/directives/deploy.md: `deploy/handbook` ";
        let with_numbers = reported(&with_children(""));
        assert_eq!(with_numbers.len(), 1, "{with_numbers:?}");
        assert!(with_numbers[0].starts_with(&format!("{place}accounts for ")), "{with_numbers:?}");
        // If the directive is long, the item only dominates the prompts of its children.
        let of_children = reported(&with_children(&"Say what you do. ".repeat(200)));
        assert_eq!(of_children, [format!("{place}is more than 50% of the prompts that contain it")]);
        assert_eq!(reported(examples(&RULE).composed.0).len(), 1);
    }

    #[test]
    fn small_layers_are_not_candidates() {
        let may = |files: &str| {
            let tiers = crate::lint::testing::tiers(Example(files.to_string().leak()));
            let protocol = crate::read::protocol::Protocols::default().get("rye-3").unwrap();
            let options = LintOptions { layer_share: 50, layer_share_from: 400, ..LintOptions::default() };
            let project = Project::read(&tiers, &protocol, &options);
            let (file, directive) = project.directives().find(|(file, _)| file.id == "deploy").unwrap();
            let composed = project.composed(file, directive);
            candidates(&composed, &project).iter().any(|candidate| candidate.may_dominate(&composed, &project))
        };
        assert!(may(examples(&RULE).bad.0));
        assert!(may(examples(&RULE).composed.0));
        assert!(!may(examples(&RULE).good.0));
        assert!(!may(&with_children(&"Say what you do. ".repeat(300))));
        let for_another = examples(&RULE).composed.0.replacen(
            "    layer: 3\n",
            "    condition: {path: directive, value: other}\n",
            1,
        );
        assert!(!may(&for_another));
    }
}
