//! The two states of a file that git passes.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::answer::diff::Pair;
use crate::cli::arguments::Diff;
use crate::cli::resolve::wrong;
use crate::diagnostic::Diagnostic;
use crate::read::store::Disk;
use crate::read::{files, limits};

/// The path that git passes for a file that does not exist.
pub(super) const NO_FILE: &str = "/dev/null";

pub(super) struct FileState {
    pub path: PathBuf,
    /// Where its bytes are, if it exists.
    pub file: Option<PathBuf>,
    /// Whether it is neither a link nor a submodule.
    pub is_regular: bool,
    pub title: String,
}

pub(super) enum GitRequest {
    Compare(Box<FileStates>),
    /// A file in conflict, for which git passes only the path.
    Unmerged(PathBuf),
}

pub(super) struct FileStates {
    pub each: Pair<FileState>,
    /// Changes to the mode or the name.
    pub notes: Vec<String>,
}

impl FileState {
    pub fn read(&self, disk: &Disk) -> Result<Option<Vec<u8>>, Diagnostic> {
        self.file.as_deref().map(|file| files::bytes(file, limits::FILE_BYTES, disk)).transpose()
    }
}

impl GitRequest {
    pub fn parse(typed: &Diff) -> Result<Self, Diagnostic> {
        match (&typed.stands_for, &typed.left, &typed.right) {
            (Some(path), Some(left), Some(right)) => Ok(Self::Compare(Box::new(by_hand(path, left, right)))),
            _ => external(typed),
        }
    }
}

fn by_hand(path: &Path, left: &str, right: &str) -> FileStates {
    let state = |file: &str, title: &str| FileState {
        path: path.to_path_buf(),
        file: (file != NO_FILE).then(|| PathBuf::from(file)),
        is_regular: true,
        // Any other file is temporary, so its name means nothing.
        title: if Path::new(file) == path { String::new() } else { title.to_string() },
    };
    FileStates { each: Pair { left: state(left, "old"), right: state(right, "new") }, notes: Vec::new() }
}

/// `path old-file old-hex old-mode new-file new-hex new-mode`, and for a rename the new path and its description.
fn external(typed: &Diff) -> Result<GitRequest, Diagnostic> {
    let arguments: Vec<&OsStr> = typed.git_external.iter().map(|argument| argument.as_os_str()).collect();
    let (path, states, to) = match arguments[..] {
        [path] => return Ok(GitRequest::Unmerged(path.into())),
        [path, ref states @ ..] if states.len() == 6 => (path, states, None),
        [path, ref states @ .., to, about] if states.len() == 6 => (path, states, Some((to, about))),
        _ => {
            let what = format!("git passes seven or nine arguments, but there are {}", arguments.len());
            return Err(wrong(&what, "set diff.<driver>.command to `rye-render diff --git-external`"));
        }
    };
    let left = state(path, &states[..3]);
    let right = state(to.map_or(path, |(to, _)| to), &states[3..]);
    let mut notes = Vec::new();
    let [old_mode, new_mode] = [states[2], states[5]].map(|mode| mode.to_string_lossy());
    if left.file.is_some() && right.file.is_some() && old_mode != new_mode {
        notes.push(format!("mode {old_mode} → {new_mode}"));
    }
    if let Some((_, about)) = to {
        notes.extend(about.to_string_lossy().lines().filter(|line| !line.starts_with("index ")).map(str::to_string));
    }
    Ok(GitRequest::Compare(Box::new(FileStates { each: Pair { left, right }, notes })))
}

fn state(path: &OsStr, state: &[&OsStr]) -> FileState {
    let hex = state[1].to_string_lossy();
    FileState {
        path: PathBuf::from(path),
        file: (state[0] != NO_FILE).then(|| PathBuf::from(state[0])),
        // 100644, 100755; a link is 120000, and a submodule 160000.
        is_regular: state[2].as_encoded_bytes().starts_with(b"100"),
        // A file in the work tree has no object.
        title: match hex.trim_matches('0').is_empty() || hex == "." {
            true => String::new(),
            false => hex.chars().take(7).collect(),
        },
    }
}
