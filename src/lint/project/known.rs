use crate::condition::{self, LookupResult, Truth, ValueLookup};
use crate::diagnostic::Problem;
use crate::item::{Directive, Hook, ItemField, ROUTING_EVENT};
use crate::value::Value;

/// The part of a directive's hook contexts that the files determine; the rest depends on the thread.
#[derive(Debug)]
pub struct KnownContext {
    directive: Value,
    /// Whether it extends a parent, and its category; unknown for a directive that was not read.
    routing: Option<(Value, Value)>,
}

impl KnownContext {
    pub fn of(id: &str, directive: &Directive) -> Self {
        let category = directive.category.as_ref().map_or("", ItemField::as_str);
        let extends = directive.extends.as_ref().is_some_and(|field| !field.text.is_empty());
        Self { directive: Value::from(id), routing: Some((Value::from(extends), Value::from(category))) }
    }

    pub fn of_id(id: &str) -> Self {
        Self { directive: Value::from(id), routing: None }
    }

    /// The result of a hook's condition at its event; unknown if it depends on values that only a thread has, or that
    /// the context lacks.
    pub fn truth(&self, hook: &Hook) -> Truth {
        self.judge(hook).0
    }

    /// Whether a hook's condition may be true at its event, or is invalid.
    pub fn may_hold(&self, hook: &Hook) -> bool {
        let (truth, problems) = self.judge(hook);
        truth != Truth::False || !problems.is_empty()
    }

    fn judge(&self, hook: &Hook) -> (Truth, Vec<Problem>) {
        condition::truth(&hook.condition, &EventContext { known: self, hook })
    }
}

/// The context at the event of a hook.
struct EventContext<'k> {
    known: &'k KnownContext,
    hook: &'k Hook,
}

impl ValueLookup for EventContext<'_> {
    fn look_up(&self, path: &str) -> LookupResult<'_> {
        let is_routing = self.hook.event == ROUTING_EVENT;
        let routing = || self.known.routing.as_ref().filter(|_| is_routing);
        let value = match path {
            // No context is documented for other events (Directives, "Hook context").
            "directive" if is_routing || self.hook.shapes_messages() => Some(&self.known.directive),
            "has_extends" => routing().map(|(extends, _)| extends),
            "category" => routing().map(|(_, category)| category),
            // The whole context and its other values are not fully known.
            _ => None,
        };
        value.map_or(LookupResult::Unknown, LookupResult::Known)
    }
}
