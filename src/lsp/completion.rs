//! What may stand at the cursor: ids, inputs, capabilities and paths of imports.

use std::fs::{self, DirEntry};
use std::path::PathBuf;

use serde_json::{Value, json};

use super::about::About;
use crate::read::listing;
use crate::read::store::ItemKind;

/// The most suggestions.
const MOST: usize = 500;

/// What the text before the cursor begins.
#[derive(Debug, PartialEq, Eq)]
enum Begun<'t> {
    Item(ItemKind, &'t str),
    Input(&'t str),
    Capability(&'t str),
    Import(&'t str),
}

/// The elements whose content is the id of a knowledge item.
const OF_KNOWLEDGE: [&str; 4] = ["system", "before", "after", "suppress"];

/// `line` is the text before the cursor.
fn begun(line: &str, is_of_agents: bool) -> Option<Begun<'_>> {
    if is_of_agents {
        let word = &line[line.rfind(char::is_whitespace).map_or(0, |at| at + 1)..];
        return word.strip_prefix('@').map(Begun::Import);
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
    if let Some(typed) = after("item_id: ", &[' ']) {
        return Some(Begun::Item(ItemKind::Knowledge, typed));
    }
    after("<tool>", &['<']).map(Begun::Capability)
}

impl About<'_> {
    pub fn completion(&self, offset: usize) -> Vec<Value> {
        let project = self.reading.project;
        let line = &self.text[self.text[..offset].rfind('\n').map_or(0, |at| at + 1)..offset];
        let Some(begun) = begun(line, project.folders.is_some()) else { return Vec::new() };
        let (typed, labels) = match begun {
            Begun::Item(kind, typed) => (typed, self.ids(kind)),
            Begun::Capability(typed) => {
                let ids = self.ids(ItemKind::Tool).into_iter();
                (typed, ids.map(|(id, tier)| (id.replace('/', "."), tier)).collect())
            }
            Begun::Input(typed) => (typed, self.inputs()),
            Begun::Import(typed) => (typed, self.paths(typed)),
        };
        let range = json!({
            "start": self.encoding.position_in(self.text, offset - typed.len()),
            "end": self.encoding.position_in(self.text, offset),
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
        let is_inside = |folder: &PathBuf| self.root.canonicalize().is_ok_and(|root| folder.starts_with(root));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_begun_is_told_from_the_line() {
        let of_items = |line| begun(line, false);
        assert_eq!(of_items("<directive name=\"a\" extends=\"ba"), Some(Begun::Item(ItemKind::Directive, "ba")));
        assert_eq!(of_items("<directive extends=\"base\" ver"), None);
        assert_eq!(of_items("<context><before>app/r"), Some(Begun::Item(ItemKind::Knowledge, "app/r")));
        assert_eq!(of_items("<context><before>app</before>"), None);
        assert_eq!(of_items("Say {input:a} and {input:"), Some(Begun::Input("")));
        assert_eq!(of_items("    <execute><tool>rye.fi"), Some(Begun::Capability("rye.fi")));
        assert_eq!(of_items("    item_id: deploy/"), Some(Begun::Item(ItemKind::Knowledge, "deploy/")));
        assert_eq!(begun("See @docs/a", true), Some(Begun::Import("docs/a")));
        assert_eq!(begun("Mail me@x", true), None);
    }
}
