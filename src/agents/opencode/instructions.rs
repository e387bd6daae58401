//! The instruction files: the global one, those on the way up to the worktree, and those that settings name.

use std::collections::HashSet;

use super::entries;
use super::places::{AgentFolders, Switches, exists};
use super::settings::MergedSettings;
use super::{AGENT, text, warn};
use crate::agents::files::{below, location};
use crate::agents::instructions::InstructionFile;
use crate::agents::names::{ChoiceReach, InstructionNames};
use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{Declared, FileReason, Slot};
use crate::read::store::ReadError;

pub(super) const NAMES: [&str; 3] = ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"];
const SLOT: Slot = Slot::SystemContext;

/// The names that count.
pub(super) fn names(switches: &Switches) -> impl Iterator<Item = &'static str> {
    let is_off = switches.no_claude_prompt;
    NAMES.into_iter().filter(move |name| !(is_off && *name == "CLAUDE.md"))
}

/// The files that are sent, in order.
pub(super) fn find(
    visit: &mut Visit<'_>,
    places: &AgentFolders,
    switches: &Switches,
    settings: &mut MergedSettings,
) -> Vec<InstructionFile> {
    let mut sent = SentFiles::default();
    if !switches.no_project {
        visit.look.names = InstructionNames::first_of(names(switches), ChoiceReach::Way);
    }
    let global_first = visit.since("1.14.34");
    let global = global(visit, places, switches).into_iter().collect();
    let project = project(visit, places, switches, settings);
    let in_order = if global_first { [global, project] } else { [project, global] };
    for path in in_order.into_iter().flatten() {
        sent.add(visit, places, path);
    }
    for path in entries::find(visit, places, switches, settings) {
        sent.add(visit, places, path);
    }
    sent.files
}

#[derive(Default)]
struct SentFiles {
    files: Vec<InstructionFile>,
    /// Paths as text, so that a text behind a link may be sent twice.
    met: HashSet<String>,
    real: HashSet<String>,
}

impl SentFiles {
    fn add(&mut self, visit: &mut Visit<'_>, places: &AgentFolders, path: String) {
        if !self.met.insert(path.clone()) {
            return;
        }
        let tier = if path.starts_with(&below(&places.cwd, "")) { "cwd" } else { "ancestor" };
        let Some(text) = text(visit, SLOT, &path, tier) else { return };
        if text.text().is_empty() {
            visit.left_out(SLOT, &path, FileReason::Empty, None);
            return;
        }
        if !self.real.insert(visit.real(&path)) {
            let does = "sends this text twice, because another path leads to the same file".to_string();
            warn(visit, text.slice(0..0), does, "delete the link");
        }
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

fn global(visit: &mut Visit<'_>, places: &AgentFolders, switches: &Switches) -> Option<String> {
    let own = below(places.named.as_ref().unwrap_or(&places.global), NAMES[0]);
    let claude = below(&places.home, ".claude/CLAUDE.md");
    let (has_own, has_claude) = (is_there(visit, &own), is_there(visit, &claude));
    if switches.no_claude_prompt && has_claude {
        visit.left_out(SLOT, &claude, FileReason::Excluded, None);
    }
    if !has_own {
        return Some(claude).filter(|_| has_claude && !switches.no_claude_prompt);
    }
    if has_claude {
        visit.left_out(SLOT, &claude, FileReason::Shadowed, Some(Declared { by: own.clone(), span: None }));
        if visit.bytes(&own).map_or(true, |bytes| bytes.is_empty()) {
            let at = location(&claude, "home", visit.files.revision(&claude));
            visit.diagnostics.push(Diagnostic::at(Problem::ShadowedByEmpty { by: own.clone() }, at));
        }
    }
    Some(own)
}

/// The files with the first name that is anywhere on the way up, nearest first.
fn project(
    visit: &mut Visit<'_>,
    places: &AgentFolders,
    switches: &Switches,
    settings: &mut MergedSettings,
) -> Vec<String> {
    let chain = places.chain();
    let mut chosen: Vec<String> = Vec::new();
    for name in NAMES {
        let paths: Vec<String> = chain.iter().map(|folder| below(folder, name)).collect();
        let circle = paths.iter().find(|path| matches!(visit.files.kind(path), Err(ReadError::Io(_)))).cloned();
        let there: Vec<String> = paths.into_iter().filter(|path| is_there(visit, path)).collect();
        // Older releases send the project's file even if the variable says otherwise.
        let is_excluded = name == "CLAUDE.md" && switches.no_claude_prompt && visit.since("1.14.34");
        if switches.no_project || is_excluded {
            there.iter().for_each(|path| visit.left_out(SLOT, path, FileReason::Excluded, None));
        } else if let Some(nearest) = chosen.first() {
            let by = Declared { by: nearest.clone(), span: None };
            for path in &there {
                visit.left_out(SLOT, path, FileReason::Shadowed, Some(by.clone()));
                if nearest.len() > path.len() {
                    continue;
                }
                let at = location(path, "cwd", visit.files.revision(path));
                let (agent, by, help) = (AGENT, nearest.clone(), "give both the same name");
                visit.diagnostics.push(Diagnostic::at(Problem::AgentShadows { agent, by, help }, at));
            }
        } else if let Some(circle) = circle.filter(|_| visit.since("1.14.34")) {
            let by = Declared { by: circle.clone(), span: None };
            there.iter().for_each(|path| visit.left_out(SLOT, path, FileReason::Shadowed, Some(by.clone())));
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
