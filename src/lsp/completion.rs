//! What may stand at the cursor: ids, inputs, capabilities, paths of imports, and keys of settings.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::about::About;
use crate::agents::Agent;
use crate::lint::{element_names, hook_keys};
use crate::read::listing;
use crate::read::settings::{KEYS, LINT_KEYS, PATHS_KEYS};
use crate::read::store::ItemKind;

/// The most suggestions.
const MOST: usize = 500;

/// What the text before the cursor begins.
#[derive(Debug, PartialEq, Eq)]
enum Begun<'t> {
    Item(ItemKind, &'t str),
    Suppressed(&'t str),
    Input(&'t str),
    Capability(&'t str),
    Element(&'t str),
    Key(&'t str),
    Import(&'t str),
}

/// The elements whose content is the id of a knowledge item.
const OF_KNOWLEDGE: [&str; 3] = ["system", "before", "after"];

/// What a file is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    Directive,
    Yaml,
    /// The instructions of agents.
    Markdown,
}

/// `line` is the text before the cursor.
fn begun(line: &str, language: Language) -> Option<Begun<'_>> {
    if language == Language::Markdown {
        return line.rsplit(char::is_whitespace).next()?.strip_prefix('@').map(Begun::Import);
    }
    let after = |mark: &str, end: &[char]| line.rsplit_once(mark).map(|it| it.1).filter(|typed| !typed.contains(end));
    if let Some(typed) = after("{input:", &['}']).or_else(|| after("${inputs.", &['}'])) {
        return Some(Begun::Input(typed));
    }
    if let Some(typed) =
        after("extends=\"", &['"']).or_else(|| after("<extends>", &['<'])).or_else(|| after("set_extends: ", &[' ']))
    {
        return Some(Begun::Item(ItemKind::Directive, typed));
    }
    if let Some(typed) = OF_KNOWLEDGE.iter().find_map(|element| after(&format!("<{element}>"), &['<'])) {
        return Some(Begun::Item(ItemKind::Knowledge, typed));
    }
    if let Some(typed) = after("<suppress>", &['<']) {
        return Some(Begun::Suppressed(typed));
    }
    if let Some(typed) = after("item_id: ", &[' ']) {
        return Some(Begun::Item(ItemKind::Knowledge, typed));
    }
    if let Some(typed) = after("<tool>", &['<']) {
        return Some(Begun::Capability(typed));
    }
    let is_word = |typed: &&str| typed.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    match language {
        Language::Directive => line.rsplit_once('<').map(|it| it.1).filter(is_word).map(Begun::Element),
        _ => Some(line.trim_start_matches([' ', '-'])).filter(is_word).map(Begun::Key),
    }
}

impl About<'_> {
    pub fn completion(&self, offset: usize) -> Vec<Value> {
        let (project, text) = (self.reading.project, self.read_text());
        if let Some((typed, labels)) = setting_keys(self.path, &text[..offset]) {
            return self.suggested(typed, labels, offset);
        }
        let line = &text[text[..offset].rfind('\n').map_or(0, |at| at + 1)..offset];
        let language = match (&project.folders, self.path.ends_with(".md")) {
            (_, false) => Language::Yaml,
            (Some(_), true) => Language::Markdown,
            (None, true) => Language::Directive,
        };
        let Some(begun) = begun(line, language) else { return Vec::new() };
        let (typed, labels) = match begun {
            Begun::Item(kind, typed) => (typed, self.ids(kind)),
            Begun::Suppressed(typed) => (typed, self.hook_ids().chain(self.ids(ItemKind::Knowledge)).collect()),
            Begun::Capability(typed) => {
                let ids = self.ids(ItemKind::Tool).into_iter();
                (typed, ids.map(|(id, tier)| (id.replace('/', "."), tier)).collect())
            }
            Begun::Input(typed) => (typed, self.inputs()),
            Begun::Element(typed) => (typed, words(element_names(), "element")),
            Begun::Key(typed) if self.path == project.settings_path() => {
                (typed, words([&KEYS[..], &LINT_KEYS, &PATHS_KEYS].concat(), "setting"))
            }
            Begun::Key(typed) if project.folders.is_none() => (typed, words(hook_keys(), "key of a hook")),
            Begun::Key(_) => return Vec::new(),
            Begun::Import(typed) => (typed, self.paths(typed)),
        };
        self.suggested(typed, labels, offset)
    }

    /// The labels that begin with what is typed before an offset.
    fn suggested(&self, typed: &str, labels: Vec<(String, String)>, offset: usize) -> Vec<Value> {
        let text = self.read_text();
        let range = json!({
            "start": self.encoding.position_in(text, offset - typed.len()),
            "end": self.encoding.position_in(text, offset),
        });
        let item = |(label, detail): (String, String)| json!({ "label": label, "detail": detail, "textEdit": { "range": range, "newText": label } });
        labels.into_iter().filter(|(label, _)| label.starts_with(typed)).take(MOST).map(item).collect()
    }

    fn ids(&self, kind: ItemKind) -> Vec<(String, String)> {
        let tiers = self.reading.project.tiers;
        let (mut files, _) = listing::readable(tiers, kind, "");
        files.dedup_by(|later, first| later.id == first.id);
        files.into_iter().map(|file| (file.id, tiers.list()[file.tier].label.to_string())).collect()
    }

    fn inputs(&self) -> Vec<(String, String)> {
        let inputs = self.file().and_then(|file| file.readable()).map_or(&[][..], |directive| &directive.inputs);
        inputs.iter().map(|input| (input.name.as_str().to_string(), input.input_type.clone())).collect()
    }

    /// The files and folders below the folder that a typed path begins with, from the document.
    fn paths(&self, typed: &str) -> Vec<(String, String)> {
        let before = typed.rfind('/').map_or("", |at| &typed[..=at]);
        let folder = self.root.join(self.path).parent().and_then(|folder| folder.join(before).canonicalize().ok());
        let is_inside = |folder: &PathBuf| {
            let is_git = folder.components().any(|part| part.as_os_str() == ".git");
            !is_git && self.root.canonicalize().is_ok_and(|root| folder.starts_with(root))
        };
        let entries = folder.filter(is_inside).and_then(|folder| fs::read_dir(folder).ok());
        let entry = |entry: DirEntry| {
            let name = entry.file_name().into_string().ok().filter(|name| name != ".git")?;
            let is_folder = entry.file_type().ok()?.is_dir();
            let end = if is_folder { "/" } else { "" };
            Some((format!("{before}{name}{end}"), if is_folder { "folder" } else { "file" }.to_string()))
        };
        let mut all: Vec<_> = entries.into_iter().flatten().take(MOST).filter_map(|it| entry(it.ok()?)).collect();
        all.sort();
        all
    }
}

fn words<'w>(words: impl IntoIterator<Item = &'w str>, what: &str) -> Vec<(String, String)> {
    let words: BTreeSet<&str> = words.into_iter().collect();
    words.into_iter().map(|word| (word.to_string(), what.to_string())).collect()
}

/// What is typed of a key at the end of this beginning of a file, and the keys that may stand there, each with what it
/// does; `None` if the file is not the settings of an agent, or if no key stands there.
pub fn setting_keys<'t>(path: &str, beginning: &'t str) -> Option<(&'t str, Vec<(String, String)>)> {
    let agent = agent_of(path)?;
    let is_toml = path.ends_with(".toml");
    let (around, typed) = if is_toml { in_toml(beginning)? } else { in_json(beginning)? };
    let around: String = around.iter().map(|key| format!("{key}.")).collect();
    let below = |(key, does): (&str, &str)| Some((key.strip_prefix(&around)?.to_string(), does.to_string()));
    let all = (agent.setting_keys)().into_iter().filter_map(below);
    // JSON has a map for each part of a key.
    Some((typed, all.filter(|(key, _)| is_toml || !key.contains('.')).collect()))
}

/// The agent whose settings a file holds.
pub fn agent_of(path: &str) -> Option<&'static Agent> {
    Agent::all().find(|agent| agent.settings_files.iter().any(|file| Path::new(path).ends_with(file)))
}

