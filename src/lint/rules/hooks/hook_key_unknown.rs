use indexmap::IndexMap;

use crate::lint::rules::{Findings, Hook, LintFile, Project};
use crate::read::protocol::HookItems;
use crate::read::yaml::{YamlNode, key_place};
use crate::text::Span;

use super::words::{rewrite, surely_meant};

/// The keys of a mapping.
struct Keys {
    of: &'static str,
    known: &'static [&'static str],
    /// Other names for keys, each with the key that is meant; empty if there is none.
    aliases: &'static [(&'static str, &'static str)],
    /// Keys of a different part of a hook, each with that part.
    elsewhere: &'static [(&'static str, &'static str)],
}

const HOOK: Keys = Keys {
    of: "a hook",
    known: &["id", "event", "layer", "position", "wrap", "condition", "action", "actions", "description"],
    aliases: &[
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
    aliases: &[
        ("type", "item_type"),
        ("kind", "item_type"),
        ("id", "item_id"),
        ("item", "item_id"),
        ("extends", "set_extends"),
    ],
    elsewhere: &[("condition", "the hook"), ("event", "the hook")],
};

/// Where `kind` names the item.
const ACTION_WITH_KIND: Keys =
    Keys { known: &["primary", "kind", "item_type", "item_id", "set_extends", "params", "param"], ..ACTION };

const CONDITION: Keys = Keys {
    of: "a condition",
    known: &["path", "op", "value", "any", "all", "not"],
    aliases: &[("operator", "op"), ("field", "path"), ("key", "path"), ("values", "value"), ("pattern", "value")],
    elsewhere: MOVED_UP,
};

/// The keys of hooks, their actions and their conditions.
pub fn hook_keys() -> impl Iterator<Item = &'static str> {
    [HOOK, ACTION, CONDITION].into_iter().flat_map(|keys| keys.known).copied()
}

/// Keys of an action that are written one level too high.
const MOVED_UP: &[(&str, &str)] =
    &[("set_extends", "`action`"), ("item_id", "`action`"), ("item_type", "`action`"), ("primary", "`action`")];

pub fn check(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    let written = &hook.written;
    of_node(written, &HOOK, found);
    let actions = match written.get("actions") {
        Some(list) if list.is_true() => list.as_list().unwrap_or_default(),
        _ => written.get("action").map(std::slice::from_ref).unwrap_or_default(),
    };
    let keys = match project.protocol.hook_items {
        HookItems::ItemType => &ACTION,
        HookItems::Kind => &ACTION_WITH_KIND,
    };
    for action in actions {
        of_node(action, keys, found);
    }
    for part in hook.condition.parts() {
        check_keys(part.span.as_ref(), &part.keys, &CONDITION, found);
    }
}

fn of_node(node: &YamlNode, keys: &Keys, found: &mut Findings<'_>) {
    check_keys(node.span.as_ref(), &node.keys(), keys, found);
}

fn check_keys(whole: Option<&Span>, written: &IndexMap<String, Span>, keys: &Keys, found: &mut Findings<'_>) {
    let Some(whole) = whole else { return };
    for (key, at) in written.iter().filter(|(key, _)| !keys.known.contains(&key.as_str())) {
        let at = || key_place(whole, at, key).unwrap_or_else(|| at.clone());
        if let Some((_, part)) = keys.elsewhere.iter().find(|(name, _)| *name == key) {
            let message = format!("`{key}` belongs to {part}, not to {}, so it is ignored", keys.of);
            found.at(at(), message).help(format!("move `{key}` to {part}"));
            continue;
        }
        let is_there = |known: &str| written.contains_key(known);
        let slip = surely_meant(key, keys.known.iter().copied());
        let alias = keys.aliases.iter().find(|(name, _)| *name == key).map(|(_, known)| *known);
        // If the known key is also present, an alias may be a note, but a misspelling is still reported.
        let Some(meant) = slip.or(alias.filter(|known| !is_there(known))) else { continue };
        let at = at();
        let finding = found.at(&at, format!("`{key}` is not a key of {}, so it is ignored", keys.of));
        match meant {
            "" => finding.help("remove the hook, or give it a condition that never holds"),
            meant if is_there(meant) => finding.help(format!("`{meant}` is set too: keep only one, as `{meant}`")),
            meant => finding.suggest(Some(meant)),
        };
        // An alias may mean something else, so only a misspelling is fixed.
        let is_misspelt = alias.is_none() && !is_there(meant);
        finding.fix(format!("write {meant}"), rewrite(&at, key, meant).filter(|_| is_misspelt));
    }
}
