//! Skills: where they are, what their front matter says, and which of them the list names.

mod front_matter;
mod listing;
mod metadata;
mod walk;

use std::collections::{HashMap, HashSet};

use super::folders::{Folders, joined_or_home};
use super::pitfall;
use super::settings::Settings;
use crate::agents::files::parent;
use crate::agents::visit::Visit;
use crate::prompt::{Declared, FileReason, Slot};
use crate::read::store::PathKind;
use crate::read::value::Value;
use crate::read::yaml::{YamlData, YamlNode};
use crate::text::{Span, Traced};

use listing::Listing;
use metadata::{Plugins, hides};
use walk::{Root, Scope};

pub(super) use walk::AGENTS_SKILLS;

pub(super) const FILE: &str = "SKILL.md";
const SLOT: Slot = Slot::DeveloperSkills;
const LINK_HELP: &str = "put the file itself there, or link its folder";
const SWITCH_HELP: &str = "name the SKILL.md in it";

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
    let roots = walk::roots(visit, folders, has_own);
    let switches = Switches::new(visit, folders, settings);
    let skills = find(visit, &switches, &roots);
    Listing::new(folders, &switches, &roots, &skills).write(visit, settings);
}

/// The skills that may be listed; all others get their states.
fn find(visit: &mut Visit<'_>, switches: &Switches<'_>, roots: &[Root]) -> Vec<Skill> {
    let (mut skills, mut met) = (Vec::new(), HashSet::new());
    let mut plugins = Plugins::default();
    for (index, root) in roots.iter().enumerate().filter(|(_, root)| root.scope != Scope::Own) {
        for found in walk::walk(visit, &root.folder) {
            let path = found.path;
            if let Some(why) = found.left_out {
                if why == FileReason::NotRead && path.ends_with("/SKILL.md") {
                    let problem = pitfall("does not find this skill, because the file is a link", LINK_HELP);
                    visit.report_file(problem, &path, "skill");
                }
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
            let is_hidden = hides(visit, &path);
            if let Some(span) = switches.off(name.text(), &found.real) {
                let by = Declared { by: "skills.config".to_string(), span };
                visit.left_out(SLOT, &path, FileReason::Excluded, Some(by));
            } else if is_hidden {
                visit.left_out(SLOT, &path, FileReason::Hidden, None);
            } else {
                if let Some(at) = front.ignored {
                    visit.report_at(pitfall("ignores this key, and lists the skill", front_matter::HIDE_HELP), at);
                }
                let (root, scope, description) = (index, root.scope, front.description);
                skills.push(Skill { path, real: found.real, root, scope, name, description });
            }
        }
    }
    skills.sort_by(|a, b| (a.scope, a.name.text(), &a.real).cmp(&(b.scope, b.name.text(), &b.real)));
    skills
}

/// The switches of the user's settings. The last one that fits a skill counts.
pub(super) struct Switches<'s> {
    list: &'s [YamlNode],
    /// The index of the last one with a name.
    by_name: HashMap<String, usize>,
    /// The index of the last one with a real path.
    by_path: HashMap<String, usize>,
}

impl<'s> Switches<'s> {
    pub fn new(visit: &mut Visit<'_>, folders: &Folders, settings: &'s Settings) -> Self {
        let list = settings.user.at("skills.config").and_then(YamlNode::as_list).unwrap_or_default();
        let mut switches = Self { list, by_name: HashMap::new(), by_path: HashMap::new() };
        for (index, switch) in list.iter().enumerate() {
            let text = |key: &str| switch.get(key)?.as_str();
            match (text("name"), text("path")) {
                (Some(name), None) => drop(switches.by_name.insert(name.trim().to_string(), index)),
                (None, Some(path)) => {
                    let real = visit.files.real(&joined_or_home(visit, &folders.home, path));
                    if visit.kind(&real) == Some(PathKind::Folder) {
                        let problem = pitfall("compares this path with files, and it is a folder", SWITCH_HELP);
                        visit.report_near(problem, switch.get("path").and_then(|path| path.span.clone()));
                    }
                    switches.by_path.insert(real, index);
                }
                _ => {}
            }
        }
        switches
    }

    /// The place of the switch that turns a skill off, if the last one that fits does so.
    pub fn off(&self, name: &str, real: &str) -> Option<Option<Span>> {
        let last = self.by_name.get(name).max(self.by_path.get(real))?;
        let last = self.list.get(*last)?;
        let is_on = matches!(last.get("enabled").map(|it| &it.data), Some(YamlData::Scalar(Value::Bool(true))));
        (!is_on).then(|| last.span.clone())
    }
}
