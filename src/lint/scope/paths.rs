use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::read::store::{Access, Disk};

use super::ignored::Ignored;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPath {
    /// From the folder that holds `.ai/`, without a trailing slash.
    path: String,
    is_folder: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathLocation {
    /// In the `.ai/` of the project, or a folder that contains it.
    Inside(NamedPath),
    /// In the `.ai/` of the project in that folder.
    OtherProject(PathBuf),
    /// Outside of any project, or not a path that an item can have.
    Elsewhere,
}

impl NamedPath {
    pub fn file(path: impl Into<String>) -> Self {
        Self { path: path.into(), is_folder: false }
    }

    pub fn folder(path: impl Into<String>) -> Self {
        Self { path: path.into(), is_folder: true }
    }

    pub fn is_file(&self) -> bool {
        !self.is_folder
    }

    pub fn path(&self) -> &str {
        &self.path
    }
}

#[derive(Debug, Default)]
pub(super) struct NamedPaths<'n> {
    files: HashSet<&'n str>,
    folders: HashSet<&'n str>,
}

impl<'n> NamedPaths<'n> {
    pub fn new(all: &'n [NamedPath]) -> Self {
        let paths = |is_file: bool| {
            all.iter().filter(move |named| named.is_file() == is_file).map(|named| named.path.as_str()).collect()
        };
        Self { files: paths(true), folders: paths(false) }
    }

    pub fn is_file(&self, path: &str) -> bool {
        self.files.contains(path)
    }

    pub fn holds(&self, path: &str) -> bool {
        let mut around = path.rmatch_indices('/').map(|(end, _)| &path[..end]).chain(["", path]);
        self.is_file(path) || !self.folders.is_empty() && around.any(|folder| self.folders.contains(folder))
    }
}

impl PathLocation {
    pub fn of(path: &Path, is_folder: bool, project: &Path, disk: &Disk) -> Self {
        let Some(below) = below(path, project) else {
            let is_around = is_folder && below(project, path).is_some();
            return match is_around {
                true => Self::Inside(NamedPath { path: String::new(), is_folder: true }),
                false => named_project(path, is_folder, disk).map_or(Self::Elsewhere, Self::OtherProject),
            };
        };
        let Some(text) = below.to_str() else { return Self::Elsewhere };
        let text = text.replace(std::path::MAIN_SEPARATOR, "/");
        let first = text.split('/').next().unwrap_or_default();
        match first {
            "" => Self::Inside(NamedPath { path: String::new(), is_folder }),
            ".ai" => Self::Inside(NamedPath { path: text, is_folder }),
            _ if is_in_tier(&below) => project_of(path, disk).map_or(Self::Elsewhere, Self::OtherProject),
            _ if is_folder && holds_tier(path, disk) => Self::OtherProject(path.to_path_buf()),
            _ => Self::Elsewhere,
        }
    }
}

pub fn named_project(path: &Path, is_folder: bool, disk: &Disk) -> Option<PathBuf> {
    match is_in_tier(path) {
        true => project_of(path, disk),
        false => (is_folder && holds_tier(path, disk)).then(|| path.to_path_buf()),
    }
}

/// The folder whose `.ai/` contains a path, or else the nearest parent folder that has one.
pub fn project_of(path: &Path, disk: &Disk) -> Option<PathBuf> {
    let is_tier = |folder: &&Path| folder.file_name().is_some_and(|name| name == ".ai");
    let inside = path.ancestors().filter(is_tier).last().and_then(Path::parent);
    let around = || path.ancestors().find(|folder| holds_tier(folder, disk));
    inside.or_else(around).map(Path::to_path_buf)
}

fn holds_tier(folder: &Path, disk: &Disk) -> bool {
    disk.is_folder(&folder.join(".ai"))
}

/// Whether a path passes through an `.ai/`.
pub fn is_in_tier(path: &Path) -> bool {
    path.components().any(|part| part == Component::Normal(".ai".as_ref()))
}

/// The path relative to a folder, resolving links if needed.
fn below(path: &Path, folder: &Path) -> Option<PathBuf> {
    let as_written = path.strip_prefix(folder).ok().map(Path::to_path_buf);
    as_written.or_else(|| {
        let folder = folder.canonicalize().ok()?;
        // If the path itself names a link, do not resolve that link.
        let real = match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => parent.canonicalize().ok()?.join(name),
            _ => path.canonicalize().ok()?,
        };
        real.strip_prefix(folder).ok().map(Path::to_path_buf)
    })
}

/// The folders at or below `folder` that contain an `.ai/`, in byte order. Skips folders that
/// `.gitignore` excludes, links, hidden folders, and `.ai/` itself.
pub fn projects_below(folder: &Path, disk: &Disk) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if is_in_tier(folder) {
        return found;
    }
    let mut ignored = Ignored::of_search(folder, disk);
    // Naming an ignored folder overrides `.gitignore`.
    let is_named = ignored.ignores_folder("");
    let mut next = vec![String::new()];
    while let Some(path) = next.pop() {
        if !is_named && ignored.ignores_folder(&path) {
            continue;
        }
        let whole = folder.join(&path);
        if disk.is_folder(&whole.join(".ai")) {
            found.push(whole.clone());
        }
        let prefix = if path.is_empty() { path } else { path + "/" };
        next.extend(folders_of(&whole, disk).into_iter().map(|name| format!("{prefix}{name}")));
    }
    found.sort_unstable();
    found
}

/// Subfolders that may hold a project.
fn folders_of(folder: &Path, disk: &Disk) -> Vec<String> {
    disk.record(folder, Access::List);
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let folders = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.filter_map(|entry| entry.file_name().into_string().ok()).filter(|name| !name.starts_with('.')).collect()
}
