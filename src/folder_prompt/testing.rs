//! Folders in memory, for tests.

use std::collections::BTreeMap;

use super::files::{FileSource, FolderEntry, PathKind, below, parent};
use crate::diagnostic::Problem;

/// Files in memory, by their paths; a link has `->` before its target.
pub struct Tree {
    /// By full path.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Tree {
    pub fn of(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| (path.to_string(), text.as_bytes().to_vec())).collect();
        Self { files }
    }
}

impl FileSource for Tree {
    fn kind(&self, path: &str) -> Option<PathKind> {
        let real = self.real(path);
        let is_folder = || self.files.keys().any(|file| file.strip_prefix(&real).is_some_and(|it| it.starts_with('/')));
        match self.files.contains_key(&real) {
            true => Some(PathKind::File),
            false => is_folder().then_some(PathKind::Folder),
        }
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, Problem> {
        let found = self.files.get(&self.real(path)).cloned();
        found.ok_or_else(|| Problem::Unreadable { reason: "no such file".to_string() })
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let folder = self.real(folder);
        let below = self.files.keys().filter_map(|file| file.strip_prefix(&folder)?.strip_prefix('/'));
        let mut names: Vec<String> = below.filter_map(|below| Some(below.split('/').next()?.to_string())).collect();
        names.dedup();
        names.sort();
        names
    }

    fn entries(&self, folder: &str) -> Vec<FolderEntry> {
        let entry = |name: String| {
            let path = below(folder, &name);
            FolderEntry { kind: self.kind(&path), is_link: self.is_link(&path), name, is_named: true }
        };
        self.names(folder).into_iter().map(entry).collect()
    }

    fn is_link(&self, path: &str) -> bool {
        let in_folder = |folder: &str| below(&self.real(folder), path.rsplit('/').next().unwrap_or_default());
        parent(path).is_none_or(|folder| self.real(path) != in_folder(folder))
    }

    /// Follows at most ten links.
    fn real(&self, path: &str) -> String {
        let mut real = path.to_string();
        for _ in 0..10 {
            let link = self.files.iter().find_map(|(link, text)| {
                let target = std::str::from_utf8(text).ok()?.strip_prefix("->")?;
                let rest = real.strip_prefix(link.as_str()).filter(|it| it.is_empty() || it.starts_with('/'))?;
                Some(format!("{target}{rest}"))
            });
            match link {
                Some(next) => real = next,
                None => break,
            }
        }
        real
    }
}
