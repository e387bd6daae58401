use std::collections::HashSet;

use crate::agents::files::below;
use crate::diagnostic::Problem;
use crate::read::limits;
use crate::read::store::{PathKind, Store, StoreEntry};

use super::ignore::Ignored;
use super::roots::Root;

const SKILL: &str = "SKILL.md";

/// A pattern in an ignore file counts as this many names, because it takes that much more memory.
const PATTERN: usize = 10;

pub(super) struct FoundSkillFile {
    /// As walked, links unresolved.
    pub path: String,
    pub real: String,
    /// The folder whose ignore file excludes it.
    pub ignored_by: Option<String>,
}

/// How many more names a search for skills may read.
#[derive(Debug)]
pub struct NameBudget {
    left: usize,
    is_over: bool,
}

impl Default for NameBudget {
    fn default() -> Self {
        Self { left: limits::SKILL_NAMES, is_over: false }
    }
}

impl NameBudget {
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    fn take(&mut self, names: usize) {
        self.is_over |= names > self.left;
        self.left = self.left.saturating_sub(names);
    }
}

#[derive(Default)]
pub(super) struct Walked {
    pub found: Vec<FoundSkillFile>,
    /// The folder at which the budget ran out; nothing from there on was searched.
    pub ended_at: Option<String>,
    pub refused: Vec<(String, Problem)>,
}

/// The skill files of a root; `None` if it does not exist.
pub(super) fn walk(root: &Root, files: &dyn Store, budget: &mut NameBudget) -> Option<Walked> {
    match files.kind(&root.folder) {
        Err(error) => {
            let refused = (root.folder.clone(), Problem::SkillsUnreadable { reason: error.denial()? });
            return Some(Walked { refused: vec![refused], ..Walked::default() });
        }
        Ok(PathKind::Folder) => {}
        Ok(PathKind::File) if root.is_requested && root.folder.ends_with(".md") => {
            let file = FoundSkillFile { real: files.real(&root.folder), path: root.folder.clone(), ignored_by: None };
            return Some(Walked { found: vec![file], ..Walked::default() });
        }
        Ok(PathKind::File) => return None,
    }
    let mut walk = Walk { files, budget, entered: HashSet::new(), walked: Walked::default() };
    let folder = SkillFolder { path: root.folder.clone(), real: files.real(&root.folder), relative: String::new() };
    walk.enter(&folder, &Ignored::default());
    Some(walk.walked)
}

struct Walk<'a> {
    files: &'a dyn Store,
    budget: &'a mut NameBudget,
    /// The real paths of visited folders: links may lead back.
    entered: HashSet<String>,
    walked: Walked,
}

struct SkillFolder {
    path: String,
    real: String,
    /// The path from the root, with a trailing slash; empty for the root itself.
    relative: String,
}

impl SkillFolder {
    fn can_hold(&self, file: &StoreEntry) -> bool {
        if self.relative.is_empty() { file.name.ends_with(".md") } else { file.name == SKILL }
    }
}

impl Walk<'_> {
    fn enter(&mut self, folder: &SkillFolder, above: &Ignored) {
        if self.budget.is_over() || !self.entered.insert(folder.real.clone()) {
            return;
        }
        let entries = self.files.list(&folder.path).unwrap_or_else(|error| {
            let refused = |reason| (folder.path.clone(), Problem::SkillsUnreadable { reason });
            self.walked.refused.extend(error.denial().map(refused));
            Vec::new()
        });
        self.budget.take(entries.len());
        if self.budget.is_over() {
            self.walked.ended_at = Some(folder.path.clone());
            return;
        }
        let most = self.budget.left / PATTERN;
        let read = above.with_files_of(&folder.path, &folder.relative, &entries, self.files, most);
        self.budget.take(read.as_ref().map_or(usize::MAX, |(_, patterns)| patterns * PATTERN));
        let Some((ignored, _)) = read else {
            self.walked.ended_at = Some(folder.path.clone());
            return;
        };
        for entry in entries {
            if self.budget.is_over() {
                return;
            }
            if entry.name.starts_with('.') || entry.name == "node_modules" {
                continue;
            }
            let relative = format!("{}{}", folder.relative, entry.name);
            let Some(kind) = entry.followed(self.files, || below(&folder.path, &entry.name)) else { continue };
            if !entry.is_named {
                self.refuse(folder, &entry, kind);
                continue;
            }
            match ignored.by(&relative, kind == PathKind::Folder) {
                None => self.meet(folder, entry, kind, relative, &ignored),
                Some(by) => self.pass_over(folder, &entry, kind, by),
            }
        }
    }

    /// Records an entry that would matter if its name were UTF-8.
    fn refuse(&mut self, folder: &SkillFolder, entry: &StoreEntry, kind: PathKind) {
        if kind == PathKind::Folder || folder.can_hold(entry) {
            self.walked.refused.push((below(&folder.path, &entry.name), Problem::NameNotUtf8));
        }
    }

    fn meet(&mut self, folder: &SkillFolder, entry: StoreEntry, kind: PathKind, relative: String, ignored: &Ignored) {
        if kind == PathKind::File && !folder.can_hold(&entry) {
            return;
        }
        let path = below(&folder.path, &entry.name);
        // Only links need their real path looked up.
        let real = if entry.is_link { self.files.real(&path) } else { below(&folder.real, &entry.name) };
        match kind {
            PathKind::Folder => self.enter(&SkillFolder { path, real, relative: relative + "/" }, ignored),
            PathKind::File => self.walked.found.push(FoundSkillFile { path, real, ignored_by: None }),
        }
    }

    /// Records an ignored skill file. For an ignored folder, only its own skill file is recorded:
    /// the folder is not searched.
    fn pass_over(&mut self, folder: &SkillFolder, entry: &StoreEntry, kind: PathKind, by: &str) {
        let path = below(&folder.path, &entry.name);
        let skill = match kind {
            PathKind::File => folder.can_hold(entry).then_some(path),
            PathKind::Folder => Some(below(&path, SKILL)).filter(|path| self.files.is_file(path)),
        };
        let candidate =
            |path: String| FoundSkillFile { real: self.files.real(&path), path, ignored_by: Some(by.to_string()) };
        self.walked.found.extend(skill.map(candidate));
    }
}