/// The keys around the end of a text, outermost first, and what is typed of the one that begins there.
type BegunKey<'t> = (Vec<&'t str>, &'t str);

fn in_json(text: &str) -> Option<BegunKey<'_>> {
    // The open brackets, each with the key that it belongs to.
    let mut open: Vec<(u8, &str)> = Vec::new();
    let (mut rest, mut key, mut is_value) = (text, "", false);
    while let Some(at) = rest.find(['"', '{', '[', '}', ']', ':', ',', '/']) {
        let mark = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        match mark {
            b'"' => {
                let Some(end) = end_of_string(rest) else {
                    let is_key = !is_value && open.last().is_some_and(|(bracket, _)| *bracket == b'{');
                    return is_key.then(|| (open.iter().skip(1).map(|(_, key)| *key).collect(), rest));
                };
                key = if is_value { key } else { &rest[..end] };
                rest = &rest[end + 1..];
            }
            b'{' | b'[' => {
                open.push((mark, key));
                is_value = mark == b'[';
            }
            b'}' | b']' => drop(open.pop()),
            b':' => is_value = true,
            b',' => is_value = open.last().is_some_and(|(bracket, _)| *bracket == b'['),
            _ if rest.starts_with('/') => rest = rest.split_once('\n')?.1,
            _ if rest.starts_with('*') => rest = rest.split_once("*/")?.1,
            _ => {}
        }
    }
    None
}

