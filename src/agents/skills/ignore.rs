use std::sync::Arc;

use ::ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::agents::files::{below, read};
use crate::agents::ignore_line::add;
use crate::read::store::{Store, StoreEntry};

/// The ignore files, in reading order.
const NAMES: [&str; 3] = [".gitignore", ".ignore", ".fdignore"];

/// The patterns of the ignore files in a folder and its ancestors, up to the root.
#[derive(Default, Clone)]
pub struct Ignored {
    /// Each folder with patterns, root first. Patterns match paths from the root.
    folders: Vec<(Arc<str>, Arc<Gitignore>)>,
}

impl Ignored {
    /// Adds the patterns of a folder's files and counts them; `None` if there are more than `most`. `relative` is its
    /// path from the root, with a trailing slash.
    pub fn with_files_of(
        &self,
        folder: &str,
        relative: &str,
        entries: &[StoreEntry],
        files: &dyn Store,
        most: usize,
    ) -> Option<(Self, usize)> {
        let mut count = 0;
        let mut builder = GitignoreBuilder::new("");
        // The released system ignores case here.
        let _ = builder.case_insensitive(true);
        for name in NAMES {
            if !entries.iter().any(|entry| entry.name == name) {
                continue;
            }
            let Ok(bytes) = read(files, &below(folder, name)) else { continue };
            for line in String::from_utf8_lossy(&bytes).lines().filter_map(|line| pattern(line, relative)) {
                count += 1;
                if count > most {
                    return None;
                }
                add(&mut builder, &line);
            }
        }
        let mut folders = self.folders.clone();
        let patterns = builder.build().ok().filter(|patterns| !patterns.is_empty());
        folders.extend(patterns.map(|patterns| (folder.into(), patterns.into())));
        Some((Self { folders }, count))
    }

    /// The folder whose files ignore a path from the root; the innermost folder with a match decides.
    pub fn by(&self, path: &str, is_folder: bool) -> Option<&str> {
        let verdicts = self.folders.iter().rev().map(|(folder, patterns)| (folder, patterns.matched(path, is_folder)));
        let (folder, verdict) = verdicts.into_iter().find(|(_, verdict)| !verdict.is_none())?;
        verdict.is_ignore().then_some(folder)
    }
}

/// Turns a line into a pattern for paths from the root; `None` for a blank line or a comment.
///
/// A leading slash is dropped, so a pattern in the root matches at any depth. A pattern in a folder below is prefixed
/// with the folder's path, which limits it to that folder. The released system does the same.
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
    match rest.strip_prefix('/').unwrap_or(rest) {
        // A slash alone stands for the folder itself.
        "" => (negation.is_empty() && !relative.is_empty()).then(|| format!("{relative}**")),
        rest => Some(format!("{negation}{relative}{rest}")),
    }
}
