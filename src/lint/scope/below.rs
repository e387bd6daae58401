use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use crate::looked;
use crate::store::Access;

/// The folders below one that hold a `.ai/`, itself included, in byte order of paths. What a `.gitignore` names is passed
/// over, and so are links, folders whose names begin with a dot, and what lies in a `.ai/`.
pub fn projects_below(folder: &Path) -> Vec<PathBuf> {
    folder.ancestors().skip(1).for_each(|above| looked::below(above, ".gitignore", Access::Read));
    let mut walk = WalkBuilder::new(folder);
    // As when files are passed over: who checks out the same files checks the same projects.
    walk.standard_filters(false).git_ignore(true).parents(true).require_git(false);
    walk.filter_entry(|entry| {
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        is_folder && (entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.'))
    });
    // A folder that cannot be listed holds nothing that could be read.
    let folders = walk.build().filter_map(Result::ok).map(ignore::DirEntry::into_path);
    let folders = folders.inspect(|folder| seen(folder));
    let is_project = |folder: &PathBuf| !is_in_tier(folder) && looked::is_folder(&folder.join(".ai"));
    let mut found: Vec<PathBuf> = folders.filter(is_project).collect();
    found.sort_unstable();
    found
}

/// The walk asks the disk itself: which folders there are, and what git ignores of them.
fn seen(folder: &Path) {
    looked::at(folder, Access::List);
    looked::below(folder, ".gitignore", Access::Read);
}

fn is_in_tier(folder: &Path) -> bool {
    folder.components().any(|part| part.as_os_str() == ".ai")
}
