//! Text that changes from run to run, so that what follows it cannot be cached.

use std::sync::OnceLock;

use rayon::prelude::*;

use crate::decide::KnownContext;
use crate::decide::condition::Truth;
use crate::lint::placeholders::{self, HookPlaceholder, of_hook, placeholders};
use crate::lint::project::HookText;
use crate::lint::rules::{Composed, Directive, Findings, Hook, LintFile, Project, Span};
use crate::prompt::{Layer, LayerKind};
use crate::text::Origin;
use crate::text::numbers::thousands;

use super::size;

pub(super) struct VolatileText {
    pub kind: LayerKind,
    pub name: String,
    before: usize,
    after: usize,
}

impl VolatileText {
    /// The message of a finding; `of` is the directive, if the text is elsewhere.
    pub fn words(&self, written: &str, of: Option<&str>) -> String {
        let prompt = of.map_or_else(|| "the prompt".to_string(), |id| format!("the prompt of `{id}`"));
        let [before, after] = [self.before, self.after].map(thousands);
        format!(
            "`{written}` changes from run to run, {before} tokens into {prompt}, and the {after} after it cannot be cached"
        )
    }
}

/// The first change, if more tokens follow than the setting allows.
fn first_change(composed: &Composed<'_>, project: &Project<'_>) -> Option<VolatileText> {
    let prompt = size::with_inputs(composed, project)?;
    let tokenizer = project.options.tokenizer;
    let mut before = 0;
    for (index, message) in prompt.messages.iter().enumerate() {
        for segment in message.segments() {
            let Some(layer) = segment.layer.and_then(|layer| prompt.layers.get(layer)) else { continue };
            if !changes(segment.origin, layer, project) {
                continue;
            }
            let (front, rest) = message.text().split_at(segment.at);
            let rest = tokenizer.count(&rest[segment.text.len()..]);
            let later: usize = prompt.messages[index + 1..].iter().map(|later| tokenizer.count(later.text())).sum();
            let change = VolatileText {
                kind: layer.kind,
                name: layer.name.clone(),
                before: before + tokenizer.count(front),
                after: rest + later,
            };
            return Some(change).filter(|change| change.after > project.options.volatile_from);
        }
        before += tokenizer.count(message.text());
    }
    None
}

/// Whether text changes from run to run. Values of the thread change only in threads that other
/// threads start, and are only reported in items of this project.
fn changes(origin: &Origin, layer: &Layer, project: &Project<'_>) -> bool {
    match origin {
        Origin::Input { .. } | Origin::Env(_) => true,
        Origin::Variable { name, .. } if placeholders::is_of_thread(name) => {
            let file = layer.item.as_ref().and_then(|item| project.find(item.kind, &item.id));
            file.is_some_and(|file| file.is_linted)
        }
        Origin::Variable { name, .. } => name.is_empty() || placeholders::first(name) == "inputs",
        _ => false,
    }
}

pub fn volatile_text(project: &Project<'_>, found: &mut Findings<'_>) {
    let after =
        project.files.iter().filter_map(LintFile::directive).any(|directive| !directive.context.after.is_empty());
    let linted: Vec<&LintFile> = project.linted().collect();
    let own: Vec<VolatilePlace> = linted.par_iter().filter_map(|file| own(file, after, project)).collect();
    for (at, message) in own.into_iter().chain(configured(project)) {
        found.at(at, message);
    }
}

/// Where a finding is, and what it says.
type VolatilePlace = (Span, String);

/// Whether text of this size may exceed the setting.
fn is_much(bytes: usize, project: &Project<'_>) -> bool {
    size::most_tokens(bytes, project.options.tokenizer) > project.options.volatile_from
}

/// The finding in the body of a directive or in its own hooks.
fn own(file: &LintFile, after: bool, project: &Project<'_>) -> Option<VolatilePlace> {
    let directive = file.directive()?;
    let first = placeholders(directive.body.text()).next();
    let rest = first.as_ref().map_or(0, |first| directive.body.text().len() - first.range.end);
    let mut of_hooks = directive.hooks.iter().filter_map(|hook| Some((hook, place(hook, project)?)));
    let of_hook = of_hooks.next();
    let least = rest + size::most_after_any(project);
    if of_hook.is_none() && (first.is_none() || (!after && !is_much(least, project))) {
        return None;
    }
    let composed = project.composed(file, directive);
    let follows = if of_hook.is_some() {
        size::most_bytes(&composed, project)
    } else {
        rest + size::most_after(&composed, project)
    };
    if !is_much(follows, project) {
        return None;
    }
    let change = first_change(&composed, project)?;
    let at = match (change.kind, of_hook) {
        (LayerKind::Directive, _) => directive.body.slice(first?.range),
        (LayerKind::Hook, Some((hook, at))) if hook.name() == change.name => at,
        _ => return None,
    };
    let message = change.words(at.text(), None);
    Some((at, message))
}

