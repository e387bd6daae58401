//! The parts of a condition, each with its place.

use crate::condition::{self, Form, Judgement, Seen, Sight, Truth};
use crate::item::Hook;
use crate::text::Span;
use crate::yaml::YamlNode;

/// A context of which nothing is known.
pub(super) struct UnknownContext;

impl Sight for UnknownContext {
    fn see(&self, _: &str) -> Seen<'_> {
        Seen::Unknown
    }
}

/// A part of a condition as it is written.
pub(super) struct ConditionPart<'h> {
    hook: &'h Hook,
    node: Option<&'h YamlNode>,
}

impl<'h> ConditionPart<'h> {
    /// Where a key of it stands, else the part, else the condition, else the hook. None for a hook that no file holds.
    pub fn place(&self, key: &str) -> Option<Span> {
        let own = self.node.and_then(|node| node.get(key)).and_then(|node| node.span.as_ref());
        let part = self.node.and_then(|node| node.span.as_ref());
        own.or(part).or(self.hook.condition_span.as_ref()).or(self.hook.span.as_ref()).cloned()
    }

    /// The part as a map.
    pub fn node(&self) -> Option<&'h YamlNode> {
        self.node
    }
}

/// What a condition comes to where nothing is known of the context.
pub(super) fn judged_blindly(hook: &Hook) -> Judgement {
    condition::judge(&hook.condition, &UnknownContext).0
}

/// Looks at every part of a hook's condition, those that evaluation may never reach included.
pub(super) fn each_part(hook: &Hook, look: &mut dyn FnMut(&Form, &ConditionPart<'_>)) {
    // Most hooks have no condition.
    if hook.condition.is_true() {
        walk(&judged_blindly(hook), &ConditionPart { hook, node: hook.written.get("condition") }, look);
    }
}

fn walk(judgement: &Judgement, part: &ConditionPart<'_>, look: &mut dyn FnMut(&Form, &ConditionPart<'_>)) {
    look(&judgement.form, part);
    let mut list = |key: &str, children: &[Judgement]| {
        let nodes = part.node.and_then(|node| node.get(key));
        for (index, child) in children.iter().enumerate() {
            let node = nodes.and_then(|nodes| nodes.as_list()?.get(index));
            walk(child, &ConditionPart { hook: part.hook, node }, look);
        }
    };
    match &judgement.form {
        Form::Any(children) => list("any", children),
        Form::All(children) => list("all", children),
        Form::Not(child) => {
            let node = part.node.and_then(|node| node.get("not"));
            walk(child, &ConditionPart { hook: part.hook, node }, look);
        }
        Form::Always | Form::Comparison(_) | Form::Invalid(_) => {}
    }
}

/// Whether a condition holds whatever the context is.
pub(super) fn always_holds(hook: &Hook) -> bool {
    judged_blindly(hook).truth == Some(Truth::True)
}
