//! Skills: where they are, what their front matter says, and which of them the list names.

mod budget;
mod front_matter;
mod listing;
mod plugin;
mod policy;
mod repair;
mod roots;
mod switches;
mod walk;

use std::collections::HashSet;

use super::folders::Folders;
use super::settings::Settings;
use crate::agents::files::parent;
use crate::agents::visit::Visit;
use crate::prompt::{Declared, FileReason, Slot};
use crate::text::Traced;
use plugin::Plugins;
use roots::{Root, Scope};
use switches::Switches;

pub(super) use roots::AGENTS_SKILLS;

pub(super) const FILE: &str = "SKILL.md";
const SLOT: Slot = Slot::DeveloperSkills;

struct Skill {
    /// As found below the real path of its root.
    path: String,
    real: String,
    /// The index of its root.
    root: usize,
    scope: Scope,
    /// With the name of its plugin before a colon.
    name: Traced,
    description: Traced,
}

/// Writes the list of skills.
pub(super) fn write(visit: &mut Visit<'_>, folders: &Folders, settings: &Settings) {
    let has_own = settings.is_on("skills.bundled.enabled");
    let roots = roots::find(visit, folders, has_own);
    let switches = Switches::new(visit, folders, settings);
    let skills = find(visit, &switches, &roots);
    listing::write(visit, folders, settings, &switches, &roots, skills);
}

/// The skills that may be listed; all others get their states.
fn find(visit: &mut Visit<'_>, switches: &Switches<'_>, roots: &[Root]) -> Vec<Skill> {
    let (mut skills, mut met) = (Vec::new(), HashSet::new());
    let mut plugins = Plugins::default();
    for (index, root) in roots.iter().enumerate().filter(|(_, root)| root.scope != Scope::Own) {
        for found in walk::walk(visit, &root.folder) {
            let path = found.path;
            if let Some(why) = found.left_out {
                visit.left_out(SLOT, &path, why, None);
                continue;
            }
            if !met.insert(found.real.clone()) {
                visit.left_out(SLOT, &path, FileReason::Duplicate, None);
                continue;
            }
            let Some(front) = front_matter::read(visit, &path, &found.real) else {
                visit.left_out(SLOT, &path, FileReason::Invalid, None);
                continue;
            };
            let mut name = Traced::new();
            if let Some(plugin) = plugins.name(visit, parent(&found.real).unwrap_or("/")) {
                name.push(&plugin).push_protocol(":");
            }
            name.push(&front.name);
            let is_hidden = policy::hides(visit, &path);
            if let Some(span) = switches.off(name.text(), &found.real) {
                let by = Declared { by: "skills.config".to_string(), span };
                visit.left_out(SLOT, &path, FileReason::Excluded, Some(by));
            } else if is_hidden {
                visit.left_out(SLOT, &path, FileReason::Hidden, None);
            } else {
                let (root, scope, description) = (index, root.scope, front.description);
                skills.push(Skill { path, real: found.real, root, scope, name, description });
            }
        }
    }
    skills.sort_by(|a, b| (a.scope, a.name.text(), &a.real).cmp(&(b.scope, b.name.text(), &b.real)));
    skills
}
