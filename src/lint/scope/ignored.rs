use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::lint::folders::folder_of;
use crate::read::patterns::add;
use crate::read::store::regular::read_anywhere;
use crate::read::store::{Access, Disk};

/// In bytes.
const MAX_SIZE: u64 = 1_000_000;

/// The `.gitignore` files of a repository, or of a project outside of one. The user's global excludes and `.git/info`
/// do not apply, so that everyone with the same files checks the same files.
pub struct Ignored {
    top: PathBuf,
    is_repository: bool,
    /// From `top` to the project: empty, or ending with a slash.
    project: String,
    folders: HashMap<String, Arc<IgnoredFolder>>,
    pub disk: Disk,
}

#[derive(Clone, Default)]
struct IgnoredFolder {
    is_ignored: bool,
    /// The `.gitignore` files that apply, outermost first, with the length of their folder's path.
    files: Vec<(usize, Arc<Gitignore>)>,
}

impl Ignored {
    /// The `.gitignore` files that apply to files of a project; `None` if there are none. Reads each folder once.
    pub fn read<'p>(project: &Path, paths: impl Iterator<Item = &'p str>, disk: &Disk) -> Option<Self> {
        let mut ignored = Self::of(project, disk);
        let mut last = None;
        for folder in paths.map(folder_of) {
            if last != Some(folder) {
                ignored.folder(&format!("{}{folder}", ignored.project));
                last = Some(folder);
            }
        }
        let says_something = |folder: &Arc<IgnoredFolder>| folder.is_ignored || !folder.files.is_empty();
        ignored.folders.values().any(says_something).then_some(ignored)
    }

    pub fn of(project: &Path, disk: &Disk) -> Self {
        Self::up_to(repository(project, disk), project, project, disk)
    }

    /// For a search for projects: outside of a repository, the files of all parent folders apply.
    pub fn of_search(folder: &Path, disk: &Disk) -> Self {
        Self::up_to(repository(folder, disk), folder.ancestors().last().unwrap_or(folder), folder, disk)
    }

    fn up_to(repository: Option<&Path>, otherwise: &Path, project: &Path, disk: &Disk) -> Self {
        let top = repository.unwrap_or(otherwise);
        // A path that is not UTF-8 cannot match a pattern.
        let between = project.strip_prefix(top).ok().and_then(Path::to_str).unwrap_or_default();
        let mut project = between.replace(std::path::MAIN_SEPARATOR, "/");
        if !project.is_empty() {
            project.push('/');
        }
        Self {
            top: top.to_path_buf(),
            is_repository: repository.is_some(),
            project,
            folders: HashMap::new(),
            disk: disk.clone(),
        }
    }

    pub fn ignores_folder(&mut self, path: &str) -> bool {
        self.folder(&format!("{}{path}", self.project)).is_ignored
    }

    pub fn repository(&self) -> Option<&Path> {
        self.is_repository.then_some(self.top.as_path())
    }

    /// Whether git ignores a file in a folder that `read` has seen.
    pub fn has(&self, path: &str) -> bool {
        let whole = format!("{}{path}", self.project);
        let Some(folder) = self.folders.get(folder_of(&whole)) else { return false };
        folder.is_ignored || folder.ignores(&whole, false)
    }

    fn folder(&mut self, path: &str) -> Arc<IgnoredFolder> {
        if let Some(known) = self.folders.get(path) {
            return Arc::clone(known);
        }
        let mut folder = match path {
            "" => IgnoredFolder::default(),
            _ => {
                let above = self.folder(folder_of(path));
                IgnoredFolder { is_ignored: above.is_ignored || above.ignores(path, true), files: above.files.clone() }
            }
        };
        if !folder.is_ignored
            && let Some(file) = file(&self.top.join(path).join(".gitignore"), &self.disk)
        {
            folder.files.push((if path.is_empty() { 0 } else { path.len() + 1 }, Arc::new(file)));
        }
        let folder = Arc::new(folder);
        self.folders.insert(path.to_string(), Arc::clone(&folder));
        folder
    }
}

impl IgnoredFolder {
    /// The innermost file with a matching pattern decides.
    fn ignores(&self, path: &str, is_folder: bool) -> bool {
        let mut found = self.files.iter().rev().map(|(before, file)| file.matched(&path[*before..], is_folder));
        found.find(|found| !found.is_none()).is_some_and(|found| found.is_ignore())
    }
}

/// The work tree that a folder is in.
pub fn repository<'f>(folder: &'f Path, disk: &Disk) -> Option<&'f Path> {
    folder.ancestors().find(|folder| disk.exists(&folder.join(".git")))
}

/// Like git, follows no links and skips invalid patterns.
fn file(path: &Path, disk: &Disk) -> Option<Gitignore> {
    disk.record(path, Access::Read);
    if !fs::symlink_metadata(path).ok()?.is_file() {
        return None;
    }
    // Checked again after opening: a FIFO or device may have replaced the file.
    let bytes = read_anywhere(path, MAX_SIZE).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let mut builder = GitignoreBuilder::new("");
    for line in text.strip_prefix('\u{feff}').unwrap_or(&text).lines() {
        let _ = add(&mut builder, line);
    }
    builder.build().ok().filter(|file| !file.is_empty())
}