/// The findings in hooks of the configuration, each for the largest prompt that the hook is the first to change.
fn configured(project: &Project<'_>) -> Vec<VolatilePlace> {
    let placed = project.configured_hooks().filter_map(|hook| Some((hook, place(hook, project)?)));
    // It takes all prompts to know the largest ones.
    let placed: Vec<(&Hook, Span)> =
        placed.filter(|(_, at)| project.reports(at.source().tier(), at.source().path())).collect();
    if placed.is_empty() {
        return Vec::new();
    }
    let prompts = largest(project);
    placed.into_par_iter().filter_map(|(hook, at)| finding(hook, at, &prompts, project)).collect()
}

fn finding(hook: &Hook, at: Span, prompts: &[LargePrompt<'_>], project: &Project<'_>) -> Option<VolatilePlace> {
    /// Further prompts are not rendered.
    const MOST: usize = 3;
    let affected = prompts.iter().filter(|prompt| prompt.known.truth(hook) != Truth::False);
    affected.take(MOST).find_map(|prompt| {
        let change = prompt.first_change(project)?;
        let is_own = change.kind == LayerKind::Hook && change.name == hook.name();
        is_own.then(|| (at.clone(), change.words(at.text(), Some(&prompt.file.id))))
    })
}

struct LargePrompt<'p> {
    bytes: usize,
    file: &'p LintFile,
    directive: &'p Directive,
    known: KnownContext,
    /// Rendered once for all hooks.
    change: OnceLock<Option<VolatileText>>,
}

impl LargePrompt<'_> {
    fn first_change(&self, project: &Project<'_>) -> Option<&VolatileText> {
        let change = || first_change(&project.composed(self.file, self.directive), project);
        self.change.get_or_init(change).as_ref()
    }
}

/// The prompts that may be large enough, largest first.
fn largest<'p>(project: &'p Project<'_>) -> Vec<LargePrompt<'p>> {
    let directives: Vec<(&LintFile, &Directive)> = project.directives().collect();
    let sized = directives.into_par_iter().filter_map(|(file, directive)| {
        let bytes = size::most_bytes_of(file, directive, project);
        let large = || LargePrompt {
            bytes,
            file,
            directive,
            known: KnownContext::of(&file.id, directive),
            change: OnceLock::new(),
        };
        is_much(bytes, project).then(large)
    });
    let mut prompts: Vec<LargePrompt<'_>> = sized.collect();
    prompts.sort_by_key(|prompt| std::cmp::Reverse(prompt.bytes));
    prompts
}

/// Where the text of a hook first changes: in the item if it is linted, or else in the hook.
fn place(hook: &Hook, project: &Project<'_>) -> Option<Span> {
    if !hook.shapes_a_fresh_thread() {
        return None;
    }
    project.hook_texts(hook).into_iter().find_map(|HookText { id, file, text }| {
        let first = of_hook(text.text(), project.protocol).find(HookPlaceholder::changes)?;
        match file.is_linted {
            true => text.slice(first.range).span(),
            false => Some(id.span.clone()),
        }
    })
}

#[cfg(test)]
mod volatile_text_tests {
    use crate::decide::request::{GivenInput, Request};
    use crate::fill::assemble;
    use crate::lint::LintOptions;
    use crate::lint::rule::RR504 as RULE;
    use crate::lint::testing::Example;
    use crate::lint::testing::examples;
    use crate::lint::testing::{found, tiers};
    use crate::read::protocol::Protocols;
    use crate::text::InputFrom;

    /// The finding agrees with the common prefix of the prompts of two runs.
    fn check_finding(example: Example, written: &str, of: &str) {
        let protocol = Protocols::default().get("rye-3").unwrap();
        let prompt = |value: &str| {
            let inputs = vec![GivenInput { name: "target".to_string(), value: value.into(), from: InputFrom::Flag }];
            let request = Request { inputs, ..Request::new("deploy") };
            let prompt = assemble::render(&request, &tiers(example), &protocol).unwrap();
            prompt.messages.iter().map(|message| message.text().to_string()).collect::<Vec<_>>()
        };
        let [left, right] = ["{input:target}", "?"].map(prompt);
        let at = left.iter().zip(&right).position(|(left, right)| left != right).unwrap();
        let same = left[at].bytes().zip(right[at].bytes()).take_while(|(left, right)| left == right).count();
        let tokens = |text: &str| text.chars().count().div_ceil(4);
        let before: usize = left[..at].iter().map(|text| tokens(text)).sum::<usize>() + tokens(&left[at][..same]);
        let after = tokens(&left[at][same + "{input:target}".len()..]);
        let messages: Vec<String> = found(example, &LintOptions::default()).into_iter().map(|it| it.message).collect();
        let expected = format!(
            "`{written}` changes from run to run, {before} tokens into {of}, and the {after} after it cannot be cached"
        );
        assert_eq!(messages, [expected]);
    }

    #[test]
    fn the_prefix_ends_where_two_runs_differ() {
        check_finding(examples(&RULE).bad, "{input:target}", "the prompt");
        check_finding(examples(&RULE).composed, "${inputs.target}", "the prompt of `deploy`");
    }
}
