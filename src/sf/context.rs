//! The files of instructions that apply to a folder: the agent's own, then those of every ancestor, root first.

use std::collections::HashSet;
use std::sync::Arc;

use super::base::Hidden;
use super::files::{Files, Kind, ancestors, below};
use crate::diagnostic::{Diagnostic, Problem};
use crate::limits;
use crate::text::Source;

/// The names of such a file; the first that can be read counts in each folder.
pub const NAMES: [&str; 2] = ["AGENTS.md", "CLAUDE.md"];

/// A file of instructions.
#[derive(Debug, Clone)]
pub struct ContextFile {
    /// The file.
    pub source: Arc<Source>,
    /// The file of the same folder that it hides.
    pub hides: Option<Hidden>,
}

/// The files of instructions for a folder, in the order of the prompt.
pub fn discover(cwd: &str, agent_dir: &str, files: &dyn Files) -> Vec<ContextFile> {
    let mut folders: Vec<(&str, &'static str)> = ancestors(cwd).map(|folder| (folder, "ancestor")).collect();
    if let Some((_, tier)) = folders.first_mut() {
        *tier = "cwd";
    }
    in_folders(folders, agent_dir, files)
}

/// The paths at which such a file would count if it were there, and a link leads nowhere, in the order of the prompt.
pub fn dangling(cwd: &str, agent_dir: &str, files: &dyn Files) -> Vec<String> {
    let mut folders: Vec<&str> = ancestors(cwd).chain([agent_dir]).collect();
    folders.reverse();
    let mut seen = HashSet::new();
    let paths = folders.into_iter().filter(|folder| seen.insert(*folder));
    paths.flat_map(|folder| NAMES.map(|name| below(folder, name))).filter(|path| files.is_dangling(path)).collect()
}

/// Those of them that do not lie in the folder itself.
pub fn from_outside(cwd: &str, agent_dir: &str, files: &dyn Files) -> Vec<ContextFile> {
    in_folders(ancestors(cwd).skip(1).map(|folder| (folder, "ancestor")).collect(), agent_dir, files)
}

/// What is too large for a prompt: the file with too many lines, or the one with which all are too large.
pub fn check(files: &[ContextFile]) -> Result<(), Diagnostic> {
    let mut bytes = 0;
    for ContextFile { source, .. } in files {
        let text = source.text();
        bytes += text.len() as u64;
        let over = |limit, of| {
            let at = source.span(0..0);
            Err(Diagnostic::at(Problem::OverLimit { limit, of }, at))
        };
        if text.bytes().filter(|&byte| byte == b'\n').count() > limits::LINES {
            return over(limits::LINES as u64, "lines");
        }
        if bytes > limits::PROMPT_BYTES {
            return over(limits::PROMPT_BYTES, "bytes in all files of a prompt");
        }
    }
    Ok(())
}

/// Those of the agent and of folders that stand in the order from the nearest to the root.
fn in_folders<'a>(
    mut folders: Vec<(&'a str, &'static str)>,
    agent_dir: &'a str,
    files: &dyn Files,
) -> Vec<ContextFile> {
    folders.push((agent_dir, "agent"));
    folders.reverse();
    let mut seen = HashSet::new();
    let found = folders.into_iter().filter_map(|(folder, tier)| in_folder(folder, tier, files));
    // The folder of the agent may be met on the way. Where they are too large together, no more of them are read.
    let (mut list, mut bytes) = (Vec::new(), 0);
    for file in found.filter(|file| seen.insert(file.source.path().to_string())) {
        bytes += file.source.text().len() as u64;
        list.push(file);
        if bytes > limits::PROMPT_BYTES {
            break;
        }
    }
    list
}

/// What says that agents work in a folder: its own folder of theirs (`.sf`), or the nearest file of instructions that
/// applies to it.
pub fn agents_file(cwd: &str, folder: &str, files: &dyn Files) -> Option<String> {
    let own = below(cwd, folder);
    let applying = || ancestors(cwd).flat_map(|above| NAMES.map(|name| below(above, name)));
    let is_there = |path: &String| files.kind(path) == Some(Kind::File);
    if files.kind(&own) == Some(Kind::Folder) { Some(own) } else { applying().find(is_there) }
}

/// The file of a folder that counts, if it has one.
pub fn in_folder(folder: &str, tier: &'static str, files: &dyn Files) -> Option<ContextFile> {
    let mut readable = NAMES.into_iter().map(|name| below(folder, name)).filter_map(|path| {
        // What is no file, or cannot be read, gives way to the next name.
        let bytes = (files.kind(&path) == Some(Kind::File)).then(|| files.read(&path).ok())??;
        Some((path, bytes))
    });
    let (path, bytes) = readable.next()?;
    let source = Source::read_raw_at(files.revision(&path), tier.into(), path, &bytes);
    let hides = readable.next().map(|(path, bytes)| Hidden { path, tier, bytes: bytes.len() });
    Some(ContextFile { source, hides })
}
