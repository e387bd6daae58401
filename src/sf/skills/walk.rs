use std::collections::HashSet;

use crate::sf::files::{Entry, Files, Kind, below};

use super::ignore::Ignored;
use super::roots::Root;

/// A skill file that was met.
pub(super) struct Candidate {
    /// As walked, links kept.
    pub path: String,
    /// Without links.
    pub real: String,
}

/// The skill files of a root in order; none where it is not there.
pub(super) fn walk(root: &Root, files: &dyn Files) -> Option<Vec<Candidate>> {
    match files.kind(&root.folder)? {
        Kind::Folder => {}
        Kind::File if root.is_asked_for && root.folder.ends_with(".md") => {
            return Some(vec![Candidate { real: files.real(&root.folder), path: root.folder.clone() }]);
        }
        Kind::File => return None,
    }
    let mut walk = Walk { files, entered: HashSet::new(), found: Vec::new() };
    let folder = Folder { path: root.folder.clone(), real: files.real(&root.folder), relative: String::new() };
    walk.enter(&folder, &Ignored::default());
    Some(walk.found)
}

struct Walk<'a> {
    files: &'a dyn Files,
    /// The real paths of folders; each is entered once, since links may lead back.
    entered: HashSet<String>,
    found: Vec<Candidate>,
}

struct Folder {
    path: String,
    real: String,
    /// From the root, with a slash at its end; empty for the root itself.
    relative: String,
}

impl Walk<'_> {
    fn enter(&mut self, folder: &Folder, above: &Ignored) {
        if !self.entered.insert(folder.real.clone()) {
            return;
        }
        let entries = self.files.entries(&folder.path);
        let ignored = above.with_files_of(&folder.path, &folder.relative, &entries, self.files);
        for entry in entries {
            if entry.name.starts_with('.') || entry.name == "node_modules" {
                continue;
            }
            let relative = format!("{}{}", folder.relative, entry.name);
            match entry.kind {
                Some(kind) if !ignored.has(&relative, kind == Kind::Folder) => {
                    self.meet(folder, entry, kind, relative, &ignored);
                }
                _ => {}
            }
        }
    }

    fn meet(&mut self, folder: &Folder, entry: Entry, kind: Kind, relative: String, ignored: &Ignored) {
        let is_loose = folder.relative.is_empty() && entry.name.ends_with(".md");
        let is_skill = !folder.relative.is_empty() && entry.name == "SKILL.md";
        if kind == Kind::File && !is_loose && !is_skill {
            return;
        }
        let path = below(&folder.path, &entry.name);
        // Only a link has a real path that must be asked for.
        let real = if entry.is_link { self.files.real(&path) } else { below(&folder.real, &entry.name) };
        match kind {
            Kind::Folder => self.enter(&Folder { path, real, relative: relative + "/" }, ignored),
            Kind::File => self.found.push(Candidate { path, real }),
        }
    }
}
