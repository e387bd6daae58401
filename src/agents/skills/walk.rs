use std::collections::HashSet;

use crate::agents::files::below;
use crate::diagnostic::Problem;
use crate::read::limits;
use crate::read::store::{PathKind, Store, StoreEntry};

use super::ignore::Ignored;

const SKILL: &str = "SKILL.md";

/// A pattern in an ignore file counts as this many names, because it takes that much more memory.
const PATTERN: usize = 10;

/// Which files and folders of a root are searched.
#[derive(Debug, Clone, Copy)]
pub struct WalkRules {
    /// Whether nothing is searched beside and below a `SKILL.md`.
    pub ends_at_skill: bool,
    /// Whether links may lead to a folder again, as long as they are not circular.
    pub follows_again: bool,
    pub loose: LooseFiles,
}

/// Where an `.md` file with another name is a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LooseFiles {
    /// Directly in the root.
    Top,
    /// Everywhere but directly in the root.
    BelowTop,
    Nowhere,
}

pub struct FoundSkillFile {
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

    pub fn take(&mut self, names: usize) {
        self.is_over |= names > self.left;
        self.left = self.left.saturating_sub(names);
    }
}

#[derive(Default)]
pub struct Walked {
    pub found: Vec<FoundSkillFile>,
    /// The folder at which the budget ran out; nothing from there on was searched.
    pub ended_at: Option<String>,
    pub refused: Vec<(String, Problem)>,
}

impl Walked {
    /// A root that is a file.
    pub fn file(path: &str, files: &dyn Store) -> Self {
        let file = FoundSkillFile { real: files.real(path), path: path.to_string(), ignored_by: None };
        Self { found: vec![file], ..Self::default() }
    }
}

/// The skill files of a root; `None` if it is not a folder.
pub fn walk(root: &str, rules: WalkRules, files: &dyn Store, budget: &mut NameBudget) -> Option<Walked> {
    match files.kind(root) {
        Err(error) => {
            let refused = (root.to_string(), Problem::SkillsUnreadable { reason: error.denial()? });
            return Some(Walked { refused: vec![refused], ..Walked::default() });
        }
        Ok(PathKind::Folder) => {}
        Ok(PathKind::File) => return None,
    }
    let mut walk = Walk { rules, files, budget, entered: HashSet::new(), walked: Walked::default() };
    let folder = SkillFolder { path: root.to_string(), real: files.real(root), relative: String::new() };
    walk.enter(&folder, &Ignored::default());
    Some(walk.walked)
}

struct Walk<'a> {
    rules: WalkRules,
    files: &'a dyn Store,
    budget: &'a mut NameBudget,
    /// The real paths of folders that are not entered again: links may lead back.
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
    fn can_hold(&self, file: &StoreEntry, loose: LooseFiles) -> bool {
        let is_top = self.relative.is_empty();
        let is_loose = match loose {
            LooseFiles::Top => is_top,
            LooseFiles::BelowTop => !is_top,
            LooseFiles::Nowhere => false,
        };
        file.name == SKILL || is_loose && file.name.ends_with(".md")
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
        let skill = entries.iter().find(|entry| self.is_end(folder, entry, &ignored)).cloned();
        for entry in skill.map_or(entries, |skill| vec![skill]) {
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
        if self.rules.follows_again {
            self.entered.remove(&folder.real);
        }
    }

    /// Whether a file is the only one that counts in a folder.
    fn is_end(&self, folder: &SkillFolder, entry: &StoreEntry, ignored: &Ignored) -> bool {
        self.rules.ends_at_skill
            && entry.name == SKILL
            && entry.followed(self.files, || below(&folder.path, SKILL)) == Some(PathKind::File)
            && ignored.by(&format!("{}{SKILL}", folder.relative), false).is_none()
    }

    /// Records an entry that would matter if its name were UTF-8.
    fn refuse(&mut self, folder: &SkillFolder, entry: &StoreEntry, kind: PathKind) {
        if kind == PathKind::Folder || folder.can_hold(entry, self.rules.loose) {
            self.walked.refused.push((below(&folder.path, &entry.name), Problem::NameNotUtf8));
        }
    }

    fn meet(&mut self, folder: &SkillFolder, entry: StoreEntry, kind: PathKind, relative: String, ignored: &Ignored) {
        if kind == PathKind::File && !folder.can_hold(&entry, self.rules.loose) {
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
            PathKind::File => folder.can_hold(entry, self.rules.loose).then_some(path),
            PathKind::Folder => Some(below(&path, SKILL)).filter(|path| self.files.is_file(path)),
        };
        let candidate =
            |path: String| FoundSkillFile { real: self.files.real(&path), path, ignored_by: Some(by.to_string()) };
        self.walked.found.extend(skill.map(candidate));
    }
}
