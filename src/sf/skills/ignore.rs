use std::sync::Arc;

use ::ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::lint::add_pattern;
use crate::sf::files::{Entry, Files, below};

/// The files that say what is passed over, in the order in which they are read.
const NAMES: [&str; 3] = [".gitignore", ".ignore", ".fdignore"];

/// What the ignore files of a folder and of those above it, up to the root, say.
#[derive(Default, Clone)]
pub(super) struct Ignored {
    /// Each folder that has any and what they say, the root first. Their patterns are for paths from the root.
    folders: Vec<(Arc<str>, Arc<Gitignore>)>,
}

impl Ignored {
    /// The same with what the files of a folder say, and how many patterns these are; none where they are more than `most`.
    /// `relative` is its path from the root, with a slash at its end.
    pub fn with_files_of(
        &self,
        folder: &str,
        relative: &str,
        entries: &[Entry],
        files: &dyn Files,
        most: usize,
    ) -> Option<(Self, usize)> {
        let mut count = 0;
        let mut builder = GitignoreBuilder::new("");
        // The released system does not tell cases apart here.
        let _ = builder.case_insensitive(true);
        for name in NAMES {
            if !entries.iter().any(|entry| entry.name == name) {
                continue;
            }
            let Ok(bytes) = files.read(&below(folder, name)) else { continue };
            for line in String::from_utf8_lossy(&bytes).lines().filter_map(|line| pattern(line, relative)) {
                count += 1;
                if count > most {
                    return None;
                }
                // What is no pattern is passed over.
                let _ = add_pattern(&mut builder, &line);
            }
        }
        let mut folders = self.folders.clone();
        let patterns = builder.build().ok().filter(|patterns| !patterns.is_empty());
        folders.extend(patterns.map(|patterns| (folder.into(), patterns.into())));
        Some((Self { folders }, count))
    }

    /// The folder whose files say that a path from the root is passed over: of the folders that speak of it the
    /// innermost decides.
    pub fn by(&self, path: &str, is_folder: bool) -> Option<&str> {
        let verdicts = self.folders.iter().rev().map(|(folder, patterns)| (folder, patterns.matched(path, is_folder)));
        let (folder, verdict) = verdicts.into_iter().find(|(_, verdict)| !verdict.is_none())?;
        verdict.is_ignore().then_some(folder)
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
