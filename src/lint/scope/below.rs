use std::fs;
use std::path::{Path, PathBuf};

use super::Ignored;
use crate::disk_log;
use crate::store::Access;

/// The folders below one that hold a `.ai/`, itself included, in byte order of paths. What a `.gitignore` names is passed
/// over, and so are links, folders whose names begin with a dot, and what lies in a `.ai/`.
pub fn projects_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if folder.components().any(|part| part.as_os_str() == ".ai") {
        return found;
    }
    // As when files are passed over: who checks out the same files checks the same projects.
    let mut ignored = Ignored::of_search(folder);
    // Whoever names a folder that git ignores means it.
    let is_meant = ignored.passes_over_folder("");
    let mut next = vec![String::new()];
    while let Some(path) = next.pop() {
        if !is_meant && ignored.passes_over_folder(&path) {
            continue;
        }
        let whole = folder.join(&path);
        if disk_log::is_folder(&whole.join(".ai")) {
            found.push(whole.clone());
        }
        let prefix = if path.is_empty() { path } else { path + "/" };
        next.extend(folders_of(&whole).into_iter().map(|name| format!("{prefix}{name}")));
    }
    found.sort_unstable();
    found
}

/// The names of the folders in one that may hold a project; none where it cannot be listed.
fn folders_of(folder: &Path) -> Vec<String> {
    disk_log::record(folder, Access::List);
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let folders = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.filter_map(|entry| entry.file_name().into_string().ok()).filter(|name| !name.starts_with('.')).collect()
}
