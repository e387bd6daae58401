use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

use crate::disk_log;

/// A file or folder that was named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// From the folder that holds `.ai/`, without a slash at the end.
    path: String,
    is_folder: bool,
}

/// Where something that was named lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In the `.ai/` of the project, or around it.
    Inside(Named),
    /// In the `.ai/` of another project: its folder.
    OtherProject(PathBuf),
    /// In none, or it is nothing that an item could be.
    Elsewhere,
}

impl Named {
    /// A file of that path.
    pub fn file(path: impl Into<String>) -> Self {
        Self { path: path.into(), is_folder: false }
    }

    /// A folder of that path.
    pub fn folder(path: impl Into<String>) -> Self {
        Self { path: path.into(), is_folder: true }
    }

    /// Whether it is a file.
    pub fn is_file(&self) -> bool {
        !self.is_folder
    }

    /// Its path, from the folder that holds `.ai/`.
    pub fn path(&self) -> &str {
        &self.path
    }
}

/// What was named, to be asked about many files.
#[derive(Debug, Default)]
pub(super) struct AllNamed<'n> {
    files: HashSet<&'n str>,
    folders: HashSet<&'n str>,
}

impl<'n> AllNamed<'n> {
    pub fn new(all: &'n [Named]) -> Self {
        let paths = |is_file: bool| {
            all.iter().filter(move |named| named.is_file() == is_file).map(|named| named.path.as_str()).collect()
        };
        Self { files: paths(true), folders: paths(false) }
    }

    /// Whether a file was named itself.
    pub fn is_file(&self, path: &str) -> bool {
        self.files.contains(path)
    }

    /// Whether a file was named, or a folder around it.
    pub fn holds(&self, path: &str) -> bool {
        let mut around = path.rmatch_indices('/').map(|(end, _)| &path[..end]).chain(["", path]);
        self.is_file(path) || !self.folders.is_empty() && around.any(|folder| self.folders.contains(folder))
    }
}

impl Place {
    /// Where an absolute path lies, seen from a project.
    pub fn of(path: &Path, is_folder: bool, project: &Path) -> Self {
        let Some(below) = below(path, project) else {
            let is_around = is_folder && below(project, path).is_some();
            return match is_around {
                true => Self::Inside(Named { path: String::new(), is_folder: true }),
                false => named_project(path, is_folder).map_or(Self::Elsewhere, Self::OtherProject),
            };
        };
        let Some(text) = below.to_str() else { return Self::Elsewhere };
        let text = text.replace(std::path::MAIN_SEPARATOR, "/");
        let first = text.split('/').next().unwrap_or_default();
        match first {
            "" => Self::Inside(Named { path: String::new(), is_folder }),
            ".ai" => Self::Inside(Named { path: text, is_folder }),
            _ if is_in_tier(&below) => project_of(path).map_or(Self::Elsewhere, Self::OtherProject),
            _ if is_folder && holds_tier(path) => Self::OtherProject(path.to_path_buf()),
            _ => Self::Elsewhere,
        }
    }
}

/// The project whose `.ai/` a path lies in, or which a folder is.
pub fn named_project(path: &Path, is_folder: bool) -> Option<PathBuf> {
    match is_in_tier(path) {
        true => project_of(path),
        false => (is_folder && holds_tier(path)).then(|| path.to_path_buf()),
    }
}

/// The folder that holds the `.ai/` which a path lies in, or else the nearest one around it that holds one.
pub fn project_of(path: &Path) -> Option<PathBuf> {
    let is_tier = |folder: &&Path| folder.file_name().is_some_and(|name| name == ".ai");
    let inside = path.ancestors().filter(is_tier).last().and_then(Path::parent);
    let around = || path.ancestors().find(|folder| holds_tier(folder));
    inside.or_else(around).map(Path::to_path_buf)
}

fn holds_tier(folder: &Path) -> bool {
    disk_log::is_folder(&folder.join(".ai"))
}

/// Whether a path leads through an `.ai/`.
pub fn is_in_tier(path: &Path) -> bool {
    path.components().any(|part| part == Component::Normal(".ai".as_ref()))
}

/// The way from a folder to a path below it, links or not.
fn below(path: &Path, folder: &Path) -> Option<PathBuf> {
    let as_written = path.strip_prefix(folder).ok().map(Path::to_path_buf);
    as_written.or_else(|| {
        let folder = folder.canonicalize().ok()?;
        // A link at the end is the thing that was named.
        let real = match (path.parent(), path.file_name()) {
            (Some(parent), Some(name)) => parent.canonicalize().ok()?.join(name),
            _ => path.canonicalize().ok()?,
        };
        real.strip_prefix(folder).ok().map(Path::to_path_buf)
    })
}
