//! What joins when the agent reads a file in the working folder.

use std::collections::HashSet;

use super::instructions::{Instructions, framed};
use super::lists::Joins;
use super::policy::{Kind, Policy, is_below};
use super::texts::{FileText, Reader, ScopedRule};
use crate::agents::files::{ancestors, below, normalized, parent};
use crate::agents::visit::Visit;
use crate::prompt::{FileState, LayerKind, Role, Slot};
use crate::read::store::PathKind;
use crate::text::Traced;

/// What joins because of one file.
#[derive(Default)]
struct Joining {
    /// In a message each.
    texts: Vec<FileText>,
    /// Of `AGENTS.md` and what it imports, in one message.
    agents_texts: Vec<FileText>,
}

/// Writes what joins with each file of the request.
pub(super) fn write(visit: &mut Visit<'_>, policy: &Policy<'_>, instructions: Instructions, joins: &mut Joins<'_>) {
    let Instructions { mut found, agents_files } = instructions;
    let mut known: HashSet<String> = found.texts.iter().map(|text| text.path.clone()).collect();
    for file in visit.request.touch.clone() {
        visit.draft.touch(&file);
        let path = normalized(&file);
        if !is_below(&path, &policy.folders.cwd) || visit.kind(&path) == Some(PathKind::Folder) {
            continue;
        }
        let mut joining = Joining::default();
        joining.rules(&mut found.scoped, Kind::User, &path);
        let mut reader = Reader::new(visit, policy);
        for folder in folders(&path, &policy.folders.cwd) {
            reader.nested(folder);
            joining.texts.append(&mut reader.found.texts);
            joining.rules(&mut reader.found.scoped, Kind::Project, &path);
            reader.nested_agents_files(folder, agents_files);
            joining.agents_texts.append(&mut reader.found.texts);
        }
        let is_on_the_way = |rule: &ScopedRule| ancestors(&policy.folders.cwd).any(|folder| folder == rule.base);
        found.scoped.retain(is_on_the_way);
        joining.rules(&mut found.scoped, Kind::Project, &path);
        let mut is_new = |text: &FileText| known.insert(text.path.clone());
        joining.texts.retain(&mut is_new);
        joining.agents_texts.retain(&mut is_new);
        joining.write(visit);
        let relative = path.strip_prefix(&policy.folders.cwd).unwrap_or(&path).trim_start_matches('/').to_string();
        let skills = joins.join(visit, &relative);
        joining.write_system(visit, skills);
    }
}

/// The folders below the working folder down to that of a file.
fn folders<'p>(path: &'p str, cwd: &str) -> Vec<&'p str> {
    let above = parent(path).into_iter().flat_map(ancestors);
    let mut folders: Vec<&str> = above.take_while(|folder| is_below(folder, cwd)).collect();
    folders.reverse();
    folders
}

impl Joining {
    /// Moves the rules that match a file.
    fn rules(&mut self, scoped: &mut Vec<ScopedRule>, kind: Kind, path: &str) {
        let matches = |rule: &mut ScopedRule| {
            let relative = path.strip_prefix(below(&rule.base, "").as_str());
            rule.text.kind == kind && relative.is_some_and(|relative| rule.patterns.match_file(relative))
        };
        self.texts.extend(scoped.extract_if(.., matches).map(|rule| rule.text));
    }

    fn write(&self, visit: &mut Visit<'_>) {
        if self.texts.is_empty() {
            return;
        }
        let [start, end] = match visit.since("2.1.315") {
            true => [Traced::protocol("<system-reminder>\n"), Traced::protocol("\n</system-reminder>")],
            false => ["joined_start", "joined_end"].map(|id| visit.own(id)),
        };
        visit.draft.message(Role::User);
        for (index, text) in self.texts.iter().enumerate() {
            if index > 0 {
                visit.draft.separate("\n");
            }
            visit.draft.between(&start);
            add(visit, Slot::UserOnDemand, text);
            visit.draft.between(&end);
        }
    }

    fn write_system(&self, visit: &mut Visit<'_>, skills: Option<Traced>) {
        if self.agents_texts.is_empty() && skills.is_none() {
            return;
        }
        visit.draft.message(Role::System);
        for (index, text) in self.agents_texts.iter().enumerate() {
            visit.draft.separate(if index > 0 { "\n" } else { "tool.call hook additional context: " });
            add(visit, Slot::SystemOnDemand, text);
        }
        if let Some(skills) = skills {
            visit.draft.separate(if self.agents_texts.is_empty() { "" } else { "\n\n" });
            visit.draft.part(Slot::SystemOnDemand, LayerKind::Skill, "skills", &skills);
        }
    }
}

fn add(visit: &mut Visit<'_>, slot: Slot, text: &FileText) {
    let layer = visit.draft.part(slot, LayerKind::Context, &text.path, &framed(&text.path, None, &text.text));
    visit.stands(&text.path, FileState::OnDemand, layer);
}
