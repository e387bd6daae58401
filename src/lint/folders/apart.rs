//! What shows only when the prompts of several agents, or a prompt and all files of the project, are compared.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::folder_of;
use super::loss::{AgentReport, Reports};
use super::places::Places;
use super::readers::{FolderContext, Reader, ReaderSet};
use crate::agents::{AgentLook, below, joined};
use crate::diagnostic::Location;
use crate::lint::project::LintFile;
use crate::prompt::{FileOutcome, FileState};
use crate::read::store::{Store, Tiers};
use crate::text::Source;

/// Files of other tools, or folders with the ending of their files; and the agent of ours that reads them.
const OF_TOOLS: [(&str, &str, &str); 11] = [
    ("CLAUDE.local.md", "", "claude-code"),
    (".claude/rules/", ".md", "claude-code"),
    ("GEMINI.md", "", ""),
    (".cursorrules", "", ""),
    (".cursor/rules/", ".mdc", ""),
    (".github/copilot-instructions.md", "", ""),
    (".github/instructions/", ".instructions.md", ""),
    (".windsurfrules", "", ""),
    (".windsurf/rules/", ".md", ""),
    (".clinerules", "", ""),
    (".clinerules/", ".md", ""),
];

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
            // A pattern that matches nothing anywhere is reported at its place.
            if !applies && left > 0 && !reports.has("rule_never_applies", &at) {
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
                reports.push(unread_at(it.location(&tiers.list()[it.tier].label), "this file"));
            }
        }
    }
    reports
}

fn unread_at(at: Location, what: &str) -> AgentReport {
    let message = format!("none of the project's agents reads {what}");
    AgentReport { is_named: true, ..AgentReport::new("read_by_no_agent", at, message) }
}

/// The row of the names of other tools, and the file or folder that has the name.
pub(super) fn of_tool(path: &str) -> Option<(usize, &str)> {
    OF_TOOLS.iter().enumerate().find_map(|(row, (name, ending, _))| {
        let start = path.find(name).filter(|start| *start == 0 || path[..*start].ends_with('/'))?;
        let (place, rest) = path.split_at(start + name.len());
        (rest.ends_with(ending) && rest.is_empty() == ending.is_empty()).then_some((row, place))
    })
}

/// Instructions for other tools: one report for each file or folder. A file is left out if the agents find its name in
/// the files that they read, if it imports one of these, or if it says the same.
pub(super) fn of_others(read: &[&LintFile], unread: &[&LintFile], readers: &[Reader]) -> Vec<AgentReport> {
    let texts: HashSet<&str> = read.iter().filter_map(|file| Some(file.source.as_ref()?.text().trim())).collect();
    let read: HashSet<String> = read.iter().map(|file| joined("/", &file.path)).collect();
    let is_other = OF_TOOLS.map(|(name, _, agent)| {
        let is_named = |text: &&str| text.contains(name.trim_end_matches('/'));
        !readers.iter().any(|reader| reader.name == agent) && !texts.iter().any(is_named)
    });
    let mut found: BTreeMap<&str, Vec<&Arc<Source>>> = BTreeMap::new();
    for file in unread.iter().filter(|file| file.is_linted) {
        let (Some((row, place)), Some(source)) = (of_tool(&file.path), &file.source) else { continue };
        let (text, folder) = (source.text().trim(), joined("/", folder_of(&file.path)));
        let mut imports = text.split_whitespace().filter_map(|word| word.strip_prefix('@'));
        let is_known = texts.contains(text) || imports.any(|path| read.contains(&joined(&folder, path)));
        if is_other[row] && !text.is_empty() && !is_known {
            found.entry(place).or_default().push(source);
        }
    }
    let reports = found.into_iter().map(|(place, files)| match &files[..] {
        [file] => unread_at(file.span(0..0).into(), "this file"),
        files => unread_at(files[0].span(0..0).into(), &format!("the {} files of `{place}`", files.len())),
    });
    reports.collect()
}
