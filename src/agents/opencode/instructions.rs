//! The instruction files: the global one, those on the way up to the worktree, those that settings name, and those that
//! join when the agent reads a file.

use std::collections::{HashMap, HashSet};

use super::places::{AgentFolders, exists};
use super::settings::MergedSettings;
use super::{AGENT, entries, under_heading, warn};
use crate::agents::decoding::Decoding;
use crate::agents::files::{ancestors, below, location, parent};
use crate::agents::instructions::InstructionFile;
use crate::agents::names::{ChoiceReach, InstructionNames};
use crate::agents::visit::Visit;
use crate::diagnostic::Problem;
use crate::prompt::{FileReason, FileState, LayerKind, Role, Slot};
use crate::read::store::ReadError;
use crate::text::Span;

pub(super) const NAMES: [&str; 3] = ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"];
const SLOT: Slot = Slot::SystemContext;

/// The names that count.
pub(super) fn names(places: &AgentFolders) -> impl Iterator<Item = &'static str> {
    let is_off = places.switches.no_claude_prompt;
    NAMES.into_iter().filter(move |name| !(is_off && *name == "CLAUDE.md"))
}

/// The files that are sent, in order.
pub(super) fn find(
    visit: &mut Visit<'_>,
    places: &AgentFolders,
    settings: &mut MergedSettings,
) -> Vec<InstructionFile> {
    let mut sent = SentFiles::default();
    if !places.switches.no_project {
        visit.look.names = InstructionNames::first_of(names(places), ChoiceReach::Way);
    }
    let global_first = visit.since("1.14.34");
    let global = global(visit, places).into_iter().collect();
    let project = project(visit, places, settings);
    let in_order = if global_first { [global, project] } else { [project, global] };
    for path in in_order.into_iter().flatten() {
        sent.add(visit, places, path);
    }
    for path in entries::find(visit, places, settings) {
        sent.add(visit, places, path);
    }
    sent.files
}

#[derive(Default)]
struct SentFiles {
    files: Vec<InstructionFile>,
    /// Paths as text, so that a text behind a link may be sent twice.
    met: HashSet<String>,
    /// By real path.
    real: HashMap<String, Span>,
}

impl SentFiles {
    fn add(&mut self, visit: &mut Visit<'_>, places: &AgentFolders, path: String) {
        if !self.met.insert(path.clone()) {
            return;
        }
        let tier = if path.starts_with(&below(&places.cwd, "")) { "cwd" } else { "ancestor" };
        let Some(text) = visit.text_or_state(SLOT, &path, tier) else { return };
        if text.text().is_empty() {
            visit.left_out(SLOT, &path, FileReason::Empty, None);
            return;
        }
        let real = visit.real(&path);
        if let Some(first) = self.real.get(&real) {
            let link = if real == path { first } else { &text };
            let does = "sends this text twice, because another path leads to the same file".to_string();
            warn(visit, link.slice(0..0), does, "delete the link");
        }
        self.real.entry(real).or_insert_with(|| text.clone());
        if !text.text().ends_with('\n') {
            let end = text.text().len();
            let does = "puts the next heading right behind this line, which is the file's last".to_string();
            warn(visit, text.slice(end..end), does, "end the file with a line feed");
        }
        self.files.push(InstructionFile { path, text });
    }
}

/// Records a link that leads nowhere, and returns whether something is at the path.
fn is_there(visit: &mut Visit<'_>, path: &str) -> bool {
    visit.is_file(SLOT, path) || exists(visit, path)
}

fn global(visit: &mut Visit<'_>, places: &AgentFolders) -> Option<String> {
    let own = below(places.named.as_ref().unwrap_or(&places.global), NAMES[0]);
    let claude = below(&places.home, ".claude/CLAUDE.md");
    let (has_own, has_claude) = (is_there(visit, &own), is_there(visit, &claude));
    if places.switches.no_claude_prompt && has_claude {
        visit.left_out(SLOT, &claude, FileReason::Excluded, None);
    }
    if !has_own {
        return Some(claude).filter(|_| has_claude && !places.switches.no_claude_prompt);
    }
    if has_claude {
        visit.left_out_by(SLOT, &claude, FileReason::Shadowed, &own);
        if visit.bytes(&own).map_or(true, |bytes| bytes.is_empty()) {
            visit.report_file(Problem::ShadowedByEmpty { by: own.clone() }, &claude, "home");
        }
    }
    Some(own)
}

