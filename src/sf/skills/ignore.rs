use std::sync::Arc;

use ::ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::lint::add_pattern;
use crate::sf::files::{Entry, Files, below};

/// The files that say what is passed over, in the order in which they are read.
const NAMES: [&str; 3] = [".gitignore", ".ignore", ".fdignore"];

/// What the ignore files of a folder and of those above it, up to the root, say.
#[derive(Default, Clone)]
pub(super) struct Ignored {
    /// One for each folder that has any, the root's first. Their patterns are for paths from the root.
    folders: Vec<Arc<Gitignore>>,
}

impl Ignored {
    /// The same with what the files of a folder say. `relative` is its path from the root, with a slash at its end.
    pub fn with_files_of(&self, folder: &str, relative: &str, entries: &[Entry], files: &dyn Files) -> Self {
        let mut builder = GitignoreBuilder::new("");
        // The released system does not tell cases apart here.
        let _ = builder.case_insensitive(true);
        for name in NAMES {
            if !entries.iter().any(|entry| entry.name == name) {
                continue;
            }
            let Ok(bytes) = files.read(&below(folder, name)) else { continue };
            for line in String::from_utf8_lossy(&bytes).lines().filter_map(|line| pattern(line, relative)) {
                // What is no pattern is passed over.
                let _ = add_pattern(&mut builder, &line);
            }
        }
        let mut folders = self.folders.clone();
        folders.extend(builder.build().ok().filter(|patterns| !patterns.is_empty()).map(Arc::new));
        Self { folders }
    }

    /// Whether a path from the root is passed over: the innermost file that speaks of it decides.
    pub fn has(&self, path: &str, is_folder: bool) -> bool {
        let verdicts = self.folders.iter().rev().map(|patterns| patterns.matched(path, is_folder));
        verdicts.into_iter().find(|verdict| !verdict.is_none()).is_some_and(|verdict| verdict.is_ignore())
    }
}

/// A line as a pattern for paths from the root; none for a blank line or a comment.
///
/// A slash at its beginning is dropped, which leaves a pattern of the root to match at any depth, and the path of its
/// folder stands before one of a folder below, which binds it to that folder: so does the released system.
fn pattern(line: &str, relative: &str) -> Option<String> {
    let trimmed = line.trim();
    if trimmed.is_empty() || trimmed.starts_with('#') {
        return None;
    }
    let (negation, rest) = match line.strip_prefix('!') {
        Some(rest) => ("!", rest),
        None if line.starts_with("\\!") => ("", &line[1..]),
        None => ("", line),
    };
    Some(format!("{negation}{relative}{}", rest.strip_prefix('/').unwrap_or(rest)))
}
