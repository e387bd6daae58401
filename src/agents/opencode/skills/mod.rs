//! Skills: where they are, what their front matter says, and which of them the list names.

mod permissions;

use std::collections::{HashMap, HashSet};

use super::node::{Data, Node};
use super::places::{AgentFolders, Switches};
use super::settings::MergedSettings;
use super::walk::{self, WalkRules};
use super::{AGENT, front_matter, text};
use crate::agents::collation::sort_by_name;
use crate::agents::files::{below, resolved};
use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{Declared, FileReason, FileState, LayerKind, SectionSource, Slot, SystemSection};
use crate::text::{Origin, Span, Traced};
use permissions::Permissions;

pub(super) const FILE: &str = "SKILL.md";
pub(super) const SLOT: Slot = Slot::SystemSkills;
const BUILT_IN: &str = "customize-opencode";

/// The folders of other agents whose skills are read.
pub(super) const EXTERNAL: [&str; 2] = [".claude", ".agents"];

struct FoundSkill {
    name: Traced,
    /// A skill without a description is not listed.
    description: Option<Traced>,
    /// `None` for the one of the agent itself.
    file: Option<Span>,
}

impl FoundSkill {
    fn path(&self) -> &str {
        self.file.as_ref().map_or("<built-in>", |file| file.source().path())
    }
}

/// Writes the list, as far as this release has one.
pub(super) fn write(
    visit: &mut Visit<'_>,
    places: &AgentFolders,
    switches: &Switches,
    settings: &MergedSettings,
    agent: &str,
) {
    let mut skills = find(visit, places, switches, settings);
    let permissions = Permissions::new(settings, agent);
    let all_denied = permissions.denies_all();
    skills.retain(|skill| {
        let denied = all_denied.clone().or_else(|| permissions.denies(skill.name.text()));
        let why = match (denied, &skill.description) {
            (Some(span), _) => Some((FileReason::Excluded, Some(Declared { by: "permission".to_string(), span }))),
            (None, None) => Some((FileReason::Hidden, None)),
            (None, Some(_)) => None,
        };
        if let (Some((why, by)), Some(_)) = (&why, &skill.file) {
            visit.left_out(SLOT, skill.path(), *why, by.clone());
        }
        why.is_none()
    });
    sort_by_name(&mut skills, |skill| skill.name.text());
    if !visit.since("1.3.2") {
        for skill in skills.iter().filter(|skill| skill.file.is_some()) {
            visit.state(SLOT, skill.path(), FileState::Listed, None, None);
        }
    } else if all_denied.is_none() {
        visit.draft.separate("\n");
        list(visit, &skills);
    }
}

fn list(visit: &mut Visit<'_>, skills: &[FoundSkill]) {
    let mut head = visit.own("skills_intro");
    head.push_protocol("\n");
    if skills.is_empty() {
        head.push(&visit.own("no_skills"));
        visit.draft.part(SLOT, LayerKind::Skills, "available_skills", &head);
        return;
    }
    head.push_protocol("<available_skills>\n");
    visit.draft.part(SLOT, LayerKind::Skills, "available_skills", &head);
    let is_url = !visit.since("1.14.34");
    for skill in skills {
        let entry = entry(visit, skill, is_url);
        let layer = visit.draft.part(SLOT, LayerKind::Skill, skill.name.text(), &entry);
        if skill.file.is_some() {
            visit.stands(skill.path(), FileState::Listed, layer);
        }
    }
    visit.draft.separate("</available_skills>");
    let paths = skills.iter().filter(|skill| skill.file.is_some()).map(|skill| skill.path().to_string());
    visit.draft.sections.push(SystemSection { kind: "skills", source: SectionSource::Several(paths.collect()) });
}

fn entry(visit: &Visit<'_>, skill: &FoundSkill, is_url: bool) -> Traced {
    let description = match &skill.description {
        Some(description) => description.clone(),
        None => visit.own("skill_customize_opencode"),
    };
    let path = escaped(skill.path());
    let location = match &skill.file {
        Some(file) if is_url => Traced::of(&format!("file://{path}"), Origin::Derived(file.slice(0..0))),
        Some(file) => Traced::of(&path, Origin::Derived(file.slice(0..0))),
        None => Traced::protocol(&path),
    };
    let mut entry = Traced::protocol("  <skill>\n");
    for (tag, value) in [("name", &skill.name), ("description", &description), ("location", &location)] {
        entry.push_protocol(&format!("    <{tag}>")).push(value).push_protocol(&format!("</{tag}>\n"));
    }
    entry.push_protocol("  </skill>\n");
    entry
}

fn escaped(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            c => out.push(c),
        }
    }
    out
}

