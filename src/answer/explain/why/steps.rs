//! The steps by which something got into the prompt, or did not.

use super::{WhyStep, is_duplicate};
use crate::answer::explain::blame::{LayerPosition, message_name};
use crate::answer::explain::hooks::{PromptHooks, action_phrase, placement};
use crate::decide::condition::Truth;
use crate::prompt::{Decision, DecisionOutcome, Declared, HookRun, HookVerdict, Prompt, Slot};
use crate::read::item::HookAction;
use crate::text::numbers::{count, thousands};
use crate::text::tokens::Tokenizer;

/// The path from the requested directive to what requests the item.
pub(super) fn asked_for(decision: &Decision, prompt: &Prompt) -> Vec<WhyStep> {
    // A tool in the palette is requested by its grant.
    let requested_by = match decision.slot {
        Slot::Palette => decision.declared_by.as_ref().or(decision.by.as_ref()),
        _ => decision.declared_by.as_ref(),
    };
    let Some(requested_by) = requested_by else { return set_by(decision, prompt) };
    if decision.slot == Slot::UserDirective {
        return vec![WhyStep { what: format!("{} asks for it", requested_by.by), span: requested_by.span.clone() }];
    }
    let mut steps = match prompt.chain.iter().position(|member| member.id == requested_by.by) {
        Some(index) => chain_to(index, prompt, is_duplicate(decision)),
        None => Vec::new(),
    };
    steps.push(asks(decision, requested_by, prompt));
    steps
}

/// The setting that decided about a file. Another file that takes its place is named with the outcome.
fn set_by(decision: &Decision, prompt: &Prompt) -> Vec<WhyStep> {
    let by = decision.by.as_ref().filter(|by| prompt.agent.is_some() && by.span.is_some());
    let by = by.filter(|_| decision.outcome != DecisionOutcome::Shadowed);
    by.map(|by| WhyStep { what: by.decides(), span: by.span.clone() }).into_iter().collect()
}

pub(super) fn asks(decision: &Decision, requested_by: &Declared, prompt: &Prompt) -> WhyStep {
    let what = match decision.slot {
        slot if let Some(element) = slot.element() => format!("{} declares it in {element}", requested_by.by),
        Slot::Palette => granted(requested_by, prompt),
        Slot::UserInstruction => format!("{} begins with it", requested_by.by),
        Slot::SystemSkills => "it is a skill".to_string(),
        _ => format!("{} asks for it", requested_by.by),
    };
    WhyStep { what, span: requested_by.span.clone() }
}

const LONG_CHAIN: usize = 8;

/// From the requested directive up to a member of the chain; a long path is shortened if `is_short`.
pub(super) fn chain_to(index: usize, prompt: &Prompt, is_short: bool) -> Vec<WhyStep> {
    let Some(leaf) = prompt.chain.last() else { return Vec::new() };
    let mut steps =
        vec![WhyStep { what: format!("{}, the requested directive", leaf.id), span: Some(leaf.source.span(0..0)) }];
    let links = prompt.chain.len() - 1 - index;
    if is_short && links > LONG_CHAIN {
        let what = format!("{} of the chain lead to {}", count(links, "link"), prompt.chain[index].id);
        steps.push(WhyStep { what, span: None });
        return steps;
    }
    for (above, member) in prompt.chain[index..].windows(2).rev().map(|pair| (&pair[0], &pair[1])) {
        let (by, span) = member.extends.as_ref().map_or(("", None), |by| (by.by.as_str(), by.span.clone()));
        let what = if by.is_empty() || by == member.id {
            format!("{} extends {}", member.id, above.id)
        } else {
            format!("{by} makes {} extend {}", member.id, above.id)
        };
        steps.push(WhyStep { what, span });
    }
    steps
}

pub(super) fn granted(by: &Declared, prompt: &Prompt) -> String {
    let all = prompt.permissions.iter().chain(&prompt.capabilities);
    let grant = all.into_iter().find(|grant| grant.by.by == by.by && grant.by.span == by.span);
    match grant {
        Some(grant) => format!("{} grants {}", by.by, grant.capability),
        None => by.decides(),
    }
}

pub(super) const CONDITION: usize = 2;

