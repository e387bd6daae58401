use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::directive_prompt::own_prompt;
use crate::interpolate::hook;
use crate::item::{Directive, Hook, HookOrigin, ROUTING_EVENT};
use crate::prompt::{Declared, Grant, HookVerdict, ItemRef, LayerKind, Outcome, Slot};
use crate::protocol::{ChainText, Part, Protocol};
use crate::request::{Mode, Redact, Request, ThreadEvent};
use crate::store::{ItemId, ItemKind, last_segment};
use crate::text::{Origin, Traced};

use super::context;
use super::hook_context::{self, Thread, Unknown};
use super::hook_runs::{Fate, HookRuns};
use super::hooks::{self, HookEvent, Suppressions};
use super::items::{Contribution, Items};
use super::plan::{Entry, Plan};
use super::{Leaf, Surroundings, what_if};

/// The item whose text introduces a directive where no hook does.
pub(crate) const INSTRUCTION_ITEM: &str = "rye/agent/core/DirectiveInstruction";

/// What introduces a directive where no tier has that item. The documents name this constant and leave its words open.
const INSTRUCTION: &str = "Carry out the directive below now, step by step.";

/// Considers everything that may stand in a message, in assembly order.
pub(super) struct Planner<'a> {
    pub request: &'a Request,
    pub protocol: &'a Protocol,
    pub items: Items<'a>,
    pub plan: Plan,
    pub runs: HookRuns,
    pub diagnostics: &'a mut Vec<Diagnostic>,
}

