use crate::prompt::{Event, Slot};
use crate::protocol::{Protocol, Scope};

use super::messages::Assembler;
use super::plan::Plan;

/// The transcript events (Directives, "Events").
pub(super) fn events(plan: &Plan, assembled: &Assembler, protocol: &Protocol) -> Vec<Event> {
    let chain = |slots: &'static [Slot]| if protocol.events == Scope::HooksAndChain { slots } else { &[] };
    let mut events = Vec::new();
    if protocol.events == Scope::None {
        return events;
    }
    if let Some(message) = assembled.messages.first().filter(|_| assembled.has_system) {
        let hooks = plan.names(&[Slot::SystemHooksBefore, Slot::SystemHooksAfter]);
        let layers = [hooks, plan.names(chain(&[Slot::SystemChain]))].concat();
        events.push(Event::SystemPrompt { text: message.text().to_string(), layers });
    }
    let before = [plan.names(&[Slot::UserHooksBefore]), plan.names(chain(&[Slot::UserChainBefore]))].concat();
    let after = [plan.names(chain(&[Slot::UserChainAfter])), plan.names(&[Slot::UserHooksAfter])].concat();
    events.push(Event::ContextInjected { before, after });
    events
}
