use crate::item::Hook;
use crate::lint::rules::{Check, Findings, LintFile, Project, Rule, pages};
use crate::value::Value;
use crate::yaml::{YamlData, YamlNode, key_place};

use super::conditions::each_part;
use super::words::{rewrite, surely_meant};

pub(super) const RULE: Rule = Rule { check: Check::Hook(check), ..pages::RR317 };

/// What has keys, the known ones, and other names for those; with an empty one nothing does what the name promises.
struct Keys {
    of: &'static str,
    known: &'static [&'static str],
    other: &'static [(&'static str, &'static str)],
    /// Keys of another part, and the key or part that they belong to.
    elsewhere: &'static [(&'static str, &'static str)],
}

const HOOK: Keys = Keys {
    of: "a hook",
    known: &["id", "event", "layer", "position", "wrap", "condition", "action", "actions", "description"],
    other: &[
        ("conditions", "condition"),
        ("when", "condition"),
        ("if", "condition"),
        ("priority", "layer"),
        ("order", "layer"),
        ("enabled", ""),
        ("disabled", ""),
    ],
    elsewhere: MOVED_UP,
};

const ACTION: Keys = Keys {
    of: "an action",
    known: &["primary", "item_type", "item_id", "set_extends", "params", "param"],
    other: &[
        ("type", "item_type"),
        ("kind", "item_type"),
        ("id", "item_id"),
        ("item", "item_id"),
        ("extends", "set_extends"),
    ],
    elsewhere: &[("condition", "the hook"), ("event", "the hook")],
};

const CONDITION: Keys = Keys {
    of: "a condition",
    known: &["path", "op", "value", "any", "all", "not"],
    other: &[("operator", "op"), ("field", "path"), ("key", "path"), ("values", "value"), ("pattern", "value")],
    elsewhere: MOVED_UP,
};

/// What an action says, where a hook or its condition says it.
const MOVED_UP: &[(&str, &str)] =
    &[("set_extends", "`action`"), ("item_id", "`action`"), ("item_type", "`action`"), ("primary", "`action`")];

fn check(hook: &Hook, _: Option<&LintFile>, _: &Project<'_>, found: &mut Findings<'_>) {
    let written = &hook.written;
    keys(written, &HOOK, found);
    let actions = match written.get("actions") {
        Some(list) if list.value().is_true() => list.as_list().unwrap_or_default(),
        _ => written.get("action").map(std::slice::from_ref).unwrap_or_default(),
    };
    for action in actions {
        keys(action, &ACTION, found);
    }
    each_part(hook, &mut |_, part| {
        if let Some(node) = part.node() {
            keys(node, &CONDITION, found);
        }
    });
}

fn keys(node: &YamlNode, keys: &Keys, found: &mut Findings<'_>) {
    let YamlData::Map(map) = &node.data else { return };
    let unknown = map.iter().filter_map(|(key, value)| Some((key.as_str()?, value)));
    for (key, value) in unknown.filter(|(key, _)| !keys.known.contains(key)) {
        let (Some(whole), Some(at)) = (&node.span, &value.span) else { continue };
        let at = || key_place(whole, at, key).unwrap_or_else(|| at.clone());
        if let Some((_, part)) = keys.elsewhere.iter().find(|(name, _)| *name == key) {
            let message = format!("`{key}` belongs to {part} and is no key of {}, so nothing reads it", keys.of);
            found.at(at(), message).help(format!("move `{key}` to {part}"));
            continue;
        }
        let is_there = |known: &str| map.contains_key(&Value::from(known));
        let slip = surely_meant(key, keys.known.iter().copied());
        let other = keys.other.iter().find(|(name, _)| *name == key).map(|(_, known)| *known);
        // Another name beside the known one is a remark; what is almost that one is not.
        let Some(meant) = slip.or(other.filter(|known| !is_there(known))) else { continue };
        let at = at();
        let finding = found.at(&at, format!("`{key}` is no key of {}, so nothing reads it", keys.of));
        match meant {
            "" => finding.help("remove the hook, or give it a condition that never holds"),
            meant if is_there(meant) => {
                finding.help(format!("`{meant}` is there as well: keep one of them as `{meant}`"))
            }
            meant => finding.help(format!("did you mean `{meant}`?")),
        };
        // A name that is no slip may have another meaning.
        if other.is_none()
            && !is_there(meant)
            && let Some(edit) = rewrite(&at, key, meant)
        {
            finding.fix(format!("write {meant}"), vec![edit]);
        }
    }
}