/// The files with the first name that is anywhere on the way up, nearest first.
fn project(visit: &mut Visit<'_>, places: &AgentFolders, settings: &mut MergedSettings) -> Vec<String> {
    let chain = places.chain();
    let mut chosen: Vec<String> = Vec::new();
    for name in NAMES {
        let paths: Vec<String> = chain.iter().map(|folder| below(folder, name)).collect();
        let circle = paths.iter().find(|path| matches!(visit.files.kind(path), Err(ReadError::Io(_)))).cloned();
        let there: Vec<String> = paths.into_iter().filter(|path| is_there(visit, path)).collect();
        // Older releases send the project's file even if the variable says otherwise.
        let is_excluded = name == "CLAUDE.md" && places.switches.no_claude_prompt && visit.since("1.14.34");
        if places.switches.no_project || is_excluded {
            there.iter().for_each(|path| visit.left_out(SLOT, path, FileReason::Excluded, None));
        } else if let Some(nearest) = chosen.first() {
            for path in &there {
                visit.left_out_by(SLOT, path, FileReason::Shadowed, nearest);
                if nearest.len() > path.len() {
                    continue;
                }
                let help = match parent(nearest) == parent(path) {
                    true => "move its text to that file",
                    false => "give both the same name",
                };
                visit.report_file(Problem::AgentShadows { agent: AGENT, by: nearest.clone(), help }, path, "cwd");
            }
        } else if let Some(circle) = circle.filter(|_| visit.since("1.14.34")) {
            there.iter().for_each(|path| visit.left_out_by(SLOT, path, FileReason::Shadowed, &circle));
            if visit.since("1.15.0") {
                let at = location(&circle, "ancestor", visit.files.revision(&circle));
                let does = format!("ignores every {name} of the project, because this path cannot be followed");
                warn(visit, at, does, "delete the link");
            } else {
                settings.refuse((format!("{circle} cannot be read"), None));
            }
        } else {
            chosen = there;
        }
    }
    chosen
}

/// Writes what joins because of each touched file. `met` holds the paths of the texts that are there already.
pub(super) fn write_touched(visit: &mut Visit<'_>, places: &AgentFolders, mut met: HashSet<String>) {
    for file in visit.request.touch.clone() {
        visit.draft.touch(&file);
        let mut joining = Vec::new();
        for path in candidates(visit, places, &file) {
            if path != file && met.insert(path.clone()) {
                let text = visit.text(&path, "cwd", Decoding::WithoutMark).ok();
                let text = text.filter(|text| !text.text().is_empty());
                joining.extend(text.map(|text| InstructionFile { path, text }));
            }
        }
        if !joining.is_empty() {
            reminder(visit, places, &joining);
        }
    }
}

/// The first name that exists in each folder from the file's own up. A folder counts if its path begins with the text of
/// the working folder's.
fn candidates(visit: &Visit<'_>, places: &AgentFolders, file: &str) -> Vec<String> {
    let counts = |folder: &&str| folder.starts_with(&places.cwd) && *folder != places.cwd;
    let folders = ancestors(parent(file).unwrap_or("/")).take_while(counts);
    let first = |folder: &str| names(places).map(|name| below(folder, name)).find(|path| exists(visit, path));
    folders.filter_map(first).collect()
}

fn reminder(visit: &mut Visit<'_>, places: &AgentFolders, files: &[InstructionFile]) {
    visit.draft.message(Role::User);
    let mut before = "<system-reminder>\n";
    for file in files {
        visit.draft.separate(before);
        before = "\n\n";
        let text = under_heading(file);
        let layer = visit.draft.part(Slot::UserOnDemand, LayerKind::Context, &file.path, &text);
        visit.stands(&file.path, FileState::OnDemand, layer);
        if !file.path.starts_with(&below(&places.cwd, "")) {
            let does = "adds this text, because the folder's path begins like that of the working folder".to_string();
            warn(visit, file.text.slice(0..0), does, "rename one of the folders");
        }
    }
    visit.draft.separate("\n</system-reminder>");
}
