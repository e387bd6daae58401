//! What shows only when the prompts of several agents, or a prompt and all files of the project, are compared.

use std::collections::HashMap;

use super::looks::Places;
use super::loss::{AgentReport, Reports};
use super::readers::{FolderContext, Reader, ReaderSet};
use crate::agents::{AgentLook, below};
use crate::lint::project::LintFile;
use crate::prompt::{FileOutcome, FileState};
use crate::read::store::{Store, Tiers};
use crate::text::Span;

/// How often the patterns of rules are compared with a file.
const MOST_COMPARED: usize = 1_000_000;

/// Imports of a file that an agent sends without what it imports, though another agent imports it. The agents may know
/// the file by different links.
pub(super) fn imports<K: Fn(&str, &str) -> bool>(
    looks: &[(usize, AgentLook)],
    readers: &[Reader],
    files: &dyn Store,
    places: &mut Places<'_>,
    reports: &mut Reports<K>,
) {
    let mut reals: HashMap<&str, String> = HashMap::new();
    let mut real = |path| reals.entry(path).or_insert_with(|| files.real(path)).clone();
    let all = looks.iter().flat_map(|(_, look)| &look.imports);
    let all: Vec<_> = all.map(|(at, named)| (at, real(at.source().path()), real(named))).collect();
    if all.is_empty() {
        return;
    }
    for (index, other) in looks.iter().filter(|(index, _)| !readers[*index].names.has_imports) {
        let is_sent = |file: &&FileOutcome| matches!(file.state, FileState::Loaded | FileState::Cut(_));
        let sent = other.prompt.files.iter().filter(is_sent);
        let sent: HashMap<String, &FileOutcome> = sent.map(|file| (real(&file.path), file)).collect();
        for (at, source, named) in &all {
            let Some(file) = sent.get(source).filter(|_| !sent.contains_key(named)) else { continue };
            let is_cut = matches!(file.state, FileState::Cut(end) if at.place().end >= end);
            if let Some(path) = places.inside(&file.path).filter(|_| !is_cut) {
                let message = format!("`{}` is not imported here: it is sent as it stands", at.text());
                let at = places.copy(path, at.source()).span(at.range());
                let report = AgentReport::new("import_lost", at, message);
                let help = Some("write what all agents need in the file itself".to_string());
                reports.push(AgentReport { readers: ReaderSet::one(*index), help, ..report });
            }
        }
    }
}

/// Rules that wait for a file, though there is none that they apply to. `paths` are those of all files.
pub(super) fn waiting<K: Fn(&str, &str) -> bool>(
    looks: &[(usize, AgentLook)],
    paths: &[String],
    places: &mut Places<'_>,
    reports: &mut Reports<K>,
) {
    let mut left = MOST_COMPARED;
    for (index, look) in looks {
        for rule in &look.waiting {
            let Some(at) = places.span(&rule.at) else { continue };
            let mut waits = paths.iter();
            let applies = waits.by_ref().take(left).any(|path| (rule.applies)(&below(&places.real, path)));
            left = left.saturating_sub(paths.len() - waits.len());
            if !applies && left > 0 {
                let message = "no file of the project matches the patterns of this rule, so it never joins".to_string();
                let report = AgentReport::new("rule_never_applies", at, message);
                reports.push(AgentReport { readers: ReaderSet::one(*index), ..report });
            }
        }
    }
}

/// Instruction files that none of the project's agents reads, unless a file beside them says the same.
pub(super) fn unread(contexts: &[FolderContext], files: &[LintFile], tiers: &Tiers) -> Vec<AgentReport> {
    let mut reports = Vec::new();
    for folder in contexts {
        for file in folder.files.iter().filter(|file| file.is_for_nobody()) {
            let mut others = folder.files.iter().filter(|other| other.index != file.index);
            if others.all(|other| file.says_more_than(other, files)) {
                let it = &files[file.index];
                let message = "none of the project's agents reads this file".to_string();
                let at = it.location(&tiers.list()[it.tier].label);
                reports.push(AgentReport { is_named: true, ..AgentReport::new("read_by_no_agent", at, message) });
            }
        }
    }
    reports
}

impl Places<'_> {
    /// A place in a file of the project.
    fn span(&mut self, at: &Span) -> Option<Span> {
        let path = self.inside(at.source().path())?;
        Some(self.copy(path, at.source()).span(at.range()))
    }
}
