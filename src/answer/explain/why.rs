//! How something got into the prompt, or why it did not.

mod name;
mod steps;

use std::collections::HashMap;
use std::slice;

use serde::Serialize;
use strum::VariantArray;

use name::{WhyName, near};
use steps::{CONDITION, asked_for, asks, chain_to, considered, in_message, in_palette, verdict};

use super::blame::{LayerPosition, layer_positions};
use super::hooks::{ItemMatch, PromptHooks, naming, reason};
use super::inclusion::{how_to_include, permitted};
use crate::decide::condition::shown;
use crate::diagnostic::Diagnostic;
use crate::prompt::{
    Decision, DecisionOutcome, FileOutcome, FileReason, FileState, HookRun, HookVerdict, Prompt, Setting, SettingValue,
    Slot,
};
use crate::read::item::HookAction;
use crate::read::store::{ItemId, ItemKind, Tiers};
use crate::text::Span;
use crate::text::nearest::did_you_mean;

#[derive(Debug)]
pub struct WhyPaths {
    pub item: String,
    /// The decisions about it in order, then hooks without a decision, then its place in the extends chain.
    pub paths: Vec<WhyPath>,
    pub unrequested: Vec<UnrequestedItem>,
}

#[derive(Debug, Default)]
pub struct WhyPath {
    pub title: String,
    /// `None` for a setting, for a directive of the chain, and for a hook whose event does not occur.
    pub decision: Option<usize>,
    pub hook: Option<JudgedHook>,
    pub is_setting: bool,
    pub is_in_use: bool,
    pub outcome: &'static str,
    /// The index of the first path, if this is another duplicate requested by the same item.
    pub again: Option<usize>,
    pub steps: Vec<WhyStep>,
}

#[derive(Debug, Clone, Copy)]
pub struct JudgedHook {
    pub index: usize,
    pub step: usize,
}

#[derive(Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WhyStep {
    /// A step as a clause.
    pub what: String,
    #[serde(rename = "source")]
    pub span: Option<Span>,
}

/// An existing item that nothing in the prompt requests.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnrequestedItem {
    pub what: String,
    #[serde(rename = "source")]
    pub span: Option<Span>,
    /// Why nothing requests it, or what would include it.
    pub why: String,
    /// A permission that names it but has no effect.
    #[serde(skip)]
    pub permission: Option<Span>,
}

impl WhyPaths {
    /// # Errors
    ///
    /// Nothing in the prompt or a tier has that name, or a tier cannot be read.
    pub fn new(typed: &str, prompt: &Prompt, tiers: &Tiers) -> Result<Self, Diagnostic> {
        let mut asked = WhyName::new(typed);
        asked.tool = prompt.tools.iter().find(|tool| tool.name == asked.name).map(|tool| tool.item_id.as_str());
        let (layer_positions, hooks) = (layer_positions(prompt), PromptHooks::new(prompt));
        let mut paths: Vec<WhyPath> = Vec::new();
        // The first duplicate per requester.
        let mut duplicates = HashMap::new();
        if let Some(setting) = prompt.settings.iter().find(|setting| asked.means_setting(&setting.name)) {
            paths.push(WhyPath::of_setting(setting));
        }
        let of_items = prompt.decisions.iter().enumerate().filter(|(_, decision)| !prompt.is_about_setting(decision));
        for (index, decision) in of_items {
            let hook = hooks.of(decision);
            // A hook that does not apply has no decision about its items.
            let names = |hook: usize| asked.is_named_by(&prompt.hooks[hook].hook.actions) == Some(ItemMatch::Sure);
            let is_meant = asked.means(decision) || asked.means_in_folder(decision, prompt);
            if is_meant || (decision.item.is_none() && hook.is_some_and(names)) {
                let first = duplicates.get(&duplicate(decision)).copied().filter(|_| is_duplicate(decision));
                if first.is_none() && is_duplicate(decision) {
                    duplicates.insert(duplicate(decision), paths.len());
                }
                paths.push(match first {
                    Some(first) => WhyPath::again(first, index, decision, prompt),
                    None => WhyPath::of(index, decision, hook, &hooks, &asked, &layer_positions, prompt),
                });
            }
        }
        let undecided = hooks.undecided().filter(|(_, run)| {
            asked.means_hook(&run.hook) || asked.is_named_by(&run.hook.actions) == Some(ItemMatch::Sure)
        });
        paths.extend(undecided.map(|(index, run)| WhyPath::of_hook(index, run, &hooks, &asked)));
        if let Some(index) =
            prompt.chain.iter().position(|member| asked.kind_is(ItemKind::Directive) && member.id == asked.name)
            && !paths.iter().any(|path| path.is_about_the_directive(prompt))
        {
            paths.push(WhyPath::of_member(index, prompt));
        }
        if paths.is_empty() {
            let is_meant = |file: &&FileOutcome| {
                prompt.subject.calls(&file.path, asked.name) || asked.is_skill_file(&file.path, prompt)
            };
            paths.extend(prompt.files.iter().filter(is_meant).map(|file| WhyPath::of_file(file, prompt)));
        }
        let mut unrequested = if paths.is_empty() { unrequested(&asked, prompt, tiers)? } else { Vec::new() };
        if paths.is_empty() && unrequested.is_empty() {
            let (elsewhere, kinds) = match prompt.subject.directive() {
                Some(_) => {
                    (" or in any tier", "the id of a knowledge item, a hook, a tool or a directive, or a setting")
                }
                None => ("", "the name of a skill or a tool, the path of a file, or part of a guideline"),
            };
            let what = format!("--why {typed}: nothing has that name in this prompt{elsewhere}");
            let help =
                did_you_mean(near(&asked, prompt, tiers), format!("give {kinds}; leave --why out to list them all"));
            return Err(Diagnostic::invalid(what, help));
        }
        if paths.is_empty() {
            unrequested.extend(may_ask(&asked, prompt));
        }
        Ok(Self { item: typed.to_string(), paths, unrequested })
    }
}

