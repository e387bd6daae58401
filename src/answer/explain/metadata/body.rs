//! Whether hooks depend on the body of a directive.

use super::Metadata;
use super::directive::of_hook;
use crate::prompt::Prompt;
use crate::read::item::Directive;
use crate::read::item::condition::Condition;
use crate::read::value::{PathSyntax, Value};
use crate::read::yaml::YamlNode;
use crate::text::Origin;

/// Whether a condition, an id or a text of a hook depends on the body.
pub(super) fn is_seen(prompt: &Prompt, leaf: &Directive, configuration: &[Metadata]) -> bool {
    let segments = prompt.messages.iter().flat_map(|message| message.segments());
    let mut variables = segments.filter_map(|segment| match segment.origin {
        Origin::Variable { name, .. } => Some(name),
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
    // Where brackets mean nothing, a path with them leads nowhere: treating it as a use is harmless.
    let condition = Condition::of(hook.get("condition").map(YamlNode::of).as_ref(), PathSyntax::Brackets);
    condition.comparisons().any(|(_, comparison)| is_body(&comparison.path)) || actions.any(in_id)
}

/// Whether a path leads to the body, or to the context as a whole.
fn is_body(path: &str) -> bool {
    path.trim().is_empty() || path.trim().starts_with(BODY)
}
