//! States of files that the first request does not hold: those that join later, and those that the agent passes over.

use super::instructions::{NAMES, names};
use super::places::{AgentFolders, DOT_FOLDER, exists};
use super::skills::{self, EXTERNAL};
use super::{settings, walk};
use crate::agents::files::{below, folders_below};
use crate::agents::visit::Visit;
use crate::prompt::{FileReason, FileState, Slot};
use crate::read::store::PathKind;

const SLOT: Slot = Slot::SystemContext;
/// The folders of commands, agents, modes and skills in a config folder.
const PARTS: [&str; 8] = ["command", "commands", "agent", "agents", "mode", "modes", "skill", "skills"];

pub(super) fn find(visit: &mut Visit<'_>, places: &AgentFolders) {
    for folder in places.config_folders() {
        commands(visit, &folder);
    }
    if places.switches.no_project {
        for folder in places.chain() {
            parts(visit, &below(&folder, DOT_FOLDER), FileReason::Excluded);
        }
    }
    not_read(visit, places);
    outside(visit, places);
    on_demand(visit, places);
}

/// The text of a command is sent when it is called.
fn commands(visit: &mut Visit<'_>, folder: &str) {
    for root in ["command", "commands"].map(|name| below(folder, name)) {
        for path in markdown(visit, &root) {
            visit.left_out(Slot::UserContext, &path, FileReason::Hidden, None);
        }
    }
}

fn markdown(visit: &mut Visit<'_>, root: &str) -> Vec<String> {
    let mut files = walk::files(visit, root, walk::ALL);
    files.retain(|path| path.ends_with(".md"));
    files
}

/// The files of a config folder that is not read.
fn parts(visit: &mut Visit<'_>, folder: &str, why: FileReason) {
    for root in PARTS.map(|name| below(folder, name)) {
        for path in markdown(visit, &root) {
            let is_skill = root.ends_with("skill") || root.ends_with("skills");
            let is_read = !is_skill || path.ends_with(&format!("/{}", skills::FILE));
            visit.left_out(Slot::SystemBase, &path, if is_read { why } else { FileReason::NotRead }, None);
        }
    }
}

fn not_read(visit: &mut Visit<'_>, places: &AgentFolders) {
    let usual = below(&places.home, ".config/opencode");
    let folders: Vec<String> = places.chain().into_iter().chain([places.global.clone(), usual]).collect();
    folders.iter().for_each(|folder| visit.mark_unread(SLOT, folder, looks_read));
    let configured = places.config_folders();
    for root in configured.iter().flat_map(|folder| PARTS.map(|name| below(folder, name))) {
        for path in markdown(visit, &root) {
            visit.left_out(SLOT, &path, FileReason::NotRead, None);
        }
    }
    for folder in places.chain().iter().chain([&places.home]) {
        for path in EXTERNAL.map(|owner| below(folder, &format!("{owner}/skills"))) {
            for path in markdown(visit, &path) {
                visit.left_out(skills::SLOT, &path, FileReason::NotRead, None);
            }
        }
    }
}

fn looks_read(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    let is_named = ["AGENTS", "CLAUDE", "CONTEXT", "GEMINI"].iter().any(|start| upper.starts_with(start));
    is_named && upper.ends_with(".MD")
}

/// What lies beyond the worktree.
fn outside(visit: &mut Visit<'_>, places: &AgentFolders) {
    for folder in places.outside() {
        let files = NAMES.iter().chain(&settings::NAMES).map(|name| below(&folder, name));
        for path in files.chain(settings::NAMES.map(|name| below(&below(&folder, DOT_FOLDER), name))) {
            if visit.kind(&path) == Some(PathKind::File) {
                visit.left_out(SLOT, &path, FileReason::Outside, None);
            }
        }
        parts(visit, &below(&folder, DOT_FOLDER), FileReason::Outside);
        for root in EXTERNAL.map(|owner| below(&folder, &format!("{owner}/skills"))) {
            for path in skills::skill_files(visit, &root, walk::ALL) {
                visit.left_out(skills::SLOT, &path, FileReason::Outside, None);
            }
        }
    }
}

/// The instruction files below the working folder.
fn on_demand(visit: &mut Visit<'_>, places: &AgentFolders) {
    for folder in folders_below(visit.files, &places.cwd, &places.home, |name| NAMES.contains(&name)) {
        in_folder(visit, places, &folder);
    }
}

/// The file of a folder that joins when the agent reads a file there.
fn in_folder(visit: &mut Visit<'_>, places: &AgentFolders, folder: &str) {
    let mut taken: Option<String> = None;
    for name in NAMES {
        let path = below(folder, name);
        let is_there = visit.is_file(SLOT, &path) || exists(visit, &path);
        let is_off = !names(places).any(|known| known == name);
        match visit.kind(&path) {
            _ if !is_there => continue,
            _ if is_off => visit.left_out(SLOT, &path, FileReason::Excluded, None),
            _ if let Some(by) = &taken => visit.left_out_by(SLOT, &path, FileReason::Shadowed, by),
            Some(PathKind::File) if visit.bytes(&path).is_ok_and(|bytes| is_empty(&bytes)) => {
                visit.left_out(SLOT, &path, FileReason::Empty, None);
            }
            Some(PathKind::File) => visit.state(SLOT, &path, FileState::OnDemand, None, None),
            _ => visit.left_out(SLOT, &path, FileReason::Invalid, None),
        }
        if !is_off {
            taken.get_or_insert(path);
        }
    }
}

/// Whether a file holds nothing but a byte order mark.
fn is_empty(bytes: &[u8]) -> bool {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).is_empty()
}