/// A string that is not closed ends with its line.
fn end_of_string(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|byte| {
        let is_end = byte == b'\n' || byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })
}

fn in_toml(text: &str) -> Option<BegunKey<'_>> {
    let (before, line) = text.rsplit_once('\n').unwrap_or(("", text));
    let typed = line.trim_start();
    let is_key = typed.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    let table = before.lines().rev().find_map(|line| line.trim_start().strip_prefix('[')?.split_once(']'));
    is_key.then(|| (table.into_iter().flat_map(|(table, _)| table.split('.').map(str::trim)).collect(), typed))
}

#[cfg(test)]
mod completion_tests {
    use super::*;

    #[test]
    fn what_is_begun_is_told_from_the_line() {
        let of_items = |line| begun(line, Language::Directive);
        assert_eq!(of_items("<directive name=\"a\" extends=\"ba"), Some(Begun::Item(ItemKind::Directive, "ba")));
        assert_eq!(of_items("<directive extends=\"base\" ver"), None);
        assert_eq!(of_items("<context><before>app/r"), Some(Begun::Item(ItemKind::Knowledge, "app/r")));
        assert_eq!(of_items("<context><before>app</before>"), None);
        assert_eq!(of_items("<context><suppress>h"), Some(Begun::Suppressed("h")));
        assert_eq!(of_items("Say {input:a} and {input:"), Some(Begun::Input("")));
        assert_eq!(of_items("    <execute><tool>rye.fi"), Some(Begun::Capability("rye.fi")));
        assert_eq!(of_items("    item_id: deploy/"), Some(Begun::Item(ItemKind::Knowledge, "deploy/")));
        assert_eq!(of_items("  <met"), Some(Begun::Element("met")));
        assert_eq!(begun("  - ev", Language::Yaml), Some(Begun::Key("ev")));
        assert_eq!(begun("  id: ev", Language::Yaml), None);
        assert_eq!(begun("See @docs/a", Language::Markdown), Some(Begun::Import("docs/a")));
        assert_eq!(begun("See\u{3000}@d", Language::Markdown), Some(Begun::Import("d")));
        assert_eq!(begun("Mail me@x", Language::Markdown), None);
    }
}

#[cfg(test)]
mod agent_settings_tests {
    use super::*;

    #[test]
    fn the_keys_around_the_cursor_are_told() {
        assert_eq!(in_json("{ \"pe"), Some((vec![], "pe")));
        assert_eq!(in_json("{\"a\": {\"b\": [1, {}], \"c"), Some((vec!["a"], "c")));
        assert_eq!(in_json("{ // \"x\": {\n \"a\": {}, /* { */ \"b\\\"c\": {\""), Some((vec!["b\\\"c"], "")));
        for value in ["{\"a\": \"b", "{\"a\": [\"b", "{\"a\": [\"b\", \"c", "{\"a\"", "", "\"a", "{ // \"a", "}]\"a"] {
            assert_eq!(in_json(value), None, "{value}");
        }
        assert_eq!(in_toml("a = 1\npro"), Some((vec![], "pro")));
        for table in ["[a.b]", " [ a . b ] # c"] {
            assert_eq!(in_toml(&format!("{table}\nc = 1\n  d")), Some((vec!["a", "b"], "d")));
        }
        assert_eq!(in_toml("a = \"b"), None);
    }

    #[test]
    fn keys_are_those_of_the_agent() {
        let labels = |path: &str, text: &str| {
            let keys = setting_keys(path, text).map(|(_, keys)| keys).unwrap_or_default();
            keys.into_iter().map(|(key, _)| key).collect::<Vec<_>>()
        };
        assert_eq!(labels("a/.pi/settings.json", "{\"codemode\": {\""), ["mode"]);
        assert_eq!(labels("opencode.jsonc", "{\"skills\": {\""), ["paths", "urls"]);
        assert_eq!(labels(".codex/config.toml", "[skills]\n"), ["include_instructions", "bundled", "bundled.enabled"]);
        assert!(labels(".claude/settings.local.json", "{\"").contains(&"outputStyle".to_string()));
        assert_eq!(labels("settings.json", "{\""), [""; 0]);
    }
}
