use crate::fill::assemble::Configuration;
use crate::lint::project::FileContent;
use crate::lint::rules::{Findings, LintFile, Project, Span};
use crate::read::value::Value;
use crate::read::yaml::{YamlData, YamlNode, key_place};

use super::words::{rewrite, surely_meant};

pub fn check(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    let FileContent::Configuration(node) = &file.content else { return };
    let Some(known) = Configuration::keys_of(&file.path, project.protocol) else { return };
    let Some(source) = &file.source else { return };
    let whole = source.span(0..source.text().len());
    keys(node, known, "this file", &whole, found);
    for (section, known) in SECTIONS.iter().filter(|(section, _)| known.contains(section)) {
        if let Some(node) = node.get(section) {
            keys(node, known, &format!("`{section}`"), &whole, found);
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
fn keys(node: &YamlNode, known: &[&'static str], of: &str, whole: &Span, found: &mut Findings<'_>) {
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

#[cfg(test)]
mod tests {
    use crate::lint::pages::RR321 as RULE;
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
