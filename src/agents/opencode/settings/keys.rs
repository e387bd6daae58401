//! The keys of settings whose values have a type, and the next version's names for some of them.

use crate::agents::opencode::json::Wrong;
use crate::agents::opencode::node::{Data, Map, Node};
use crate::agents::setting_keys::SettingKey;
use crate::agents::setting_keys::ValueType::Any;
use crate::read::yaml::key_place;
use crate::text::{Span, Traced};

#[derive(Debug, Clone, Copy)]
enum JsonType {
    Text,
    Bool,
    Number,
    /// A whole number above zero.
    Count,
    /// A whole number.
    CountOrZero,
    /// `#` and six digits.
    Color,
    Texts,
    Map,
    /// A map whose values have the type.
    MapOf(&'static JsonType),
    Keys(&'static [(&'static str, JsonType)]),
    Words(&'static [&'static str]),
    OneOf(&'static [JsonType]),
}

use JsonType::{Bool, Color, Count, CountOrZero, Keys, MapOf, Number, OneOf, Text, Texts, Words};

const PERMISSION_KEY: &str = "permission";
const ACTION: JsonType = Words(&["ask", "allow", "deny"]);
const PERMISSION: JsonType = OneOf(&[ACTION, MapOf(&OneOf(&[ACTION, MapOf(&ACTION)]))]);

const THEME: JsonType = Words(&["primary", "secondary", "accent", "success", "warning", "error", "info"]);

const AGENT: &[(&str, JsonType)] = &[
    ("model", Text),
    ("variant", Text),
    ("temperature", Number),
    ("top_p", Number),
    ("steps", Count),
    ("maxSteps", Count),
    ("color", OneOf(&[Color, THEME])),
    ("options", JsonType::Map),
    ("prompt", Text),
    ("description", Text),
    ("mode", Words(&["primary", "subagent", "all"])),
    ("disable", Bool),
    ("hidden", Bool),
    ("tools", MapOf(&Bool)),
    (PERMISSION_KEY, PERMISSION),
];

const COMPACTION: &[(&str, JsonType)] = &[
    ("auto", Bool),
    ("prune", Bool),
    ("tail_turns", CountOrZero),
    ("preserve_recent_tokens", CountOrZero),
    ("reserved", CountOrZero),
];

const EXPERIMENTAL: &[(&str, JsonType)] = &[
    ("disable_paste_summary", Bool),
    ("batch_tool", Bool),
    ("openTelemetry", Bool),
    ("primary_tools", Texts),
    ("continue_loop_on_deny", Bool),
    ("mcp_timeout", Count),
];

const TOP: &[(&str, JsonType)] = &[
    ("$schema", Text),
    ("shell", Text),
    ("logLevel", Words(&["DEBUG", "INFO", "WARN", "ERROR"])),
    ("model", Text),
    ("small_model", Text),
    ("username", Text),
    ("default_agent", Text),
    ("instructions", Texts),
    ("snapshot", Bool),
    ("share", Words(&["manual", "auto", "disabled"])),
    ("autoshare", Bool),
    ("autoupdate", OneOf(&[Bool, Words(&["notify"])])),
    ("subagent_depth", CountOrZero),
    ("disabled_providers", Texts),
    ("enabled_providers", Texts),
    ("provider", JsonType::Map),
    ("mcp", JsonType::Map),
    ("command", JsonType::Map),
    ("watcher", Keys(&[("ignore", Texts)])),
    ("enterprise", Keys(&[("url", Text)])),
    ("tool_output", Keys(&[("max_lines", Count), ("max_bytes", Count)])),
    ("compaction", Keys(COMPACTION)),
    ("experimental", Keys(EXPERIMENTAL)),
    ("agent", MapOf(&Keys(AGENT))),
    ("mode", MapOf(&Keys(AGENT))),
    ("tools", MapOf(&Bool)),
    (PERMISSION_KEY, PERMISSION),
    ("skills", Keys(&[("paths", Texts), ("urls", Texts)])),
    ("references", MapOf(&OneOf(&[Text, Keys(&[("path", Text), ("description", Text)])]))),
];

/// What most files set, with what each key does.
pub(in crate::agents::opencode) const OFFERED: [SettingKey; 24] = [
    ("$schema", Any, "the address of the schema, which the agent adds itself"),
    ("agent", Any, "agents, each with its prompt, model and permissions"),
    ("autoupdate", Any, "whether the agent updates itself"),
    ("command", Any, "commands, each with its prompt"),
    ("compaction", Any, "how long sessions are shortened"),
    ("default_agent", Any, "the agent that sessions begin with"),
    ("disabled_providers", Any, "providers that are not loaded"),
    ("enabled_providers", Any, "the only providers that are loaded"),
    ("experimental", Any, "what may change in any release"),
    ("instructions", Any, "paths, patterns and addresses of further instruction files"),
    ("mcp", Any, "servers with tools"),
    ("model", Any, "the model"),
    ("permission", Any, "what runs, asks first or never runs"),
    ("permission.skill", Any, "which skills are listed"),
    ("provider", Any, "settings of providers"),
    ("references", Any, "other folders, each with what is in it"),
    ("share", Any, "who may see sessions"),
    ("skills", Any, "where further skills are"),
    ("skills.paths", Any, "folders of skills"),
    ("skills.urls", Any, "addresses of skills"),
    ("small_model", Any, "the model for small tasks, such as titles"),
    ("tools", Any, "tools, each on or off"),
    ("username", Any, "how the user is called"),
    ("watcher", Any, "which files are not watched"),
];

