//! The instruction files of folders below the working folder, which join when the agent reads a file there.

use std::collections::BTreeMap;
use std::mem::take;

use super::folders::{DOT_FOLDER, DecidingFolders};
use super::instructions::{Instructions, agents_files};
use super::policy::{AGENTS_FILE, AgentsFiles, FILE, InstructionPolicy, Kind, LOCAL_FILE, is_below};
use super::texts::{Fate, FileText, Reader, SLOT, ScopedRule};
use crate::agents::files::{ancestors, below, folders_below, normalized, parent};
use crate::agents::visit::Visit;
use crate::prompt::{Declared, FileReason};
use crate::read::store::PathKind;

/// What a folder holds that has not joined.
pub(super) struct NestedTexts {
    pub texts: Vec<FileText>,
    pub scoped: Vec<ScopedRule>,
    /// Of `AGENTS.md` and what it imports.
    pub agents_texts: Vec<FileText>,
}

/// The folders below the working folder, by their paths. All their files get their states.
pub(super) fn find(
    visit: &mut Visit<'_>,
    policy: &InstructionPolicy<'_>,
    instructions: &Instructions,
) -> BTreeMap<String, NestedTexts> {
    let mut reader = Reader::new(visit, policy);
    let mut nested = BTreeMap::new();
    for folder in touched(visit, policy.folders).chain(with_files(visit, policy.folders)) {
        nested.entry(folder).or_insert_with_key(|folder| reader.nested(folder, instructions));
    }
    let mut found = reader.found();
    for NestedTexts { texts, scoped, agents_texts } in nested.values() {
        for text in texts.iter().chain(agents_texts).chain(scoped.iter().map(|rule| &rule.text)) {
            visit.joins_later(SLOT, &text.path, &text.text);
        }
        visit.look.waiting.extend(scoped.iter().map(ScopedRule::waiting));
    }
    found.record(visit);
    nested
}

/// The folders below the working folder down to that of a file.
pub(super) fn folders<'p>(path: &'p str, cwd: &str) -> Vec<&'p str> {
    let above = parent(path).into_iter().flat_map(ancestors);
    let mut folders: Vec<&str> = above.take_while(|folder| is_below(folder, cwd)).collect();
    folders.reverse();
    folders
}

/// Those of the files that the request touches.
fn touched(visit: &Visit<'_>, DecidingFolders { cwd, .. }: &DecidingFolders) -> impl Iterator<Item = String> {
    let of_file = |file: &String| folders(&normalized(file), cwd).into_iter().map(str::to_string).collect::<Vec<_>>();
    visit.request.touch.iter().flat_map(of_file)
}

/// Those in which instruction files are found.
fn with_files(visit: &Visit<'_>, DecidingFolders { cwd, home, .. }: &DecidingFolders) -> Vec<String> {
    let is_own = |name: &str| matches!(name, FILE | LOCAL_FILE | AGENTS_FILE | DOT_FOLDER);
    let mut found = folders_below(visit.files, cwd, home, is_own);
    found.retain(|folder| !folder[cwd.len()..].split('/').any(|name| name == DOT_FOLDER));
    found
}

impl Reader<'_, '_> {
    /// Reads the files of a folder below the working folder.
    fn nested(&mut self, folder: &str, instructions: &Instructions) -> NestedTexts {
        self.forget();
        let [project, local] = [Kind::Project, Kind::Local].map(|kind| self.policy.excluded(kind));
        self.project_files(folder, project);
        self.file(&below(folder, LOCAL_FILE), Kind::Local, local);
        self.project_rules(folder, project);
        let texts = take(&mut self.found.texts);
        self.nested_agents_files(folder, instructions);
        NestedTexts { texts, scoped: take(&mut self.found.scoped), agents_texts: take(&mut self.found.texts) }
    }

    /// Reads the `AGENTS.md` files of such a folder, if they are read here.
    fn nested_agents_files(
        &mut self,
        folder: &str,
        Instructions { agents_files: are_read, decider, .. }: &Instructions,
    ) {
        let is_fallback = self.policy.agents_files == AgentsFiles::Fallback;
        let others = [below(folder, FILE), below(&below(folder, DOT_FOLDER), FILE), below(folder, LOCAL_FILE)];
        let other = others.into_iter().find(|path| self.visit.kind(path) == Some(PathKind::File));
        let other = decider.clone().or(other).filter(|_| is_fallback);
        let skip = are_read.err().or_else(|| other.as_ref().map(|_| FileReason::Shadowed));
        self.forget();
        for path in agents_files(folder) {
            match (skip, &other) {
                (Some(why @ FileReason::Shadowed), Some(by)) if self.is_file(&path) => {
                    let by = Some(Declared { by: by.clone(), span: None });
                    self.set_fate(&path, Fate { by, ..Fate::left_out(why) });
                }
                _ => drop(self.file(&path, Kind::Project, skip)),
            }
        }
    }
}
