//! States of files that the agent passes over, though people expect it to look at them.

use super::folders::{DOT_FOLDER, Folders};
use super::instructions::NAMES;
use super::pitfall;
use super::settings::{FILE, Settings};
use super::skills::{self, AGENTS_SKILLS};
use crate::agents::files::{ancestors, below, parent};
use crate::agents::visit::Visit;
use crate::prompt::{FileReason, Slot};
use crate::read::store::PathKind;

const SLOT: Slot = Slot::UserContext;
const MARKER_HELP: &str = "run `git init` in the top folder, or set `project_root_markers`";

pub(super) fn find(visit: &mut Visit<'_>, folders: &Folders, settings: &Settings) {
    let mut names: Vec<String> = NAMES.map(str::to_string).to_vec();
    names.extend(settings.fallback_names(visit));
    let above: Vec<String> = parent(folders.root()).into_iter().flat_map(ancestors).map(str::to_string).collect();
    let main = folders.repository.as_ref().filter(|main| !folders.chain.contains(main) && !above.contains(main));
    for folder in above.iter().chain(main).filter(|folder| **folder != folders.home) {
        let is_home = *folder == visit.request.home;
        for path in names.iter().map(|name| below(folder, name)) {
            if visit.kind(&path) == Some(PathKind::File) {
                if !folders.has_marker && above.contains(folder) {
                    let does = "does not look above its working folder, because no folder has a marker";
                    visit.report_file(pitfall(does, MARKER_HELP), &path, "project");
                }
                visit.left_out(SLOT, &path, FileReason::Outside, None);
            }
        }
        if !is_home {
            for found in skill_files(visit, &below(folder, AGENTS_SKILLS)) {
                visit.left_out(Slot::DeveloperSkills, &found, FileReason::Outside, None);
            }
        }
    }
    for folder in &folders.chain {
        visit.mark_unread(SLOT, folder, |name| is_named_like(name, settings));
    }
    visit.mark_unread_below(SLOT, &folders.cwd, |name| is_named_like(name, settings));
    let usual = below(&visit.request.home, DOT_FOLDER);
    for folder in [&folders.home, &usual] {
        visit.mark_unread(SLOT, folder, |name| {
            is_named_like(name, settings) || name == FILE || name.ends_with(".config.toml")
        });
    }
}

/// The skill files directly below the folders of a root.
fn skill_files(visit: &Visit<'_>, root: &str) -> Vec<String> {
    let entries = visit.files.list(root).unwrap_or_default();
    let files = entries.iter().map(|entry| below(&below(root, &entry.name), skills::FILE));
    files.filter(|path| visit.kind(path) == Some(PathKind::File)).collect()
}

fn is_named_like(name: &str, settings: &Settings) -> bool {
    let is_known = |known: &&str| known.eq_ignore_ascii_case(name);
    NAMES.iter().any(is_known) || name == "CLAUDE.md" || settings.named.iter().any(|named| named == name)
}
