//! Skills: where they are, what their front matter says, and which of them the list names.

use std::collections::{HashMap, HashSet};

use super::AGENT;
use super::front_matter::{self, FileParts};
use super::node::Node;
use super::places::AgentFolders;
use super::settings::MergedSettings;
use super::walk::{self, WalkRules};
use crate::agents::SKILL_HELP;
use crate::agents::ecmascript::sort_by_name;
use crate::agents::files::{below, resolved};
use crate::agents::skills::element;
use crate::agents::visit::Visit;
use crate::diagnostic::Problem;
use crate::prompt::{Declared, FileReason, FileState, LayerKind, SectionSource, Slot, SystemSection};
use crate::text::{Origin, Span, Traced};

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
pub(super) fn write(visit: &mut Visit<'_>, places: &AgentFolders, settings: &MergedSettings, agent: &str) {
    let mut skills = find(visit, places, settings);
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
    element("skill", [("name", &skill.name), ("description", &description), ("location", &location)])
}

fn escaped(path: &str) -> String {
    let marks = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;")];
    marks.iter().fold(path.to_string(), |text, (mark, escape)| text.replace(mark, escape))
}

/// The skills by name, the last of each; all other files get their states.
fn find(visit: &mut Visit<'_>, places: &AgentFolders, settings: &MergedSettings) -> Vec<FoundSkill> {
    let mut skills: Vec<FoundSkill> = Vec::new();
    if visit.since("1.14.34") {
        let description = Some(visit.own("skill_customize_opencode"));
        skills.push(FoundSkill { name: Traced::protocol(BUILT_IN), description, file: None });
    }
    let mut named: HashMap<String, usize> = HashMap::from_iter(skills.iter().map(|_| (BUILT_IN.to_string(), 0)));
    let mut met = HashSet::new();
    for path in candidates(visit, places, settings) {
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
    visit.report_at(Problem::SkillCollision { what: "skill", name, winner, below: None }, file.slice(0..0));
}

/// The files of all places, in the order in which they are read. Those that a variable switches off get their states.
fn candidates(visit: &mut Visit<'_>, places: &AgentFolders, settings: &MergedSettings) -> Vec<String> {
    let mut found = Vec::new();
    for folder in std::iter::once(places.home.clone()).chain(places.chain()) {
        for owner in EXTERNAL {
            let is_off = places.switches.no_external_skills || places.switches.no_claude_skills && owner == EXTERNAL[0];
            let files = skill_files(visit, &below(&folder, &format!("{owner}/skills")), walk::ALL);
            if is_off {
                files.iter().for_each(|path| visit.left_out(SLOT, path, FileReason::Excluded, None));
            } else {
                found.extend(files);
            }
        }
    }
    let without_dots = WalkRules { enters_dots: false, follows_links: true };
    for folder in places.config_folders() {
        for root in ["skill", "skills"].map(|name| below(&folder, name)) {
            found.extend(skill_files(visit, &root, without_dots));
        }
    }
    let named = settings.merged.get("skills");
    for path in named.into_iter().flat_map(|skills| skills.texts("paths")) {
        let root = resolved(path.text(), &places.cwd, &places.home);
        found.extend(skill_files(visit, &root, without_dots));
    }
    found
}

pub(super) fn skill_files(visit: &mut Visit<'_>, root: &str, rules: WalkRules) -> Vec<String> {
    let mut files = walk::files(visit, root, rules);
    files.retain(|path| path.rsplit('/').next() == Some(FILE));
    files
}

fn read(visit: &mut Visit<'_>, path: &str) -> Option<FoundSkill> {
    let file = visit.text_or_state(SLOT, path, "skill")?;
    let wrong = |reason: &str, node: Option<&Node>| (reason.to_string(), node.and_then(|node| node.place.clone()));
    let read = front_matter::read(&file).and_then(|FileParts { fields, body }| {
        if let Some(invalid) = front_matter::lost(&file, &body) {
            return Err(invalid);
        }
        let name = fields.text("name").ok_or_else(|| wrong("has no `name` that is text", fields.get("name")))?;
        let description = fields.get("description").map(|node| {
            node.as_text().cloned().ok_or_else(|| wrong("has a `description` that is not text", Some(node)))
        });
        Ok(FoundSkill { name: name.clone(), description: description.transpose()?, file: Some(file.clone()) })
    });
    let problem = |reason: String| match reason == front_matter::RUN {
        true => Problem::FrontMatterRun { agent: AGENT },
        false => Problem::AgentSkillUnusable { agent: AGENT, reason, help: SKILL_HELP },
    };
    read.map_err(|(reason, at)| visit.report_at(problem(reason), at.unwrap_or_else(|| file.slice(0..0)))).ok()
}

const KEY: &str = "skill";

/// A longer pattern matches nothing, in bytes.
const LONGEST: usize = 1_000;

/// The rules about skills, the last of which wins.
pub(super) struct Permissions {
    rules: Vec<Rule>,
}

struct Rule {
    pattern: String,
    is_denied: bool,
    place: Option<Span>,
}

impl Permissions {
    /// Those of the settings, then those of the agent.
    pub fn new(settings: &MergedSettings, agent: &str) -> Self {
        let fields = settings.merged.get("agent").and_then(|agents| agents.get(agent));
        let mut rules = Vec::new();
        for owner in [Some(&settings.merged), fields].into_iter().flatten() {
            for (_, node) in owner.entries("permission").filter(|(key, _)| matches(key, KEY)) {
                rules.extend(of_key(node));
            }
        }
        Self { rules }
    }

    /// The rule that takes the whole list away.
    pub fn denies_all(&self) -> Option<Option<Span>> {
        let last = self.rules.last()?;
        (last.is_denied && last.pattern == "*").then(|| last.place.clone())
    }

    /// The rule that hides a skill.
    pub fn denies(&self, name: &str) -> Option<Option<Span>> {
        let last = self.rules.iter().rfind(|rule| matches(&rule.pattern, name))?;
        last.is_denied.then(|| last.place.clone())
    }
}

fn of_key(node: &Node) -> Vec<Rule> {
    let rule = |pattern: &str, node: &Node| {
        let is_denied = node.as_text().is_some_and(|action| action.text() == "deny");
        Rule { pattern: pattern.to_string(), is_denied, place: node.place.clone() }
    };
    match node.as_map() {
        Some(map) => map.iter().map(|(pattern, node)| rule(pattern, node)).collect(),
        None => vec![rule("*", node)],
    }
}

/// Whether a pattern matches all of a text. A blank and a `*` at its end may be missing in the text.
fn matches(pattern: &str, text: &str) -> bool {
    fits(pattern, text) || pattern.strip_suffix(" *").is_some_and(|start| fits(start, text))
}

/// [`matches`], with `*` and `?`, in time proportional to the product of their lengths.
fn fits(mut pattern: &str, mut text: &str) -> bool {
    if pattern.len() > LONGEST {
        return false;
    }
    // What follows the last `*`, and the text that it does not cover yet.
    let mut star: Option<(&str, &str)> = None;
    while let Some(c) = text.chars().next() {
        if let Some(after) = pattern.strip_prefix('*') {
            pattern = after;
            star = Some((after, text));
        } else if let Some(after) = pattern.strip_prefix(['?', c]) {
            (pattern, text) = (after, &text[c.len_utf8()..]);
        } else {
            let Some((after, uncovered)) = star else { return false };
            let covered = uncovered.chars().next().map_or(0, char::len_utf8);
            (pattern, text) = (after, &uncovered[covered..]);
            star = Some((pattern, text));
        }
    }
    pattern.chars().all(|c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_have_two_wildcards() {
        for (pattern, yes, no) in [
            ("*", &["", "a"][..], &[][..]),
            ("in-*", &["in-", "in-x"], &["in", "xin-"]),
            ("a?c", &["abc", "a?c"], &["ac", "abbc"]),
            ("*a*b", &["ab", "xaxab"], &["aba"]),
            ("a *", &["a", "a ", "a b"], &["ab"]),
            ("a.c", &["a.c"], &["abc"]),
            ("[a]", &["[a]"], &["a"]),
        ] {
            assert!(yes.iter().all(|text| matches(pattern, text)), "{pattern}");
            assert!(!no.iter().any(|text| matches(pattern, text)), "{pattern}");
        }
    }
}