impl Planner<'_> {
    /// A managed thread: hooks and the chain's items around the directive, or around the earlier messages.
    pub fn thread(&mut self, leaf: &Leaf, around: &Surroundings, capabilities: &[Grant]) -> Result<(), Diagnostic> {
        let hooks = in_order(&leaf.directive, around);
        let directive_body = directive_body(self.request, leaf);
        let thread = Thread {
            request: self.request,
            directive_body: &directive_body,
            model: &leaf.model.effective,
            limits: &around.limits,
            capabilities,
            unknown: Unknown::of(leaf),
        };
        let event = |name, context, before, after| HookEvent { name, context, before, after };

        let system =
            event("build_system_prompt", thread.system_prompt(), Slot::SystemHooksBefore, Slot::SystemHooksAfter);
        self.hooks(&hooks, &system, leaf, around)?;
        self.declared(Slot::SystemChain, around)?;

        let started = self.request.event == ThreadEvent::Started;
        let context = if started { thread.started() } else { thread.continued() };
        let user = event(self.request.event.into_str(), context, Slot::UserHooksBefore, Slot::UserHooksAfter);
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

    /// Warns of suppressions that name no more than the last segment of something.
    fn base_names(&mut self, suppressions: &Suppressions) {
        let entries = &self.plan.entries;
        let names: HashSet<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        let ids = entries.iter().filter_map(|entry| entry.item.as_ref()).map(|item| item.id.as_str());
        let by_last: HashMap<&str, &str> = ids.rev().map(|id| (last_segment(id), id)).collect();
        for (name, declared) in suppressions.iter().filter(|(name, _)| !name.contains('/')) {
            if names.contains(name.as_str()) {
                continue;
            }
            if let Some(id) = by_last.get(name.as_str()) {
                let problem = Problem::SuppressBaseName { name: name.clone(), id: id.to_string() };
                self.diagnostics.push(Diagnostic { problem, at: declared.span.clone().map(Location::Span) });
            }
        }
    }

    /// A directive without hooks and chain: the instruction and, in-thread, the body alone.
    pub fn alone(&mut self, leaf: &Leaf) -> Result<(), Diagnostic> {
        let in_thread = self.request.mode == Mode::InThread;
        if in_thread || self.protocol.parts.contains(&Part::Instruction) {
            self.instruction()?;
        }
        if !in_thread {
            return self.directive(leaf);
        }
        let entry = self.directive_entry(leaf);
        self.plan.entries.push(entry.included(leaf.body.clone(), "the directive asked for"));
        Ok(())
    }

    fn hooks(
        &mut self,
        hooks: &[&Hook],
        event: &HookEvent,
        leaf: &Leaf,
        around: &Surroundings,
    ) -> Result<(), Diagnostic> {
        let fallback = self.protocol.fallback_operator;
        let context = &event.context.values;
        let values = hook::Values::new(context, &leaf.inputs, fallback, self.request.redact);
        let id_values = hook::Values::new(context, &leaf.inputs, fallback, Redact::default());
        let mut run = hooks::Run {
            event,
            values: &values,
            id_values: &id_values,
            suppressions: &around.suppressions,
            protocol: self.protocol,
            what_if: &self.request.what_if,
            items: &mut self.items,
            runs: &mut self.runs,
            diagnostics: self.diagnostics,
        };
        for hook in hooks.iter().filter(|hook| hook.event == event.name) {
            run.hook(hook, &mut self.plan.entries)?;
        }
        Ok(())
    }

    /// The hooks that wait for something that does not happen in this prompt, event by event.
    fn idle(&mut self, hooks: &[&Hook], thread: &Thread<'_>, leaf: &Leaf) {
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
            let (context, why) = match name {
                "thread_started" => (thread.started(), "a resumed thread has started before".to_string()),
                "thread_continued" => (thread.continued(), "a fresh thread is not resumed".to_string()),
                ROUTING_EVENT => (
                    hook_context::routing(self.request, leaf),
                    match self.protocol.routing {
                        Some(_) => "only builtin_hooks and the hooks.yaml of project and user set a parent".to_string(),
                        None => format!("{} asks no hook for a parent", self.protocol.name),
                    },
                ),
                _ => (thread.running(), "no message of a prompt is made at this event".to_string()),
            };
            for hook in hooks {
                let fate = if what_if::leaves_out(&self.request.what_if, hook) {
                    Fate::decided(HookVerdict::LeftOut, what_if::LEFT_OUT, Some(what_if::flag("--without-hook")))
                } else {
                    Fate::decided(HookVerdict::NotFired, why.as_str(), None)
                };
                self.runs.add(hook, &context, None, fate, []);
            }
        }
    }

    fn declared(&mut self, slot: Slot, around: &Surroundings) -> Result<(), Diagnostic> {
        let entries = context::position(slot, around, self.request, self.protocol, &mut self.items, self.diagnostics)?;
        self.plan.entries.extend(entries);
        Ok(())
    }

    fn directive_entry(&self, leaf: &Leaf) -> Entry {
        let id = self.request.directive.id.clone();
        let span = leaf.directive.source.whole();
        let declared = Declared { by: "the request".to_string(), span: None };
        let mut entry = Entry::asked(id.clone(), Slot::UserDirective, LayerKind::Directive, declared);
        entry.item = Some(ItemRef { kind: ItemKind::Directive, id, span: Some(span) });
        entry
    }

    /// The directive's own prompt.
    fn directive(&mut self, leaf: &Leaf) -> Result<(), Diagnostic> {
        // The instruction is a layer of its own.
        let (text, found) = own_prompt(&leaf.directive, leaf.content.clone(), leaf.body.clone(), self.protocol)?;
        self.diagnostics.extend(found);
        let entry = self.directive_entry(leaf);
        self.plan.entries.push(entry.included(text, "the directive asked for"));
        Ok(())
    }

    /// The instruction item, else the constant.
    fn instruction(&mut self) -> Result<(), Diagnostic> {
        let by = Declared { by: format!("protocol {}", self.protocol.name), span: None };
        let mut entry = Entry::asked(INSTRUCTION_ITEM, Slot::UserInstruction, LayerKind::Instruction, by);
        let id = ItemId::parse(INSTRUCTION_ITEM)
            .map_err(|reason| Diagnostic::new(Problem::InvalidId { id: INSTRUCTION_ITEM.to_string(), reason }))?;
        let contribution = self.items.for_chain(&id, ChainText::Body, self.diagnostics)?;
        let text = match contribution {
            Contribution::Text { text, item, .. } => {
                entry.item = Some(item);
                entry.included(text, "it introduces the directive")
            }
            Contribution::Nothing { .. } | Contribution::Missing => {
                entry.included(Traced::protocol(INSTRUCTION), "no tier has the item, so the built-in words stand")
            }
        };
        self.plan.entries.push(text);
        Ok(())
    }

    /// What a resumed thread sent when it started.
    fn not_sent_again(&mut self, leaf: &Leaf, around: &Surroundings) {
        let why = "a resumed thread does not send it again";
        for slot in [Slot::UserChainBefore, Slot::UserChainAfter] {
            let asked = context::asked(slot, &around.chain, &self.request.what_if);
            self.plan.entries.extend(asked.map(|asked| asked.entry(slot).left_out(Outcome::NotRun, why)));
        }
        let entry = self.directive_entry(leaf);
        self.plan.entries.push(entry.left_out(Outcome::NotRun, why));
    }

    fn earlier_messages(&mut self) {
        for (index, message) in self.request.messages.iter().enumerate() {
            let by = Declared { by: "--messages".to_string(), span: None };
            let name = format!("{} {}", message.role.into_str(), index + 1);
            let text = Traced::of(&message.text, Origin::Argument("messages".into()));
            let entry = Entry::asked(name, Slot::Earlier, LayerKind::Message, by);
            self.plan.entries.push(entry.included(text, "an earlier message stands as it is"));
        }
    }
}

/// All hooks by layer, and within one by origin: user, directive, built-in, context, project, infra.
fn in_order<'a>(directive: &'a Directive, around: &'a Surroundings) -> Vec<&'a Hook> {
    let configured = |origin| around.configuration.hooks(origin);
    let mut hooks: Vec<&Hook> = configured(HookOrigin::User)
        .chain(&directive.hooks)
        .chain(configured(HookOrigin::Builtin))
        .chain(configured(HookOrigin::Context))
        .chain(configured(HookOrigin::Project))
        .chain(configured(HookOrigin::Infra))
        .collect();
    hooks.sort_by(|left, right| left.effective_layer().total_cmp(&right.effective_layer()));
    hooks
}

/// What hooks see as `directive_body`.
fn directive_body(request: &Request, leaf: &Leaf) -> String {
    let description = leaf.directive.description.as_ref().map_or("", |field| field.as_str());
    let parts = [request.directive.id.as_str(), description, leaf.body.text()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}