/// Whether it is left out because an earlier request in the chain is in use.
fn is_duplicate(decision: &Decision) -> bool {
    decision.outcome == DecisionOutcome::Duplicate && decision.slot.element().is_some()
}

/// The identity of a duplicate: requester, slot and name.
fn duplicate(decision: &Decision) -> (Option<&str>, Slot, &str) {
    (decision.declared_by.as_ref().map(|by| by.by.as_str()), decision.slot, &decision.name)
}

impl WhyPath {
    /// Another duplicate of the path `first`.
    fn again(first: usize, index: usize, decision: &Decision, prompt: &Prompt) -> Self {
        let asks = decision.declared_by.as_ref().map(|by| asks(decision, by, prompt));
        Self {
            title: decision.title(),
            decision: Some(index),
            outcome: decision.outcome.phrase(),
            again: Some(first),
            steps: asks.into_iter().chain([verdict(decision)]).collect(),
            ..Self::default()
        }
    }

    fn of(
        index: usize,
        decision: &Decision,
        hook: Option<usize>,
        hooks: &PromptHooks,
        asked: &WhyName,
        layer_positions: &[Option<LayerPosition>],
        prompt: &Prompt,
    ) -> Self {
        let (mut steps, hook) = match hook {
            Some(index) => {
                let is_meant = |action: &HookAction| match &decision.item {
                    Some(item) => naming(slice::from_ref(action), |kind| kind == item.kind, &item.id).is_some(),
                    None => asked.is_named_by(slice::from_ref(action)).is_some(),
                };
                let does = if decision.outcome.is_in_use() { "its action:" } else { "it would" };
                let steps = considered(index, &prompt.hooks[index], hooks, is_meant, does);
                (steps, Some(JudgedHook { index, step: CONDITION }))
            }
            None => (asked_for(decision, prompt), None),
        };
        // The previous step already gives the reason, or that the condition is false.
        let is_plain = match decision.outcome {
            DecisionOutcome::Included => {
                decision.slot.element().is_some() || decision.slot == Slot::UserDirective || hook.is_some()
            }
            DecisionOutcome::ConditionFalse => hook.is_some(),
            _ => false,
        };
        if !is_plain {
            steps.push(verdict(decision));
        }
        steps.extend(noted(&decision.name, prompt));
        match decision.slot {
            Slot::Palette => steps.extend(in_palette(decision, prompt)),
            _ => steps.extend(in_message(decision, layer_positions, prompt)),
        }
        Self {
            title: decision.title(),
            decision: Some(index),
            hook,
            is_in_use: decision.outcome.is_in_use(),
            outcome: match hook.map(|judged| &prompt.hooks[judged.index]) {
                Some(run) if run.results.is_empty() && run.verdict != HookVerdict::Applies => run.verdict.phrase(),
                _ => decision.outcome.phrase(),
            },
            steps,
            ..Self::default()
        }
    }

    fn of_hook(index: usize, run: &HookRun, hooks: &PromptHooks, asked: &WhyName) -> Self {
        let is_meant = |action: &HookAction| asked.is_named_by(slice::from_ref(action)).is_some();
        let mut steps = considered(index, run, hooks, is_meant, "it would");
        steps.push(WhyStep { what: reason(run), span: run.by.as_ref().and_then(|by| by.span.clone()) });
        Self {
            title: format!("hook {}", run.hook.name()),
            hook: Some(JudgedHook { index, step: CONDITION }),
            outcome: run.verdict.phrase(),
            steps,
            ..Self::default()
        }
    }

