//! What may stand at the cursor: ids, inputs, capabilities and paths of imports.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry};
use std::path::PathBuf;

use serde_json::{Value, json};

use super::about::About;
use super::agent_settings;
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

/// Makes what begins of the text after a mark.
type Begin = for<'t> fn(&'t str) -> Begun<'t>;

const DIRECTIVE: Begin = |typed| Begun::Item(ItemKind::Directive, typed);
const KNOWLEDGE: Begin = |typed| Begun::Item(ItemKind::Knowledge, typed);

/// The marks with which something begins, and the character at which it ends.
const MARKS: [(&str, char, Begin); 11] = [
    ("{input:", '}', |typed| Begun::Input(typed)),
    ("${inputs.", '}', |typed| Begun::Input(typed)),
    ("extends=\"", '"', DIRECTIVE),
    ("<extends>", '<', DIRECTIVE),
    ("set_extends: ", ' ', DIRECTIVE),
    ("<system>", '<', KNOWLEDGE),
    ("<before>", '<', KNOWLEDGE),
    ("<after>", '<', KNOWLEDGE),
    ("<suppress>", '<', |typed| Begun::Suppressed(typed)),
    ("item_id: ", ' ', KNOWLEDGE),
    ("<tool>", '<', |typed| Begun::Capability(typed)),
];

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
    let after = |(mark, end, begin): &(&str, char, Begin)| {
        let (_, typed) = line.rsplit_once(mark)?;
        (!typed.contains(*end)).then(|| begin(typed))
    };
    if let Some(begun) = MARKS.iter().find_map(after) {
        return Some(begun);
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
        if let Some((typed, labels)) = agent_settings::keys(self.path, &text[..offset]) {
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

#[cfg(test)]
mod tests {
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
