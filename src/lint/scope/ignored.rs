use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::disk_log;
use crate::lint::patterns::add;
use crate::store::Access;
use crate::store::regular::read_anywhere;

/// The largest `.gitignore` that is read, in bytes.
const MAX_SIZE: u64 = 1_000_000;

/// What the `.gitignore` files of a repository say, or of a project in none. They alone count, and neither what a user
/// has for all repositories nor what stands in `.git`: who checks out the same files checks the same files.
pub struct Ignored {
    /// The folder whose `.gitignore` is the uppermost.
    top: PathBuf,
    /// Whether that is the top of a repository.
    is_repository: bool,
    /// From there to the project, with a slash at the end if it is not the same.
    project: String,
    /// By path from the top, without a slash at the end.
    folders: HashMap<String, Arc<Folder>>,
}

/// A folder.
#[derive(Clone, Default)]
struct Folder {
    /// Whether it is ignored, and with it all that is below.
    is_ignored: bool,
    /// The files that have a say in what lies in it: the length of what goes before their part of a path, outermost
    /// first.
    files: Vec<(usize, Arc<Gitignore>)>,
}

impl Ignored {
    /// What holds in a project for files of those paths; none where there is no such file. Each folder is looked at once.
    pub fn read<'p>(project: &Path, paths: impl Iterator<Item = &'p str>) -> Option<Self> {
        let mut ignored = Self::of(project);
        let mut last = None;
        for folder in paths.map(parent) {
            if last != Some(folder) {
                ignored.folder(&format!("{}{folder}", ignored.project));
                last = Some(folder);
            }
        }
        let says_something = |folder: &Arc<Folder>| folder.is_ignored || !folder.files.is_empty();
        ignored.folders.values().any(says_something).then_some(ignored)
    }

    /// What holds in a project, before any folder of it was looked at.
    pub fn of(project: &Path) -> Self {
        Self::up_to(repository(project), project, project)
    }

    /// What holds in a folder in which projects are looked for: outside a repository everything above it counts.
    pub fn of_search(folder: &Path) -> Self {
        Self::up_to(repository(folder), folder.ancestors().last().unwrap_or(folder), folder)
    }

    /// The files of a repository, or else of all folders from `otherwise` on.
    fn up_to(repository: Option<&Path>, otherwise: &Path, project: &Path) -> Self {
        let top = repository.unwrap_or(otherwise);
        // A path that is no text cannot be that of a pattern.
        let between = project.strip_prefix(top).ok().and_then(Path::to_str).unwrap_or_default();
        let between = between.replace(std::path::MAIN_SEPARATOR, "/");
        let between = if between.is_empty() { between } else { format!("{between}/") };
        Self { top: top.to_path_buf(), is_repository: repository.is_some(), project: between, folders: HashMap::new() }
    }

    /// Whether git would pass over a folder of the project, and all that is in it.
    pub fn passes_over_folder(&mut self, path: &str) -> bool {
        self.folder(&format!("{}{path}", self.project)).is_ignored
    }

    /// The top of the repository, if it is one.
    pub fn repository(&self) -> Option<&Path> {
        self.is_repository.then_some(self.top.as_path())
    }

    /// Whether git would pass a file over: one whose folder was among those that were looked at.
    pub fn has(&self, path: &str) -> bool {
        let whole = format!("{}{path}", self.project);
        let Some(folder) = self.folders.get(parent(&whole)) else { return false };
        folder.is_ignored || folder.ignores(&whole, false)
    }

    fn folder(&mut self, path: &str) -> Arc<Folder> {
        if let Some(known) = self.folders.get(path) {
            return Arc::clone(known);
        }
        let mut folder = match path {
            "" => Folder::default(),
            _ => {
                let above = self.folder(parent(path));
                Folder { is_ignored: above.is_ignored || above.ignores(path, true), files: above.files.clone() }
            }
        };
        if !folder.is_ignored
            && let Some(file) = file(&self.top.join(path).join(".gitignore"))
        {
            folder.files.push((if path.is_empty() { 0 } else { path.len() + 1 }, Arc::new(file)));
        }
        let folder = Arc::new(folder);
        self.folders.insert(path.to_string(), Arc::clone(&folder));
        folder
    }
}

impl Folder {
    /// Whether the innermost file that speaks about something in this folder says that it is ignored.
    fn ignores(&self, path: &str, is_folder: bool) -> bool {
        for (before, file) in self.files.iter().rev() {
            let found = file.matched(&path[*before..], is_folder);
            if !found.is_none() {
                return found.is_ignore();
            }
        }
        false
    }
}

/// The top of the work tree that a folder lies in, seen by its `.git`.
pub fn repository(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| disk_log::exists(&folder.join(".git")))
}

/// The folder of a path; the empty one for a name alone.
fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The patterns of a `.gitignore`. Git does not follow a link in its place, and passes over what is no pattern.
fn file(path: &Path) -> Option<Gitignore> {
    disk_log::record(path, Access::Read);
    if !fs::symlink_metadata(path).ok()?.is_file() {
        return None;
    }
    // Checked again once it is open: a FIFO or a device may have come into its place.
    let bytes = read_anywhere(path, MAX_SIZE).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let mut builder = GitignoreBuilder::new("");
    for line in text.strip_prefix('\u{feff}').unwrap_or(&text).lines() {
        let _ = add(&mut builder, line);
    }
    builder.build().ok().filter(|file| !file.is_empty())
}
