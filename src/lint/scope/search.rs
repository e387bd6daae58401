use std::fs;
use std::path::{Path, PathBuf};

use super::ignored::Ignored;
use super::is_in_tier;
use crate::read::store::{Access, Disk};

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
