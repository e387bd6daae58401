//! A coding agent as a value, and the request for its prompt in a folder.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::connection::Connection;
use super::recording::{OwnText, Recording};
use super::setting_keys::SettingKey;
use super::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::sent::ReadMessage;
use crate::prompt::{AgentUse, InstalledAgent};
use crate::read::environment::Environment;

/// Divides the text of an id, or of a run of them. The parts add up to the text.
pub type OwnParts = fn(&str, &str) -> Vec<OwnText>;

/// The names and rules of an agent.
#[derive(Debug, Clone, Copy)]
pub struct Agent {
    /// As `--agent` takes it.
    pub name: &'static str,
    /// The releases that the rules were compared with, oldest first.
    pub releases: &'static [&'static str],
    /// Later releases, which were compared and have the rules of the last of these.
    pub unchanged: &'static [&'static str],
    /// The npm packages that hold it, the newest name first.
    pub packages: &'static [&'static str],
    /// The program that people start.
    pub program: &'static str,
    /// The names of settings, and of folders for the agent, beside those of instruction files.
    pub settings: &'static [&'static str],
    /// Where the settings of a project are.
    pub settings_files: &'static [&'static str],
    /// The keys there.
    pub setting_keys: &'static [SettingKey],
    /// The variables of the environment that its prompt depends on.
    pub variables: &'static [&'static str],
    /// How it is led to another address.
    pub connection: Connection,
    /// Divides own texts that follow each other, if their borders can be told.
    pub own_parts: Option<OwnParts>,
    /// What a user message begins with that is all its own.
    pub own_user_start: Option<&'static str>,
    /// Reads the folder as the agent does, and writes the messages. If the agent refuses to start, this is the reason.
    pub read: fn(&mut Visit<'_>) -> Result<(), Diagnostic>,
    /// Whether a mistake that `sf` reports in a skill of `.agents/skills` matters to the agent.
    pub skill_problem_matters: fn(&ChosenAgent, &Problem) -> bool,
}

/// An agent and the release whose rules apply.
#[derive(Debug, Clone)]
pub struct ChosenAgent {
    pub agent: &'static Agent,
    pub version: String,
    pub installed: Option<InstalledAgent>,
}

impl Agent {
    fn newest(&self) -> &'static str {
        self.releases.last().copied().unwrap_or_default()
    }

    /// The rules of a release: those of `version` if given, else of the installed release, else of the newest one. A
    /// prefix selects the newest known release that begins with it: `1.5` is `1.5.2`.
    pub fn at(&'static self, version: Option<String>, installed: Option<InstalledAgent>) -> ChosenAgent {
        let whole = |typed: String| {
            let is_typed = |release: &&&str| release.strip_prefix(&*typed).is_some_and(|rest| rest.starts_with('.'));
            let known = self.releases.iter().rfind(is_typed).or_else(|| self.unchanged.iter().rfind(is_typed));
            known.map_or(typed.clone(), |release| release.to_string())
        };
        let version = version.map(whole).or_else(|| installed.as_ref().map(|it| it.version.clone()));
        ChosenAgent { agent: self, version: version.unwrap_or_else(|| self.newest().to_string()), installed }
    }
}

impl ChosenAgent {
    /// Whether the rules are those of `release` or of a later one.
    pub fn since(&self, release: &str) -> bool {
        compare(&self.version, release) != Ordering::Less
    }

    fn is_known(&self) -> bool {
        let Agent { releases, unchanged, .. } = self.agent;
        [releases, unchanged].iter().any(|known| known.contains(&self.version.as_str()))
    }

    /// `codex 0.169.0`
    pub fn title(&self) -> String {
        format!("{} {}", self.agent.name, self.version)
    }

    pub fn in_use(&self) -> AgentUse {
        let Self { agent, version, installed } = self;
        let is_known = self.is_known();
        AgentUse { name: agent.name, version: version.clone(), installed: installed.clone(), is_known }
    }