    fn of_setting(setting: &Setting) -> Self {
        let step = |does: &str, SettingValue { value, by }: &SettingValue| {
            let by_flag = if by.span.is_none() { format!(", by {}", by.by) } else { String::new() };
            WhyStep { what: format!("{does} {}{by_flag}", shown(value)), span: by.span.clone() }
        };
        let overrides = setting.overrides.iter().map(|value| step("it overrides", value));
        Self {
            title: setting.name.clone(),
            is_setting: true,
            is_in_use: setting.is_used,
            outcome: if setting.is_used { "in use" } else { "not in use" },
            steps: [step("it is", &setting.set)].into_iter().chain(overrides).collect(),
            ..Self::default()
        }
    }

    /// A file that has a state but no decision: settings, or a file that the agent does not read.
    fn of_file(file: &FileOutcome, prompt: &Prompt) -> Self {
        let is_in_use = file.state == FileState::Applied;
        let outcome = if is_in_use { "applied" } else { "not read" };
        let reason = file.why.map_or("its values count", FileReason::phrase);
        let span = file.by.as_ref().and_then(|by| by.span.clone());
        let by = file.by.as_ref().map(|by| WhyStep { what: by.decides(), span });
        let steps = by.into_iter().chain([WhyStep { what: format!("{outcome}: {reason}"), span: None }]);
        let steps = steps.chain(noted(&file.path, prompt)).collect();
        Self { title: file.path.clone(), is_in_use, outcome, steps, ..Self::default() }
    }

    fn of_member(index: usize, prompt: &Prompt) -> Self {
        let member = &prompt.chain[index];
        let mut steps = chain_to(index, prompt, false);
        let what = match member.directive {
            Some(_) => "its file".to_string(),
            None => "its file, which cannot be used, so it contributes nothing".to_string(),
        };
        steps.push(WhyStep { what, span: Some(member.source.span(0..0)) });
        Self {
            title: format!("directive {}", member.id),
            is_in_use: true,
            outcome: "in the chain",
            steps,
            ..Self::default()
        }
    }

    /// Whether it is the decision about the requested directive.
    fn is_about_the_directive(&self, prompt: &Prompt) -> bool {
        self.decision.is_some_and(|index| prompt.decisions[index].slot == Slot::UserDirective)
    }
}

fn unrequested(asked: &WhyName, prompt: &Prompt, tiers: &Tiers) -> Result<Vec<UnrequestedItem>, Diagnostic> {
    let mut all = Vec::new();
    for member in prompt.chain.iter().filter(|_| asked.is_hook != Some(false)) {
        let is_leaf = prompt.chain.last().is_some_and(|leaf| std::ptr::eq(leaf, member));
        let hooks = member.directive.iter().flat_map(|directive| &directive.hooks);
        all.extend(hooks.filter(|hook| hook.id.as_deref() == Some(asked.name)).map(|hook| UnrequestedItem {
            what: format!("hook {} of {}", asked.name, member.id),
            span: hook.span.clone(),
            why: match is_leaf {
                true => "hooks do not apply in this mode or protocol".to_string(),
                false => "the hooks of a parent do not apply, only those of the requested directive".to_string(),
            },
            permission: None,
        }));
    }
    let Ok(id) = ItemId::parse(asked.name) else { return Ok(all) };
    for kind in ItemKind::VARIANTS.iter().copied().filter(|&kind| asked.kind_is(kind)) {
        if let Some(found) = tiers.find(kind, &id)? {
            let (why, permission) = match permitted(kind, id.as_str(), prompt) {
                Some(permitted) => permitted,
                None => (how_to_include(kind, id.as_str(), prompt), None),
            };
            all.push(UnrequestedItem {
                what: format!("{} {id}", kind.into_str()),
                span: Some(found.source.span(0..0)),
                why,
                permission,
            });
        }
    }
    Ok(all)
}

/// What else decided about a file of an agent.
fn noted<'p>(path: &'p str, prompt: &'p Prompt) -> impl Iterator<Item = WhyStep> {
    let notes = prompt.notes.iter().filter(move |note| note.path == path).flat_map(|note| &note.steps);
    notes.map(|(what, span)| WhyStep { what: what.clone(), span: span.clone() })
}

/// Hooks that do not apply and whose placeholders may expand to the id.
fn may_ask(asked: &WhyName, prompt: &Prompt) -> Vec<UnrequestedItem> {
    let runs = prompt.hooks.iter().filter(|run| run.results.is_empty());
    let may = runs.filter(|run| asked.is_named_by(&run.hook.actions) == Some(ItemMatch::Maybe));
    may.map(|run| UnrequestedItem {
        what: format!("hook {}", run.hook.name()),
        span: run.hook.span.clone(),
        why: format!("its item id has placeholders that may expand to this id; {}", reason(run)),
        permission: None,
    })
    .collect()
}

#[cfg(test)]
mod tests;
