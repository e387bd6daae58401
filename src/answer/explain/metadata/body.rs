//! Whether hooks depend on the body of a directive.

use super::Metadata;
use super::directive::of_hook;
use crate::prompt::Prompt;
use crate::read::item::Directive;
use crate::read::value::Value;
use crate::text::Origin;

/// Whether a condition, an id or a text of a hook depends on the body.
pub(super) fn is_seen(prompt: &Prompt, leaf: &Directive, configuration: &[Metadata]) -> bool {
    let is_body = |path: &str| path.trim().is_empty() || path.trim().starts_with(BODY);
    let segments = prompt.messages.iter().flat_map(|message| message.segments());
    let mut variables = segments.filter_map(|segment| match segment.origin {
        Origin::Variable(path) => Some(path),
        _ => None,
    });
    let mut hooks = leaf.hooks.iter().map(of_hook).map(Value::Map);
    let mut configured = configuration.iter().flat_map(|section| section.value.as_list().unwrap_or_default());
    variables.any(|path| is_body(path)) || hooks.any(|hook| hook_sees_body(&hook)) || configured.any(hook_sees_body)
}

const BODY: &str = "directive_body";

fn hook_sees_body(hook: &Value) -> bool {
    let single = hook.get("action").into_iter();
    let mut actions = single.chain(hook.get("actions").and_then(Value::as_list).unwrap_or_default());
    let in_id = |action: &Value| action.get("item_id").and_then(Value::as_str).is_some_and(|id| id.contains(BODY));
    hook.get("condition").is_some_and(condition_sees_body) || actions.any(in_id)
}

/// Whether a condition reads the body, or the context as a whole.
fn condition_sees_body(condition: &Value) -> bool {
    let Some(condition) = condition.as_map().filter(|condition| !condition.is_empty()) else { return false };
    let part = |key: &str| condition.get(&Value::from(key));
    let inner: Vec<&Value> = ["any", "all"].into_iter().filter_map(part).filter_map(Value::as_list).flatten().collect();
    let path = part("path").and_then(Value::as_str).unwrap_or_default().trim();
    let is_simple = ["any", "all", "not"].into_iter().all(|key| part(key).is_none());
    inner.into_iter().chain(part("not")).any(condition_sees_body)
        || (is_simple && (path.is_empty() || path.starts_with(BODY)))
}
