use std::collections::HashMap;

use crate::decide::request::{Mode, Request, SentMessage};
use crate::prompt::{Decision, Layer, LayerIds, Message, Role, Slot, TranscriptEvent};
use crate::read::protocol::{ContextScope, Protocol};
use crate::text::Traced;

use super::plan::{Plan, PlanEntry};

const BLANK_LINE: &str = "\n\n";

struct EntryGroup<'a> {
    entries: Vec<usize>,
    separator: &'a str,
    /// Whether an empty group still gets a separator, as the directive's own prompt does.
    always_stands: bool,
}

impl EntryGroup<'_> {
    fn of(slot: Slot, plan: &Plan) -> Self {
        Self::new(plan.included(slot).collect())
    }

    fn new(entries: Vec<usize>) -> Self {
        Self { entries, separator: BLANK_LINE, always_stands: false }
    }
}

/// Builds the system message, then the message of a fresh thread or those of a resumed one.
pub(super) fn assemble_messages(plan: &Plan, request: &Request, protocol: &Protocol) -> Assembler {
    let mut all = Assembler::default();
    let slots = [Slot::SystemHooksBefore, Slot::SystemHooksAfter, Slot::SystemChain];
    let system = all.message(Role::System, plan, slots.map(|slot| EntryGroup::of(slot, plan)));
    if !system.text().is_empty() {
        all.messages.push(system);
        all.has_system = true;
    }
    if plan.has(Slot::Earlier) {
        all.resumed(plan, &request.messages);
        return all;
    }
    let bare_prompt = request.mode == Mode::Thread && protocol.context == ContextScope::None;
    let directive = EntryGroup::of(Slot::UserDirective, plan);
    let directive = match bare_prompt {
        true => EntryGroup { separator: &protocol.joiner, ..directive },
        false => EntryGroup { always_stands: true, ..directive },
    };
    let groups = [
        EntryGroup::of(Slot::UserHooksBefore, plan),
        EntryGroup::of(Slot::UserChainBefore, plan),
        EntryGroup::of(Slot::UserInstruction, plan),
        directive,
        EntryGroup::of(Slot::UserChainAfter, plan),
        EntryGroup::of(Slot::UserHooksAfter, plan),
    ];
    let user = all.message(Role::User, plan, groups);
    all.messages.push(user);
    all
}

#[derive(Default)]
pub(super) struct Assembler {
    pub messages: Vec<Message>,
    /// Whether the first message is the assembled system message, not an earlier one.
    pub has_system: bool,
    pub layers: Vec<Layer>,
    ids: LayerIds,
    layer_of: HashMap<usize, usize>,
}

impl Assembler {
    fn message<'a>(&mut self, role: Role, plan: &Plan, groups: impl IntoIterator<Item = EntryGroup<'a>>) -> Message {
        let mut message = Message::new(role);
        let mut begun = false;
        for group in groups {
            let empty = match group.entries.as_slice() {
                [] => true,
                [only] => plan.entries[*only].text.as_ref().is_none_or(Traced::is_empty),
                _ => false,
            };
            if empty && !group.always_stands {
                continue;
            }
            for (position, &index) in group.entries.iter().enumerate() {
                if std::mem::replace(&mut begun, true) {
                    let separator = if position == 0 { group.separator } else { BLANK_LINE };
                    message.push(&Traced::protocol(separator), None);
                }
                self.push_entry(&mut message, index, &plan.entries[index]);
            }
        }
        message
    }

    /// Keeps the earlier messages; hook text goes before the last user message.
    fn resumed(&mut self, plan: &Plan, earlier: &[SentMessage]) {
        let last_user = earlier.iter().rposition(|message| message.role == Role::User);
        for (position, (sent, entry)) in earlier.iter().zip(plan.included(Slot::Earlier)).enumerate() {
            let mut groups = vec![EntryGroup { always_stands: true, ..EntryGroup::new(vec![entry]) }];
            if Some(position) == last_user {
                let hooks = [Slot::UserHooksBefore, Slot::UserHooksAfter];
                groups.splice(0..0, hooks.map(|slot| EntryGroup::of(slot, plan)));
            }
            let message = self.message(sent.role, plan, groups);
            self.messages.push(message);
        }
    }

    fn push_entry(&mut self, message: &mut Message, index: usize, entry: &PlanEntry) {
        let Some(text) = entry.text.as_ref().filter(|text| !text.is_empty()) else { return };
        let layer = self.layers.len();
        let decision = &entry.decision;
        let id = self.ids.next(decision.slot, &decision.name);
        self.layers.push(Layer {
            id,
            message: self.messages.len(),
            slot: decision.slot,
            kind: entry.kind,
            name: decision.name.clone(),
            item: decision.item.clone(),
            declared_by: decision.declared_by.clone(),
            wrap: entry.wrap,
            bytes: text.len(),
        });
        self.layer_of.insert(index, layer);
        message.push(text, Some(layer));
    }

    /// Every decision in assembly order, each with its layer.
    pub fn decisions(&self, plan: &Plan) -> Vec<Decision> {
        let mut order: Vec<usize> = (0..plan.entries.len()).collect();
        order.sort_by_key(|&index| plan.entries[index].decision.slot);
        order.into_iter().map(|index| plan.entries[index].decision(self.layer_of.get(&index).copied())).collect()
    }
}

/// The transcript events (Directives, "Events").
pub(super) fn events(plan: &Plan, assembled: &Assembler, protocol: &Protocol) -> Vec<TranscriptEvent> {
    let chain = |slots: &'static [Slot]| if protocol.events == ContextScope::HooksAndChain { slots } else { &[] };
    let mut events = Vec::new();
    if protocol.events == ContextScope::None {
        return events;
    }
    if let Some(message) = assembled.messages.first().filter(|_| assembled.has_system) {
        let hooks = plan.names(&[Slot::SystemHooksBefore, Slot::SystemHooksAfter]);
        let layers = [hooks, plan.names(chain(&[Slot::SystemChain]))].concat();
        events.push(TranscriptEvent::SystemPrompt { text: message.text().to_string(), layers });
    }
    let before = [plan.names(&[Slot::UserHooksBefore]), plan.names(chain(&[Slot::UserChainBefore]))].concat();
    let after = [plan.names(chain(&[Slot::UserChainAfter])), plan.names(&[Slot::UserHooksAfter])].concat();
    events.push(TranscriptEvent::ContextInjected { before, after });
    events
}
