//! What a thread sends, in order: hooks, the items of the chain, and the directive.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use crate::decide::request::{Mode, Redact, Request, ThreadEvent};
use crate::diagnostic::{Diagnostic, Problem};
use crate::fill::directive_prompt::own_prompt;
use crate::fill::interpolate::{as_value, hook};
use crate::prompt::{DecisionOutcome, Declared, Grant, HookVerdict, ItemRef, LayerKind, Slot};
use crate::read::item::{Directive, Hook, ROUTING_EVENT};
use crate::read::protocol::{PromptPart, Returns};
use crate::read::store::{ItemId, ItemKind, last_segment};
use crate::read::tool::ReturnSentence;
use crate::text::{Origin, Traced};

use super::context;
use super::hook_context::{self, ThreadFacts, Unknown};
use super::hooks::{self, HookEvent};
use super::items::Contribution;
use super::plan::{HookOutcome, PlanEntry, Planner, Suppressions};
use super::{Leaf, Surroundings, diagnose, what_if};

/// The item whose text introduces a directive if no hook does.
pub(crate) const INSTRUCTION_ITEM: &str = "rye/agent/core/DirectiveInstruction";

/// Introduces a directive if no tier has [`INSTRUCTION_ITEM`]. The documents name it but do not give its text.
const INSTRUCTION: &str = "Carry out the directive below now, step by step.";