/// Checks a file of settings.
pub(super) fn check(settings: &Node) -> Result<(), Wrong> {
    if let Some(node) = settings.get("permissions") {
        let key = |value: &Span| key_place(&value.source().whole(), value, "permissions");
        let at = node.place.as_ref().and_then(key).or_else(|| node.place.clone());
        return Err(("the key `permissions` is not valid; it is `permission`".to_string(), at));
    }
    of(&Keys(TOP), settings, "")
}

/// Checks the fields of an agent.
pub(in crate::agents::opencode) fn check_agent(fields: &Node) -> Result<(), Wrong> {
    of(&Keys(AGENT), fields, "")
}

fn of(kind: &JsonType, node: &Node, key: &str) -> Result<(), Wrong> {
    let below = |name: &str| if key.is_empty() { name.to_string() } else { format!("{key}.{name}") };
    let is_text = |node: &Node| node.as_text().is_some();
    let is_valid = match (kind, &node.data) {
        (JsonType::Text, Data::Text(_)) | (JsonType::Bool, Data::Bool(_)) | (JsonType::Map, Data::Map(_)) => true,
        (JsonType::Number, Data::Number(_)) => true,
        (JsonType::Count, Data::Number(number)) => *number > 0.0 && number.fract() == 0.0,
        (JsonType::CountOrZero, Data::Number(number)) => *number >= 0.0 && number.fract() == 0.0,
        // Dates are not told from the numbers of older YAML.
        (JsonType::Number | JsonType::Count | JsonType::CountOrZero, Data::Other) => true,
        (JsonType::Color, Data::Text(text)) => is_color(text.text()),
        (JsonType::Texts, Data::List(list)) => list.iter().all(is_text),
        (JsonType::Words(words), Data::Text(text)) => words.contains(&text.text()),
        (JsonType::MapOf(kind), Data::Map(map)) => {
            return map.iter().try_for_each(|(name, node)| of(kind, node, &below(name)));
        }
        (JsonType::Keys(known), Data::Map(map)) => {
            let mut known = known.iter().filter_map(|(name, kind)| Some((name, kind, map.get(*name)?)));
            return known.try_for_each(|(name, kind, node)| of(kind, node, &below(name)));
        }
        (JsonType::OneOf(kinds), _) => kinds.iter().any(|kind| of(kind, node, key).is_ok()),
        _ => false,
    };
    let what = || if key.is_empty() { "it is not an object".to_string() } else { format!("`{key}` has a wrong type") };
    if is_valid { Ok(()) } else { Err((what(), node.place.clone())) }
}

fn is_color(text: &str) -> bool {
    let is_hex = |digits: &str| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.strip_prefix('#').is_some_and(is_hex)
}

/// Writes a `permission` of one word as a map, so that files are merged key by key.
pub(super) fn spread_permission(owner: &mut Node) {
    if let Data::Map(fields) = &mut owner.data
        && let Some(node) = fields.get_mut(PERMISSION_KEY).filter(|node| node.as_text().is_some())
    {
        *node = Node::map(Map::from_iter([("*".to_string(), node.clone())]));
    }
}

/// Adds the tools that are switched on or off to the permissions, which count more.
pub(super) fn add_tools(owner: &mut Node) {
    let action = |(name, node): (&str, &Node)| {
        let word = if matches!(node.data, Data::Bool(false)) { "deny" } else { "allow" };
        (name.to_string(), Node { data: Data::Text(Traced::protocol(word)), place: node.place.clone() })
    };
    let mut all = Node::map(owner.entries("tools").map(action).collect());
    let Data::Map(fields) = &mut owner.data else { return };
    if let Some(permission) = fields.get(PERMISSION_KEY) {
        all.merge(permission.clone());
    }
    fields.insert(PERMISSION_KEY.to_string(), all);
}

/// Makes the permissions of an agent those that are merged.
pub(in crate::agents::opencode) fn settle_agent(fields: &mut Node) {
    spread_permission(fields);
    add_tools(fields);
}

/// Renames the next version's keys: `agents.N.system` is `agent.N.prompt`, and a list `skills` is `skills.paths`.
pub(super) fn rename(settings: &mut Node) {
    let Data::Map(map) = &mut settings.data else { return };
    if let Some(node) = map.get_mut("skills").filter(|node| node.as_list().is_some()) {
        let (paths, place) = (node.clone(), node.place.clone());
        *node = Node { data: Data::Map(Map::from_iter([("paths".to_string(), paths)])), place };
    }
    let Some(mut agents) = map.shift_remove("agents") else { return };
    if let Data::Map(agents) = &mut agents.data {
        for agent in agents.values_mut() {
            if let Data::Map(fields) = &mut agent.data
                && let Some(system) = fields.shift_remove("system")
            {
                fields.insert("prompt".to_string(), system);
            }
        }
    }
    settings.merge(Node::map(Map::from_iter([("agent".to_string(), agents)])));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_keys_are_offered() {
        fn has(kind: &JsonType, path: &str) -> bool {
            let (first, rest) = path.split_once('.').unwrap_or((path, ""));
            path.is_empty()
                || match kind {
                    JsonType::Keys(known) => known.iter().any(|(name, kind)| *name == first && has(kind, rest)),
                    JsonType::MapOf(kind) => has(kind, rest),
                    JsonType::OneOf(kinds) => kinds.iter().any(|kind| has(kind, path)),
                    _ => false,
                }
        }
        assert!(!has(&JsonType::Keys(TOP), "skills.path"));
        for (key, ..) in OFFERED {
            assert!(has(&JsonType::Keys(TOP), key), "{key}");
        }
    }
}
