//! The keys and ids in configuration files and hooks.

use indexmap::IndexMap;

use crate::fill::assemble::Configuration;
use crate::lint::project::FileContent;
use crate::lint::rules::{Findings, Hook, LintFile, Project, Span, repeated};
use crate::read::protocol::HookItems;
use crate::read::value::{Value, python_str};
use crate::read::yaml::{YamlData, YamlNode, key_place};

use super::place_of;
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

pub fn hook_key_unknown(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
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

pub fn configuration_key_unknown(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    let FileContent::Configuration(node) = &file.content else { return };
    let Some(known) = Configuration::keys_of(&file.path, project.protocol) else { return };
    let Some(source) = &file.source else { return };
    let whole = source.span(0..source.text().len());
    check_section(node, known, "this file", &whole, found);
    for (section, known) in SECTIONS.iter().filter(|(section, _)| known.contains(section)) {
        if let Some(node) = node.get(section) {
            check_section(node, known, &format!("`{section}`"), &whole, found);
        }
    }
    let elsewhere = ELSEWHERE.iter().filter(|(key, _)| !known.contains(key));
    for (key, file) in elsewhere {
        // An empty value has no effect anyway.
        let Some(value) = node.get(key).filter(|value| value.value().is_true()) else { continue };
        let Some(value) = &value.span else { continue };
        let at = key_place(&whole, value, key).unwrap_or_else(|| value.clone());
        let message = format!("`{key}` is not a key of this file, so it is ignored");
        found.at(at, message).help(format!("move it to {file}"));
    }
}

/// Sections, each with its known keys.
const SECTIONS: [(&str, &[&str]); 2] = [("limits", &["defaults"]), ("tool_preload", &["enabled", "max_tokens"])];

/// Keys, each with the file that it is read from.
const ELSEWHERE: [(&str, &str); 6] = [
    ("hooks", "`.ai/config/agent/hooks.yaml`"),
    ("builtin_hooks", "`hook_conditions.yaml`"),
    ("context_hooks", "`hook_conditions.yaml`"),
    ("infra_hooks", "`hook_conditions.yaml`"),
    ("limits", "`resilience.yaml`"),
    ("tool_preload", "`resilience.yaml`"),
];

/// Reports keys of a map that are clearly misspelt.
fn check_section(node: &YamlNode, known: &[&'static str], of: &str, whole: &Span, found: &mut Findings<'_>) {
    let YamlData::Map(map) = &node.data else { return };
    for (key, value) in map.iter().filter_map(|(key, value)| Some((key.as_str()?, value))) {
        // If the right key is also present, this one means something else.
        let meant = surely_meant(key, known.iter().copied());
        let Some(meant) = meant.filter(|meant| !map.contains_key(&Value::from(*meant))) else { continue };
        let Some(value) = &value.span else { continue };
        let at = key_place(whole, value, key);
        let message = format!("`{key}` is not a key of {of}, so it is ignored");
        let finding = found.at(at.as_ref().unwrap_or(value), message).suggest(Some(meant));
        finding.fix(format!("write {meant}"), at.and_then(|at| rewrite(&at, key, meant)));
    }
}

const LISTS: [&str; 4] = ["hooks", "builtin_hooks", "context_hooks", "infra_hooks"];

pub fn hook_id_repeated(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    match &file.content {
        FileContent::Directive(directive) if directive.hooks.len() > 1 => {
            let ids = directive.hooks.iter().filter_map(|hook: &Hook| Some((hook.id.clone()?, place_of(hook, "id")?)));
            report_repeated(ids, found);
        }
        FileContent::Configuration(node) if holds_hooks(&file.path, project) => {
            let lists = LISTS.iter().filter_map(|key| node.get(key)?.as_list());
            report_repeated(lists.flatten().filter_map(id), found);
        }
        _ => {}
    }
}

fn holds_hooks(path: &str, project: &Project<'_>) -> bool {
    let folders = &project.protocol.hook_conditions.project;
    let mut files = folders.iter().map(|folder| format!(".ai/{folder}/hook_conditions.yaml"));
    path == ".ai/config/agent/hooks.yaml" || files.any(|file| file == path)
}

fn id(entry: &YamlNode) -> Option<(String, Span)> {
    let id = entry.get("id")?;
    let value = id.value();
    (!value.is_null()).then(|| python_str(&value)).zip(id.span.clone())
}

fn report_repeated(ids: impl Iterator<Item = (String, Span)>, found: &mut Findings<'_>) {
    let ids: Vec<(String, Span)> = ids.collect();
    for (id, at, earlier) in repeated(ids.iter().map(|(id, at)| (id.as_str(), at))) {
        found.at(at, format!("hook id `{id}` is already used")).related(earlier, "first used here");
    }
}

#[cfg(test)]
mod configuration_key_unknown_tests {
    use crate::lint::rule::RR321 as RULE;
    use crate::lint::testing::messages_of;

    fn of(path: &str, text: &str, protocol: &str) -> Vec<String> {
        let found = messages_of(&RULE, &format!("=== .ai/{path}\n{text}"), protocol);
        let place = format!(".ai/{path}:");
        found.iter().map(|line| line.strip_prefix(&place).expect("it is about that file").to_string()).collect()
    }

    fn at(line: usize, key: &str, of: &str) -> Vec<String> {
        vec![format!("{line}: `{key}` is not a key of {of}, so it is ignored")]
    }

    const HOOKS: &str = "config/agent/hooks.yaml";
    const CONDITIONS: &str = "config/agent/hook_conditions.yaml";
    const RESILIENCE: &str = "config/agent/resilience.yaml";

    #[test]
    fn slips_are_found_in_the_files_that_the_protocol_reads() {
        assert_eq!(of(HOOKS, "# hook: x\r\nHooks:\r\n  - id: a\r\n", "rye-3"), at(2, "Hooks", "this file"));
        assert_eq!(of(CONDITIONS, "builtinHooks: []\n", "rye-3"), at(1, "builtinHooks", "this file"));
        let elsewhere = "config/hook_conditions.yaml";
        assert_eq!(of(elsewhere, "infra_hook: []\n", "rye-2"), at(1, "infra_hook", "this file"));
        assert_eq!(of(elsewhere, "infra_hook: []\n", "rye-3"), [""; 0], "a different rule reports that it is not read");
        for fine in ["hooks: []\nhook: []\n", "books: []\n", "owner: a\n", "- hook\n", "", "7: a\n"] {
            assert_eq!(of(HOOKS, fine, "rye-3"), [""; 0], "{fine}");
        }
    }

    #[test]
    fn keys_of_sections_are_checked() {
        assert_eq!(of(RESILIENCE, "limits:\n  default: {turns: 6}\n", "rye-3"), at(2, "default", "`limits`"));
        let preload = "tool_preload:\n  enable: false\n  max_tokens: 9\n";
        assert_eq!(of(RESILIENCE, preload, "rye-3"), at(2, "enable", "`tool_preload`"));
        let fine = "limits: {defaults: {turn: 6}, caps: {turns: 9}}\ntool_preload: {max_tokens: 9}\nretry: {max: 3}\n";
        assert_eq!(of(RESILIENCE, fine, "rye-3"), [""; 0]);
    }

    #[test]
    fn keys_of_other_files_are_reported() {
        assert_eq!(of(CONDITIONS, "hooks:\n  - id: a\n", "rye-3"), at(1, "hooks", "this file"));
        assert_eq!(of(HOOKS, "hooks: []\ncontext_hooks: [{id: a}]\n", "rye-3"), at(2, "context_hooks", "this file"));
        assert_eq!(of(CONDITIONS, "hooks: []\n", "rye-3"), [""; 0], "an empty list has no effect");
    }
}
