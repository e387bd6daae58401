//! What git hands over to compare: two states of a file.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::super::arguments::Diff;
use super::super::files;
use super::super::resolve::wrong;
use crate::diagnostic::Diagnostic;
use crate::diff::Pair;
use crate::limits;

/// What git names where there is no file.
pub(super) const NOTHING: &str = "/dev/null";

/// A state of a file.
pub(super) struct State {
    /// Its path in the work tree.
    pub path: PathBuf,
    /// Where its bytes are; none where it is not there.
    pub file: Option<PathBuf>,
    /// Whether it is a file, and no link or submodule.
    pub is_regular: bool,
    /// What views call it.
    pub title: String,
}

/// What git asks for.
pub(super) enum Asked {
    /// Both states of a file.
    Compare(Box<States>),
    /// A file in conflict, of which git names the path alone.
    Unmerged(PathBuf),
}

/// The states of a file that are compared.
pub(super) struct States {
    pub each: Pair<State>,
    /// What git says besides: another mode, another name.
    pub notes: Vec<String>,
}

impl State {
    /// Its bytes; none where it is not there.
    pub fn read(&self) -> Result<Option<Vec<u8>>, Diagnostic> {
        self.file.as_deref().map(|file| files::bytes(file, limits::FILE_BYTES)).transpose()
    }
}

impl Asked {
    /// What the arguments hand over.
    pub fn parse(typed: &Diff) -> Result<Self, Diagnostic> {
        match (&typed.stands_for, &typed.left, &typed.right) {
            (Some(path), Some(left), Some(right)) => Ok(Self::Compare(Box::new(by_hand(path, left, right)))),
            _ => external(typed),
        }
    }
}

fn by_hand(path: &Path, left: &str, right: &str) -> States {
    let state = |file: &str, title: &str| State {
        path: path.to_path_buf(),
        file: (file != NOTHING).then(|| PathBuf::from(file)),
        is_regular: true,
        // Other files are temporary, and their names tell nothing.
        title: if Path::new(file) == path { String::new() } else { title.to_string() },
    };
    States { each: Pair { left: state(left, "old"), right: state(right, "new") }, notes: Vec::new() }
}

/// `path old-file old-hex old-mode new-file new-hex new-mode`, and of another name that and what git says about it.
fn external(typed: &Diff) -> Result<Asked, Diagnostic> {
    let arguments: Vec<&OsStr> = typed.git_external.iter().map(|argument| argument.as_os_str()).collect();
    let (path, states, to) = match arguments[..] {
        [path] => return Ok(Asked::Unmerged(path.into())),
        [path, ref states @ ..] if states.len() == 6 => (path, states, None),
        [path, ref states @ .., to, about] if states.len() == 6 => (path, states, Some((to, about))),
        _ => {
            let what = format!("git hands over seven arguments, or nine, and here are {}", arguments.len());
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
    Ok(Asked::Compare(Box::new(States { each: Pair { left, right }, notes })))
}

/// A state by its file, its object and its mode.
fn state(path: &OsStr, state: &[&OsStr]) -> State {
    let hex = state[1].to_string_lossy();
    State {
        path: PathBuf::from(path),
        file: (state[0] != NOTHING).then(|| PathBuf::from(state[0])),
        // 100644, 100755; a link is 120000, and a submodule 160000.
        is_regular: state[2].as_encoded_bytes().starts_with(b"100"),
        // Of a file in the work tree git knows no object.
        title: match hex.trim_matches('0').is_empty() || hex == "." {
            true => String::new(),
            false => hex.chars().take(7).collect(),
        },
    }
}
