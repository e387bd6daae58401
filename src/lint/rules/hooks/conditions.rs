//! Walks the parts of a condition with their places.

use crate::decide::condition::{self, Form, Judgement, LookupResult, Truth, ValueLookup};
use crate::read::item::Hook;
use crate::read::yaml::YamlNode;
use crate::text::Span;

pub(super) struct UnknownContext;

impl ValueLookup for UnknownContext {
    fn look_up(&self, _: &str) -> LookupResult<'_> {
        LookupResult::Unknown
    }
}

pub(super) struct ConditionPart<'h> {
    hook: &'h Hook,
    pub node: Option<&'h YamlNode>,
}

impl<'h> ConditionPart<'h> {
    /// The place of a key, or else of the part, the condition or the hook.
    pub fn place(&self, key: &str) -> Option<Span> {
        let own = self.node.and_then(|node| node.get(key)).and_then(|node| node.span.as_ref());
        let part = self.node.and_then(|node| node.span.as_ref());
        own.or(part).or(self.hook.condition_span.as_ref()).or(self.hook.span.as_ref()).cloned()
    }
}

/// Evaluates a condition without any context.
pub(super) fn judged_without_context(hook: &Hook) -> Judgement {
    condition::judge(&hook.condition, &UnknownContext).0
}

/// Visits every part of a condition, including those that evaluation may never reach.
pub(super) fn each_part(hook: &Hook, look: &mut dyn FnMut(&Form, &ConditionPart<'_>)) {
    if hook.condition.is_true() {
        walk(&judged_without_context(hook), &ConditionPart { hook, node: hook.written.get("condition") }, look);
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

/// Whether a condition holds in every context.
pub(super) fn always_holds(hook: &Hook) -> bool {
    judged_without_context(hook).truth == Some(Truth::True)
}