/// The skills by name, the last of each; all other files get their states.
fn find(
    visit: &mut Visit<'_>,
    places: &AgentFolders,
    switches: &Switches,
    settings: &MergedSettings,
) -> Vec<FoundSkill> {
    let mut skills: Vec<FoundSkill> = Vec::new();
    if visit.since("1.14.34") {
        let description = Some(visit.own("skill_customize_opencode"));
        skills.push(FoundSkill { name: Traced::protocol(BUILT_IN), description, file: None });
    }
    let mut named: HashMap<String, usize> = HashMap::from_iter(skills.iter().map(|_| (BUILT_IN.to_string(), 0)));
    let mut met = HashSet::new();
    for path in candidates(visit, places, switches, settings) {
        if !met.insert(path.clone()) {
            continue;
        }
        let Some(skill) = read(visit, &path) else {
            visit.left_out(SLOT, &path, FileReason::Invalid, None);
            continue;
        };
        match named.get(skill.name.text()) {
            Some(&index) => {
                shadow(visit, &skills[index], &skill);
                skills[index] = skill;
            }
            None => {
                named.insert(skill.name.text().to_string(), skills.len());
                skills.push(skill);
            }
        }
    }
    skills
}

fn shadow(visit: &mut Visit<'_>, earlier: &FoundSkill, later: &FoundSkill) {
    let Some(file) = &earlier.file else { return };
    let by = Declared { by: later.path().to_string(), span: later.file.clone().map(|file| file.slice(0..0)) };
    visit.left_out(SLOT, earlier.path(), FileReason::Shadowed, Some(by));
    let (name, winner) = (later.name.text().to_string(), later.path().to_string());
    let problem = Problem::SkillCollision { what: "skill", name, winner, below: None };
    visit.diagnostics.push(Diagnostic::at(problem, file.slice(0..0)));
}

/// The files of all places, in the order in which they are read. Those that a variable switches off get their states.
fn candidates(
    visit: &mut Visit<'_>,
    places: &AgentFolders,
    switches: &Switches,
    settings: &MergedSettings,
) -> Vec<String> {
    let mut found = Vec::new();
    for folder in std::iter::once(places.home.clone()).chain(places.chain()) {
        for owner in EXTERNAL {
            let is_off = switches.no_external_skills || switches.no_claude_skills && owner == EXTERNAL[0];
            let files = skill_files(visit, places, &below(&folder, &format!("{owner}/skills")), walk::ALL);
            if is_off {
                files.iter().for_each(|path| visit.left_out(SLOT, path, FileReason::Excluded, None));
            } else {
                found.extend(files);
            }
        }
    }
    let without_dots = WalkRules { enters_dots: false, follows_links: true };
    for folder in places.config_folders(switches) {
        for root in ["skill", "skills"].map(|name| below(&folder, name)) {
            found.extend(skill_files(visit, places, &root, without_dots));
        }
    }
    let named = settings.merged.get("skills");
    for path in named.into_iter().flat_map(|skills| skills.texts("paths")) {
        let root = resolved(path.text(), &places.cwd, &places.home);
        found.extend(skill_files(visit, places, &root, without_dots));
    }
    found
}

pub(super) fn skill_files(visit: &mut Visit<'_>, places: &AgentFolders, root: &str, rules: WalkRules) -> Vec<String> {
    let mut files = walk::files(visit, places, root, rules);
    files.retain(|path| path.rsplit('/').next() == Some(FILE));
    files
}

fn read(visit: &mut Visit<'_>, path: &str) -> Option<FoundSkill> {
    let file = text(visit, SLOT, path, "skill")?;
    let (reason, at) = match front_matter::read(&file) {
        Ok(read) => match (read.fields.text("name"), read.fields.get("description")) {
            (Some(name), None) => return Some(FoundSkill { name: name.clone(), description: None, file: Some(file) }),
            (Some(name), Some(Node { data: Data::Text(description), .. })) => {
                return Some(FoundSkill {
                    name: name.clone(),
                    description: Some(description.clone()),
                    file: Some(file),
                });
            }
            (None, _) => ("has no `name` that is text".to_string(), read.fields.get("name").cloned()),
            (Some(_), description) => ("has a `description` that is not text".to_string(), description.cloned()),
        },
        Err((reason, at)) => (reason, Some(Node { data: Data::Null, place: at })),
    };
    let at = at.and_then(|node| node.place).unwrap_or_else(|| file.slice(0..0));
    let problem = match reason == front_matter::RUN {
        true => Problem::FrontMatterRun { agent: AGENT },
        false => Problem::AgentSkillUnusable { agent: AGENT, reason },
    };
    visit.diagnostics.push(Diagnostic::at(problem, at));
    None
}
