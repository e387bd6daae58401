use indexmap::IndexMap;

use crate::read::item::{Hook, HookOrigin};
use crate::read::value::{Value, to_python_json};
use crate::read::yaml::{YamlData, YamlNode};

/// What to write so that an action asks for an item of this kind.
pub(crate) fn help(hook: &Hook, kind: &str) -> String {
    let Some(list) = list_to_override(hook) else { return format!("say `kind: {kind}`") };
    let entry = to_python_json(&with_kind(&hook.written, kind).value());
    format!("write to .ai/config/agent/hook_conditions.yaml of the project or the user: `{list}: [{entry}]`")
}

/// The list in which an entry of the project or the user with the same id replaces a hook of the system tier.
pub(crate) fn list_to_override(hook: &Hook) -> Option<&'static str> {
    let list = match hook.origin {
        HookOrigin::Builtin => "builtin_hooks",
        HookOrigin::Context => "context_hooks",
        HookOrigin::Infra => "infra_hooks",
        HookOrigin::User | HookOrigin::Directive | HookOrigin::Project => return None,
    };
    let is_of_system = !matches!(hook.span.as_ref()?.source().tier(), "project" | "user");
    (is_of_system && hook.id.is_some()).then_some(list)
}

/// The hook with a kind in each action that names none.
fn with_kind(hook: &YamlNode, kind: &str) -> YamlNode {
    let edited = |key: &Value, node: &YamlNode| match (key.as_str(), &node.data) {
        (Some("action"), _) => action_with_kind(node, kind),
        (Some("actions"), YamlData::List(list)) => {
            let list = list.iter().map(|action| action_with_kind(action, kind)).collect();
            YamlNode { data: YamlData::List(list), span: None }
        }
        _ => node.clone(),
    };
    map_entries(hook, |entries| entries.iter().map(|(key, node)| (key.clone(), edited(key, node))).collect())
}

fn action_with_kind(action: &YamlNode, kind: &str) -> YamlNode {
    map_entries(action, |entries| {
        let mut entries = entries.clone();
        entries.entry(Value::from("kind")).or_insert_with(|| YamlNode::of(&Value::from(kind)));
        entries
    })
}

fn map_entries(
    node: &YamlNode,
    edit: impl FnOnce(&IndexMap<Value, YamlNode>) -> IndexMap<Value, YamlNode>,
) -> YamlNode {
    match &node.data {
        YamlData::Map(entries) => YamlNode { data: YamlData::Map(edit(entries)), span: None },
        _ => node.clone(),
    }
}
