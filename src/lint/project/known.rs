use crate::condition::{self, Seen, Sight, Truth};
use crate::diagnostic::Problem;
use crate::item::{Directive, Field, Hook, ROUTING_EVENT};
use crate::value::Value;

/// What files tell of the contexts in which a directive asks hooks. The rest is known to a thread alone.
#[derive(Debug)]
pub struct Known {
    directive: Value,
    /// Whether it extends another one, and its category; not known of a directive that is not read.
    routing: Option<(Value, Value)>,
}

impl Known {
    /// What the files tell of a directive.
    pub fn of(id: &str, directive: &Directive) -> Self {
        let category = directive.category.as_ref().map_or("", Field::as_str);
        let extends = directive.extends.as_ref().is_some_and(|field| !field.text.is_empty());
        Self { directive: Value::from(id), routing: Some((Value::from(extends), Value::from(category))) }
    }

    /// What the id of a directive that is not read tells.
    pub fn of_id(id: &str) -> Self {
        Self { directive: Value::from(id), routing: None }
    }

    /// What a hook's condition comes to at its event: unknown where it depends on what only a thread knows, such as
    /// inputs, limits and the model, or on what that context does not hold.
    pub fn truth(&self, hook: &Hook) -> Truth {
        self.judge(hook).0
    }

    /// Whether a hook's condition may be true at its event, or something is wrong with it.
    pub fn may_hold(&self, hook: &Hook) -> bool {
        let (truth, problems) = self.judge(hook);
        truth != Truth::False || !problems.is_empty()
    }

    fn judge(&self, hook: &Hook) -> (Truth, Vec<Problem>) {
        condition::truth(&hook.condition, &At { known: self, hook })
    }
}

/// A context at the event of a hook.
struct At<'k> {
    known: &'k Known,
    hook: &'k Hook,
}

impl Sight for At<'_> {
    fn see(&self, path: &str) -> Seen<'_> {
        let is_routing = self.hook.event == ROUTING_EVENT;
        let routing = || self.known.routing.as_ref().filter(|_| is_routing);
        let value = match path {
            // Of other events no context is documented (Directives, "Hook context").
            "directive" if is_routing || self.hook.shapes_messages() => Some(&self.known.directive),
            "has_extends" => routing().map(|(extends, _)| extends),
            "category" => routing().map(|(_, category)| category),
            // Of the whole context, and of the rest, not everything is known.
            _ => None,
        };
        value.map_or(Seen::Unknown, Seen::Known)
    }
}
