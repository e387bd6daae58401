//! Files that look as if `pi` read them: instruction files with other names, folders that are not searched.

use super::Places;
use crate::agents::files::{ancestors, below};
use crate::agents::visit::Visit;
use crate::diagnostic::Problem;
use crate::prompt::{FileReason, Slot};
use crate::read::store::PathKind;

const CUSTOM: [&str; 2] = ["SYSTEM.md", "APPEND_SYSTEM.md"];

/// How many folders of skills are looked at.
const MOST_FOLDERS: usize = 2_000;

/// Gives such files their state.
pub(super) fn find(visit: &mut Visit<'_>, places: &Places) {
    let usual = Places::usual(&places.home);
    let folders: Vec<String> =
        ancestors(&places.cwd).map(str::to_string).chain([places.agent.clone(), usual]).collect();
    folders.iter().for_each(|folder| visit.mark_unread(Slot::SystemContext, folder, looks_read));
    visit.mark_unread_below(Slot::SystemContext, &places.cwd, is_instruction);
    for above in ancestors(&places.cwd).skip(1) {
        of_ancestor(visit, places, &below(above, ".pi"));
    }
    for root in
        [below(&places.project, "skills"), below(&places.agent, "skills"), below(&places.home, ".agents/skills")]
    {
        let mut left = MOST_FOLDERS;
        skills(visit, &root, false, &mut left);
    }
}

fn looks_read(name: &str) -> bool {
    is_instruction(name) || CUSTOM.contains(&name)
}

fn is_instruction(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    let is_named = ["AGENTS", "CLAUDE"].iter().any(|start| upper.starts_with(start)) && upper.ends_with(".MD");
    is_named || upper == "GEMINI.MD"
}

/// A project's folder above the working folder, which nobody reads.
fn of_ancestor(visit: &mut Visit<'_>, places: &Places, project: &str) {
    let custom = CUSTOM.map(|name| below(project, name));
    let is_there = custom.iter().any(|path| visit.kind(path) == Some(PathKind::File));
    for path in custom.iter().filter(|path| visit.files.is_file(path)) {
        visit.left_out(Slot::SystemBase, path, FileReason::NotRead, None);
    }
    let mut left = MOST_FOLDERS;
    let has_skills = skills(visit, &super::skills::folder(project), false, &mut left);
    if is_there || has_skills || visit.files.is_file(&below(project, "settings.json")) && !is_home(places, project) {
        let at = crate::agents::files::location(project, "ancestor", None);
        visit.report_at(Problem::AncestorNotRead { cwd: places.cwd.clone() }, at);
    }
}

fn is_home(places: &Places, project: &str) -> bool {
    *project == below(&places.home, ".pi")
}

/// Gives each skill file of a folder without a state the state `not_read`, and returns whether there is one.
fn skills(visit: &mut Visit<'_>, folder: &str, is_in_skill: bool, left: &mut usize) -> bool {
    if *left == 0 || visit.kind(folder) != Some(PathKind::Folder) {
        return false;
    }
    *left -= 1;
    let entries = visit.files.list(folder).unwrap_or_default();
    let is_in_skill = is_in_skill || entries.iter().any(|entry| entry.name == "SKILL.md");
    let mut has_skill = false;
    for entry in entries.iter().filter(|entry| !entry.is_link && entry.is_named && entry.name != "node_modules") {
        let path = below(folder, &entry.name);
        if entry.is_folder {
            has_skill |= skills(visit, &path, is_in_skill, left);
        } else if entry.name == "SKILL.md" || entry.name.ends_with(".md") && !is_in_skill {
            has_skill = true;
            visit.left_out(Slot::SystemSkills, &path, FileReason::NotRead, None);
        }
    }
    has_skill
}