/// A hook: its event, its place in the order, its condition and its actions.
pub(super) fn considered(
    index: usize,
    run: &HookRun,
    hooks: &PromptHooks,
    is_meant: impl Fn(&HookAction) -> bool,
    does: &str,
) -> Vec<WhyStep> {
    let HookRun { hook, judgement, verdict, why, .. } = run;
    let event = if hook.event.is_empty() { "no event" } else { &hook.event };
    let (place, all) = hooks.place(index);
    let order = match verdict {
        HookVerdict::NotFired => placement(hook),
        _ => format!("{place} of {all} in order of evaluation: {}", placement(hook)),
    };
    let condition = match judgement.truth {
        _ if *verdict == HookVerdict::Unknown => why.as_str(),
        _ if hook.condition.is_empty() => "it has no condition",
        Some(Truth::True) => "its condition holds",
        Some(Truth::False) => "its condition is false",
        Some(Truth::Unknown) => "its condition depends on a value that is not known here",
        None => "its condition is not evaluated",
    };
    let mut steps = vec![
        WhyStep { what: format!("it runs on {event}"), span: hook.span.clone() },
        WhyStep { what: order, span: None },
        WhyStep { what: condition.to_string(), span: None },
    ];
    let named: Vec<_> = hook.actions.iter().filter(|action| is_meant(action)).collect();
    // It may be unknown which action is meant.
    let actions = if named.is_empty() { hook.actions.iter().collect() } else { named };
    steps.extend(
        actions
            .into_iter()
            .map(|action| WhyStep { what: format!("{does} {}", self::action_phrase(action)), span: None }),
    );
    steps
}

/// The reason, and its place if that differs from the declaration.
pub(super) fn verdict(decision: &Decision) -> WhyStep {
    let what = match decision.outcome.is_in_use() {
        true => format!("{}: {}", decision.phrase(), decision.why),
        false => decision.reason(),
    };
    let is_elsewhere = |by: &&Declared| decision.declared_by.as_ref().is_some_and(|asked| asked.span != by.span);
    let span = decision.by.as_ref().filter(is_elsewhere).and_then(|by| by.span.clone());
    WhyStep { what, span }
}

pub(super) fn in_message(
    decision: &Decision,
    layer_positions: &[Option<LayerPosition>],
    prompt: &Prompt,
) -> Vec<WhyStep> {
    let Some(index) = decision.layer.filter(|_| decision.outcome.is_in_use()) else { return Vec::new() };
    let Some(layer) = prompt.layers.get(index) else { return Vec::new() };
    let position = layer_positions.get(index).and_then(Option::as_ref);
    let mut steps = Vec::new();
    if let Some(span) = layer.taken_from(position.map(|position| &position.part)) {
        steps.push(WhyStep { what: "its text".to_string(), span: Some(span) });
    }
    if let Some(LayerPosition { message, lines, .. }) = position {
        let (first, last) = (thousands(*lines.start()), thousands(*lines.end()));
        let lines = if first == last { format!("line {first}") } else { format!("lines {first}-{last}") };
        steps.push(WhyStep { what: format!("{}, {lines}", message_name(prompt, *message)), span: None });
    }
    steps
}

pub(super) fn in_palette(decision: &Decision, prompt: &Prompt) -> Vec<WhyStep> {
    let mut steps = Vec::new();
    if let Some(span) = decision.item.as_ref().and_then(|item| item.span.clone()) {
        steps.push(WhyStep { what: "its file".to_string(), span: Some(span.slice(0..0)) });
    }
    let tool = prompt.tools.iter().find(|tool| tool.item_id == decision.name && decision.outcome.is_in_use());
    if let Some(tool) = tool {
        // The budget is measured in these tokens.
        let tokens = count(Tokenizer::Chars4.count(&tool.text()), "token");
        let budget = match prompt.budget {
            Some(budget) if tool.source.is_some() => {
                format!("; all tools use {} of {}", thousands(budget.used), count(budget.limit, "token"))
            }
            Some(_) => ", outside the budget".to_string(),
            None => String::new(),
        };
        steps.push(WhyStep { what: format!("palette, as {}: {tokens}{budget}", tool.name), span: None });
    }
    steps
}