    /// Why the rules may differ from what the release does.
    pub fn warning(&self) -> Option<Diagnostic> {
        let Self { agent, version, .. } = self;
        if self.is_known() {
            return None;
        }
        let before = agent.releases.iter().rfind(|known| compare(known, version) != Ordering::Greater);
        let rules = before.or(agent.releases.first()).copied().unwrap_or_default().to_string();
        let (agent, version, is_older) = (agent.name, version.clone(), before.is_none());
        Some(Diagnostic::new(Problem::AgentReleaseUnknown { agent, version, rules, is_older }))
    }
}

/// Compares release numbers by their first three parts. A missing part counts as 0, and what follows `-` does not count.
pub fn compare(a: &str, b: &str) -> Ordering {
    let parts = |text: &str| {
        let mut parts = text.split('-').next().unwrap_or_default().split('.').map(|part| part.parse().unwrap_or(0));
        [(); 3].map(|()| parts.next().unwrap_or(0u64))
    };
    parts(a).cmp(&parts(b))
}

/// A request for the prompt of an agent in a folder. Paths are absolute.
#[derive(Debug, Clone)]
pub struct AgentRequest {
    pub chosen: ChosenAgent,
    /// The working folder, links resolved.
    pub cwd: String,
    pub home: String,
    /// The model of request bodies.
    pub model: Option<String>,
    /// The agent's own folder, if the command line names one.
    pub agent_dir: Option<String>,
    /// The variables of the environment that the agent reads and that are set.
    pub variables: BTreeMap<&'static str, String>,
    /// All variables, for settings that name some.
    pub environment: Environment,
    /// What the agent would be started with.
    pub arguments: Vec<String>,
    /// The messages of a recorded request, from which the agent's own text is taken.
    pub base: Option<Arc<[ReadMessage]>>,
    /// What was recorded before of the agent's own text; not used with `base`.
    pub recording: Option<Arc<Recording>>,
    /// What is to be said about recordings.
    pub notes: Vec<Diagnostic>,
    /// The files that the agent reads, in order; links in their paths are not resolved.
    pub touch: Vec<String>,
    pub why: Option<RuleQuestion>,
    pub trust: FolderTrust,
    /// Whether the texts that join later are kept.
    pub keeps_later: bool,
    /// Whether instruction files below the working folder have a state even if the agent never reads them.
    pub looks_below: bool,
}

impl AgentRequest {
    /// A request without arguments, environment and recordings.
    pub fn new(chosen: ChosenAgent, cwd: String, home: String) -> Self {
        Self {
            chosen,
            cwd,
            home,
            model: None,
            agent_dir: None,
            variables: BTreeMap::new(),
            environment: Environment::default(),
            arguments: Vec::new(),
            base: None,
            recording: None,
            notes: Vec::new(),
            touch: Vec::new(),
            why: None,
            trust: FolderTrust::default(),
            keeps_later: false,
            looks_below: false,
        }
    }
}

/// What the user lets a folder decide.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum FolderTrust {
    /// What the settings of the user say.
    #[default]
    AsSet,
    /// The user trusts the folder.
    Trusted,
    /// The user also approved its imports from outside of the working folder.
    Approved,
}

/// Which files would make a rule join?
#[derive(Debug, Clone)]
pub struct RuleQuestion {
    /// As typed.
    pub name: String,
    pub files: KnownFiles,
}

/// The files of a project.
#[derive(Debug, Clone, Default)]
pub struct KnownFiles {
    /// Absolute.
    pub paths: Vec<String>,
    /// Whether these are the files of a repository that git tracks.
    pub are_tracked: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn release_numbers_are_compared_by_their_parts() {
        assert_eq!(compare("0.84.4", "0.160.0"), Ordering::Less);
        assert_eq!(compare("1.0", "1.0"), Ordering::Equal);
        assert_eq!(compare("1.5.2", "1.5.2-beta.1"), Ordering::Equal);
        assert_eq!(compare("1.5", "1.5.0"), Ordering::Equal);
    }
}
