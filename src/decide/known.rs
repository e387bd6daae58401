use crate::decide::condition::{self, LookupResult, Truth, ValueLookup};
use crate::diagnostic::Problem;
use crate::read::item::{Directive, Hook, ItemField, ROUTING_EVENT};
use crate::read::value::Value;

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
        Self::new(id, directive.parent().is_some(), category)
    }

    pub fn new(id: &str, extends: bool, category: &str) -> Self {
        Self { directive: Value::from(id), routing: Some((Value::from(extends), Value::from(category))) }
    }

    /// The context of a directive that was not read.
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
        let KnownContext { directive, routing } = self.known;
        let is_routing = self.hook.event == ROUTING_EVENT;
        let value = match (path, routing.as_ref().filter(|_| is_routing)) {
            // No context is documented for other events (Directives, "Hook context").
            ("directive", _) if is_routing || self.hook.shapes_messages() => directive,
            ("has_extends", Some((extends, _))) => extends,
            ("category", Some((_, category))) => category,
            // The only other values in a routing context are the inputs and the model, which depend on the thread.
            (_, Some(_)) if !matches!(path.split('.').next(), Some("" | "inputs" | "model")) => &Value::Null,
            _ => return LookupResult::Unknown,
        };
        LookupResult::Known(value)
    }
}