impl Planner<'_> {
    /// A managed thread: hooks and the chain's items around the directive, or around the earlier messages.
    pub fn thread(&mut self, leaf: &Leaf, around: &Surroundings, capabilities: &[Grant]) -> Result<(), Diagnostic> {
        let hooks = in_order(&leaf.directive, around);
        let directive_body = directive_body(self.request, leaf);
        let thread = ThreadFacts {
            request: self.request,
            directive: &leaf.directive,
            directive_body: as_value("directive_body", &directive_body),
            limits: &around.limits,
            limits_removed_by: around.configuration.limits_removed_by.as_ref(),
            capabilities,
            unknown: Unknown::of(leaf),
        };
        let event = |name, before, after| HookEvent { name, context: thread.context(name), before, after };

        let system = event("build_system_prompt", Slot::SystemHooksBefore, Slot::SystemHooksAfter);
        self.hooks(&hooks, &system, leaf, around)?;
        self.declared(Slot::SystemChain, around)?;

        let started = self.request.event == ThreadEvent::Started;
        let user = event(self.request.event.into_str(), Slot::UserHooksBefore, Slot::UserHooksAfter);
        self.hooks(&hooks, &user, leaf, around)?;
        if started {
            self.declared(Slot::UserChainBefore, around)?;
            self.directive(leaf)?;
            self.declared(Slot::UserChainAfter, around)?;
        } else {
            self.not_sent_again(leaf, around);
            self.earlier_messages();
        }
        self.idle(&hooks, &thread, leaf);
        what_if::check_names(self.request, self.protocol, &hooks, &[system.name, user.name], &self.plan)?;
        self.base_names(&around.suppressions);
        Ok(())
    }

    /// Warns about suppressions that name only the last segment of an id, and so match nothing.
    fn base_names(&mut self, suppressions: &Suppressions) {
        let entries = &self.plan.entries;
        let names: HashSet<&str> = entries.iter().map(|entry| entry.decision.name.as_str()).collect();
        let ids = entries.iter().filter_map(|entry| entry.decision.item.as_ref()).map(|item| item.id.as_str());
        let by_last: HashMap<&str, &str> = ids.rev().map(|id| (last_segment(id), id)).collect();
        for (name, declared) in suppressions.iter().filter(|(name, _)| !name.contains('/')) {
            if names.contains(name.as_str()) {
                continue;
            }
            if let Some(id) = by_last.get(name.as_str()) {
                let problem = Problem::SuppressBaseName { name: name.clone(), id: id.to_string() };
                self.diagnostics.push(diagnose(problem, &declared.span));
            }
        }
    }

    /// A directive without hooks or chain; in-thread, only the instruction and the body.
    pub fn alone(&mut self, leaf: &Leaf) -> Result<(), Diagnostic> {
        let in_thread = self.request.mode == Mode::InThread;
        if in_thread || self.protocol.parts.contains(&PromptPart::Instruction) {
            self.instruction()?;
        }
        if !in_thread {
            return self.directive(leaf);
        }
        let entry = self.directive_entry(leaf);
        self.plan.entries.push(entry.included(leaf.body.clone(), "the requested directive"));
        Ok(())
    }

    fn hooks(
        &mut self,
        hooks: &[&Hook],
        event: &HookEvent,
        leaf: &Leaf,
        around: &Surroundings,
    ) -> Result<(), Diagnostic> {
        let protocol = self.protocol;
        let context = &event.context.values;
        let redact = self.request.redact;
        let [values, id_values] = [redact, Redact::default()].map(|redact| {
            hook::Values::new(context, &leaf.inputs, protocol, redact).with_sources(&event.context.sources)
        });
        let suppressions = &around.suppressions;
        let mut run = hooks::EventHooks { event, values: &values, id_values: &id_values, suppressions, planner: self };
        hooks.iter().filter(|hook| hook.event == event.name).try_for_each(|hook| run.hook(hook))
    }

    /// Records, event by event, the hooks whose events do not occur for this prompt.
    fn idle(&mut self, hooks: &[&Hook], thread: &ThreadFacts<'_>, leaf: &Leaf) {
        if !self.runs.is_wanted {
            return;
        }
        let event = self.request.event;
        let fires = ["build_system_prompt", event.into_str()];
        let mut idle: IndexMap<&str, Vec<&Hook>> = IndexMap::new();
        for hook in hooks.iter().filter(|hook| !fires.contains(&hook.event.as_str())) {
            if !hook.routes() || self.protocol.routing.is_none() {
                idle.entry(&hook.event).or_default().push(hook);
            }
        }
        for (name, hooks) in idle {
            let routing = || hook_context::routing(self.request, leaf, self.protocol);
            let context = if name == ROUTING_EVENT { routing() } else { thread.context(name) };
            let why = match (name, self.protocol.routing) {
                ("thread_started", _) => "a resumed thread has already started",
                ("thread_continued", _) => "this thread is new, not resumed",
                (ROUTING_EVENT, Some(_)) => {
                    "only builtin_hooks and the hooks.yaml files of the project and the user set a parent"
                }
                (ROUTING_EVENT, None) => &format!("{} has no routing", self.protocol.name),
                _ => "this event adds no message to a prompt",
            };
            for hook in hooks {
                let left_out = what_if::left_out(&self.request.what_if, hook);
                let fate = left_out.unwrap_or_else(|| HookOutcome::new(HookVerdict::NotFired, why, None));
                self.runs.add(hook, &context, None, fate, []);
            }
        }
    }

    fn directive_entry(&self, leaf: &Leaf) -> PlanEntry {
        let id = self.request.directive.id.clone();
        let span = leaf.directive.source.whole();
        let declared = Declared { by: "the request".to_string(), span: None };
        let mut entry = PlanEntry::new(id.clone(), Slot::UserDirective, LayerKind::Directive, declared);
        entry.decision.item = Some(ItemRef { kind: ItemKind::Directive, id, span: Some(span) });
        entry
    }

    fn directive(&mut self, leaf: &Leaf) -> Result<(), Diagnostic> {
        let package = self.package_sentence(leaf)?;
        let (content, body) = (leaf.content.clone(), leaf.body.clone());
        let (text, found) = own_prompt(&leaf.directive, content, body, self.protocol, package)?;
        self.diagnostics.extend(found);
        let entry = self.directive_entry(leaf);
        self.plan.entries.push(entry.included(text, "the requested directive"));
        Ok(())
    }

    /// The sentence of the system tier that asks for the outputs, or a note that the documents' wording is used.
    fn package_sentence(&mut self, leaf: &Leaf) -> Result<Option<ReturnSentence>, Diagnostic> {
        let Some(first) = leaf.directive.outputs.first() else { return Ok(None) };
        let only_installed = match self.protocol.returns {
            Returns::Installed => true,
            Returns::Package => false,
            Returns::Elements | Returns::Call | Returns::Template(_) => return Ok(None),
        };
        let sentence = self.items.package_sentence(only_installed)?;
        if sentence.is_none() && (!only_installed || self.tiers.list().iter().any(|tier| tier.modules.is_some())) {
            self.diagnostics.push(diagnose(Problem::ReturnsNotOfPackage, &first.span));
        }
        Ok(sentence)
    }

    fn instruction(&mut self) -> Result<(), Diagnostic> {
        let by = Declared { by: format!("protocol {}", self.protocol.name), span: None };
        let mut entry = PlanEntry::new(INSTRUCTION_ITEM, Slot::UserInstruction, LayerKind::Instruction, by);
        let id = ItemId::parse(INSTRUCTION_ITEM)
            .map_err(|reason| Diagnostic::new(Problem::InvalidId { id: INSTRUCTION_ITEM.to_string(), reason }))?;
        let contribution = self.items.declared_text(&id, self.diagnostics)?;
        let text = match contribution {
            Contribution::Text { text, item, .. } => {
                entry.decision.item = Some(item);
                entry.included(text, "it introduces the directive")
            }
            Contribution::Nothing { .. } | Contribution::Missing => {
                entry.included(Traced::protocol(INSTRUCTION), "no tier has the item, so the built-in text is used")
            }
        };
        self.plan.entries.push(text);
        Ok(())
    }

    /// Records what a resumed thread sent when it started and does not send again.
    fn not_sent_again(&mut self, leaf: &Leaf, around: &Surroundings) {
        let why = "a resumed thread does not send it again";
        for slot in [Slot::UserChainBefore, Slot::UserChainAfter] {
            let items = context::items_at(slot, &around.chain, &self.request.what_if);
            self.plan.entries.extend(items.map(|item| item.entry(slot).left_out(DecisionOutcome::NotRun, why)));
        }
        let entry = self.directive_entry(leaf);
        self.plan.entries.push(entry.left_out(DecisionOutcome::NotRun, why));
    }

    fn earlier_messages(&mut self) {
        for (index, message) in self.request.messages.iter().enumerate() {
            let by = Declared { by: "--messages".to_string(), span: None };
            let name = format!("{} {}", message.role.into_str(), index + 1);
            let text = Traced::of(&message.text, Origin::Argument("messages".into()));
            let entry = PlanEntry::new(name, Slot::Earlier, LayerKind::Message, by);
            self.plan.entries.push(entry.included(text, "an earlier message is sent unchanged"));
        }
    }
}

/// All hooks by layer, and within a layer by origin.
fn in_order<'a>(directive: &'a Directive, around: &'a Surroundings) -> Vec<&'a Hook> {
    let mut hooks: Vec<&Hook> = around.configuration.hooks.iter().chain(&directive.hooks).collect();
    let by_layer = |left: &&Hook, right: &&Hook| left.effective_layer().total_cmp(&right.effective_layer());
    hooks.sort_by(|left, right| by_layer(left, right).then(left.origin.cmp(&right.origin)));
    hooks
}

fn directive_body(request: &Request, leaf: &Leaf) -> Traced {
    let id = Traced::of(&request.directive.id, Origin::Derived(leaf.directive.source.span(0..0)));
    let description = leaf.directive.description.as_ref().map(|field| &field.text);
    let parts = [Some(&id), description, Some(&leaf.body)].into_iter().flatten();
    Traced::join(parts.filter(|part| !part.is_empty()), "\n")
}
