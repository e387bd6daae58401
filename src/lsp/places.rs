//! Where an id leads, where it is named, and what changes if it is renamed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use gen_lsp_types::{Location, Position, Range, TextEdit};
use serde_json::{Value, json};

use super::about::About;
use super::names::{self, Name};
use crate::lint::LintFile;
use crate::read::address::url_of;
use crate::read::item::is_signed;
use crate::read::store::{ItemId, ItemKind, last_segment};
use crate::text::Span;

pub(super) const START: Range =
    Range { start: Position { line: 0, character: 0 }, end: Position { line: 0, character: 0 } };

impl About<'_> {
    /// The file that the id at an offset resolves to, or that is imported there.
    pub fn definition(&self, offset: usize) -> Option<Location> {
        if let Some(imported) = self.import(offset) {
            return Some(Location { uri: url_of(imported).into(), range: START });
        }
        if let Some(declared) = self.suppressed_hook(offset).or_else(|| self.declaration(offset)) {
            return self.location(declared);
        }
        let name = names::at(self.reading.project, self.path, offset).filter(|name| !name.span.range().is_empty())?;
        let file = self.reading.project.find(name.kind, &name.id)?;
        Some(Location { uri: url_of(&self.path_of(file)?).into(), range: START })
    }

    /// The places that name what the id at an offset names.
    pub fn references(&self, offset: usize, with_definition: bool) -> Vec<Location> {
        let project = self.reading.project;
        if project.folders.is_some() {
            return self.imports(offset, with_definition);
        }
        if let Some(hook) = self.hook(offset) {
            return self.suppressing(hook).filter_map(|span| self.location(span)).collect();
        }
        if let Some(places) = self.placeholders(offset) {
            let declaration = self.declaration(offset).filter(|_| with_definition);
            return declaration.into_iter().chain(&places).filter_map(|span| self.location(span)).collect();
        }
        let Some(name) = names::at(project, self.path, offset) else { return Vec::new() };
        let places = names::references_to(project, name.kind, &name.id);
        let definition = project.find(name.kind, &name.id).filter(|_| with_definition).and_then(|it| self.path_of(it));
        let definition = definition.map(|path| Location { uri: url_of(&path).into(), range: START });
        definition.into_iter().chain(places.iter().filter_map(|span| self.location(span))).collect()
    }

    /// The id at an offset that can be renamed, and its place.
    pub fn renamable(&self, offset: usize) -> Result<(Name, Range), String> {
        let project = self.reading.project;
        let name = names::at(project, self.path, offset).ok_or("no id stands here")?;
        let file = project.find(name.kind, &name.id).ok_or_else(|| format!("no tier has `{}`", name.id))?;
        if !project.is_of_project(file) {
            return Err(format!("`{}` is not of this project", name.id));
        }
        if name.kind == ItemKind::Tool {
            return Err("a tool is renamed by hand, since patterns may grant it".to_string());
        }
        let span = Some(&name.span).filter(|span| !span.range().is_empty()).ok_or("no id stands here")?;
        let range = self.encoding.span(span);
        Ok((name, range))
    }

    /// The edits that give an item another id, its file included.
    pub fn rename(&self, offset: usize, new: &str) -> Result<Value, String> {
        let (Name { kind, id, .. }, _) = self.renamable(offset)?;
        let project = self.reading.project;
        ItemId::parse(new).map_err(str::to_string)?;
        if !is_plain(new) {
            return Err(format!("`{new}` would need quotes in some files: use letters, digits, `_`, `-`, `.` and `/`"));
        }
        if project.exists(kind, new) {
            return Err(format!("there is a {} `{new}` already", kind.into_str()));
        }
        let file = project.find(kind, &id).ok_or("the item does not exist")?;
        let mut edits: BTreeMap<PathBuf, Vec<TextEdit>> = BTreeMap::new();
        let places = names::references_to(project, kind, &id).into_iter().map(|span| (span, new.to_string()));
        let own = names::declared(file).map(|span| (span, last_segment(new).to_string()));
        for (span, text) in places.chain(own) {
            if !project.is_project_tier(span.source().tier()) {
                return Err(format!("{} of another tier names it, too", span.source().path()));
            }
            if is_signed(span.source()) {
                return Err(format!("{} is signed, and a rename would break the signature", span.source().path()));
            }
            let edit = TextEdit { range: self.encoding.span(&span), new_text: text };
            edits.entry(self.root.join(span.source().path())).or_default().push(edit);
        }
        let edit = |(path, edits): (PathBuf, Vec<TextEdit>)| {
            let document = json!({ "uri": url_of(&path), "version": null });
            json!({ "textDocument": document, "edits": edits })
        };
        let extension = file.path.rsplit_once('.').map_or("md", |(_, extension)| extension);
        let after = format!("{}/{new}.{extension}", kind.folder());
        let [from, to] = [&file.path, &after].map(|path| url_of(&self.root.join(path)));
        let moved = json!({ "kind": "rename", "oldUri": from, "newUri": to });
        let changes: Vec<Value> = edits.into_iter().map(edit).chain([moved]).collect();
        Ok(json!({ "documentChanges": changes }))
    }

    /// The items whose id holds a text, for a search by name.
    pub fn items(&self, wanted: &str) -> Vec<Value> {
        let project = self.reading.project;
        let is_meant = |file: &&LintFile| file.kind.item().is_some() && file.id.contains(wanted);
        let symbol = |file: &LintFile| {
            let kind = file.kind.item()?;
            let location = json!({ "uri": url_of(&self.path_of(file)?), "range": START });
            Some(json!({ "name": file.id, "kind": symbol_kind(kind), "location": location }))
        };
        project.files.iter().filter(is_meant).filter_map(symbol).collect()
    }

    /// A place in a tier that is on disk.
    fn location(&self, span: &Span) -> Option<Location> {
        let mut tiers = self.reading.project.tiers.list().iter();
        let tier = tiers.find(|tier| *tier.label == *span.source().tier())?;
        let path = tier.root.as_ref()?.join(span.source().path());
        Some(Location { uri: url_of(&path).into(), range: self.encoding.span(span) })
    }

    fn path_of(&self, file: &LintFile) -> Option<PathBuf> {
        Some(self.reading.project.tiers.list()[file.tier].root.as_ref()?.join(&file.path))
    }
}

/// Whether YAML and XML read a word as it is.
fn is_plain(word: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./".contains(c);
    word.chars().all(is_plain) && serde_yaml::from_str::<serde_yaml::Value>(word).is_ok_and(|value| value.is_string())
}

/// The kinds of the protocol: class, string and function.
fn symbol_kind(kind: ItemKind) -> u32 {
    match kind {
        ItemKind::Directive => 5,
        ItemKind::Knowledge => 15,
        ItemKind::Tool => 12,
    }
}
