use std::collections::HashSet;

use super::{AgentFile, folder_of};
use crate::lint::project::{FileKind, LintFile, Project};

/// The files whose findings a change may alter: an instruction file is compared with those below
/// it, a skill with others of the same name, and the settings affect every file.
pub fn affected(project: &Project<'_>, is_changed: &[bool]) -> Vec<bool> {
    let changed = || project.files.iter().zip(is_changed).filter(|(_, is)| **is).map(|(file, _)| file);
    if changed().any(|file| file.kind == FileKind::Configuration) {
        return vec![true; project.files.len()];
    }
    let of_kind = |kind| move |file: &&LintFile| file.kind == FileKind::Agents(kind);
    let names: HashSet<&str> = changed().filter(of_kind(AgentFile::Skill)).map(|file| file.id.as_str()).collect();
    let above: HashSet<&str> =
        changed().filter(of_kind(AgentFile::Context)).map(|file| folder_of(&file.path)).collect();
    let is_below = |path: &str| {
        let mut folders =
            std::iter::successors(Some(folder_of(path)), |folder| (!folder.is_empty()).then(|| folder_of(folder)));
        folders.any(|folder| above.contains(folder))
    };
    let is_affected = |file: &LintFile| match file.kind {
        FileKind::Agents(AgentFile::Context) => is_below(&file.path),
        FileKind::Agents(AgentFile::Skill) => names.contains(file.id.as_str()),
        _ => false,
    };
    project.files.iter().map(is_affected).collect()
}
