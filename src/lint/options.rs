//! What the settings and the command line say about rules.

mod levels;
mod read;
mod selector;
mod table;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::palette::fnmatch;
use crate::text::Span;
use crate::tokens::Tokenizer;

use super::finding::Finding;
use super::patterns::Patterns;
use super::rule::{Level, Rule};

pub use read::Typed;
pub use selector::Selector;
pub use table::{Field, OPTIONS, OptionRow};

/// What the settings and the command line say about rules.
#[derive(Debug, Clone)]
pub struct Options {
    /// Levels other than a rule's own, by code.
    pub levels: BTreeMap<&'static str, Level>,
    /// Other levels for some files; of two that speak about a rule the later one counts.
    pub paths: Vec<PathLevels>,
    /// How loudly rules about trust speak at least.
    pub least: Least,
    /// From which level on findings are worth a failure.
    pub fail_on: Level,
    /// Files that are not checked.
    pub exclude: Patterns,
    /// How tokens are counted.
    pub tokenizer: Tokenizer,
    /// The most tokens that a prompt should have; [`Self::most_tokens`] knows those of single prompts.
    pub prompt_tokens: usize,
    /// The share of a prompt, in percent, that one layer should not exceed.
    pub layer_share: usize,
    /// Prompts of fewer tokens are not held against [`Self::layer_share`].
    pub layer_share_from: usize,
    /// The most tokens that may follow a value that changes from run to run.
    pub volatile_from: usize,
    /// The most tokens that a file of instructions for agents should have.
    pub context_tokens: usize,
    /// The most tokens that all those should have which apply to one folder.
    pub context_chain_tokens: usize,
    /// The most tokens of single prompts: patterns in the order in which they count, then ids.
    pub budgets: Vec<Budget>,
}

/// What the tiers below the project say about the group `trust`, which the project may raise and not lower: it does not
/// decide how far it is to be trusted itself.
#[derive(Debug, Clone)]
pub struct Least {
    /// Levels by code, of the rules that they speak about.
    pub levels: BTreeMap<&'static str, Level>,
    /// Levels in some files.
    pub paths: Vec<PathLevels>,
    /// From which level on what these rules find is worth a failure.
    pub fail_on: Level,
    /// Files that these rules are not asked about.
    pub exclude: Patterns,
}

impl Default for Least {
    fn default() -> Self {
        Self { levels: BTreeMap::new(), paths: Vec::new(), fail_on: Level::Off, exclude: Patterns::default() }
    }
}

impl Least {
    /// Whether nothing is said.
    pub fn is_silent(&self) -> bool {
        let is_off = |levels: &BTreeMap<_, Level>| levels.values().all(|level| *level == Level::Off);
        is_off(&self.levels) && self.paths.iter().all(|entry| is_off(&entry.levels))
    }

    /// How loudly a rule speaks at least about a file of that path; none where nothing is said of it.
    pub fn level(&self, rule: &Rule, path: &str) -> Option<Level> {
        in_path(&self.paths, rule, path).or_else(|| self.levels.get(rule.code).copied())
    }
}

/// Levels of rules in some files.
#[derive(Debug, Clone)]
pub struct PathLevels {
    /// The files.
    pub files: Patterns,
    /// The same as it is written, each with its place.
    pub patterns: Vec<(String, Option<Span>)>,
    /// The levels, by code.
    pub levels: BTreeMap<&'static str, Level>,
    /// The rules that are ignored by their own names, each with the place of that word.
    pub ignored: Vec<(&'static Rule, Option<Span>)>,
}

/// The most tokens of some prompts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// An id, or a pattern as those of capabilities are.
    pub directives: String,
    /// The most tokens.
    pub most: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            levels: BTreeMap::new(),
            paths: Vec::new(),
            least: Least::default(),
            fail_on: Level::Warning,
            exclude: Patterns::default(),
            tokenizer: Tokenizer::default(),
            prompt_tokens: 32_000,
            layer_share: 80,
            layer_share_from: 4_000,
            volatile_from: 4_000,
            context_tokens: 2_000,
            context_chain_tokens: 8_000,
            budgets: Vec::new(),
        }
    }
}

impl Options {
    /// How loudly a rule speaks about a file of that path.
    pub fn level(&self, rule: &Rule, path: &str) -> Level {
        let level = in_path(&self.paths, rule, path).unwrap_or_else(|| self.everywhere(rule));
        level.max(self.least.level(rule, path).unwrap_or(Level::Off))
    }

    /// Whether a finding is worth a failure.
    pub fn is_failure(&self, finding: &Finding) -> bool {
        let is_from = |level: Level| level.severity().is_some_and(|from| finding.severity >= from);
        // What the project must not lower it must not let pass either.
        let is_owed = self.least.level(finding.rule, finding.path()).is_some_and(|level| level != Level::Off);
        is_from(self.fail_on) || is_owed && is_from(self.least.fail_on)
    }

    /// Whether a rule speaks about any file at all.
    pub fn speaks(&self, rule: &Rule) -> bool {
        let paths = || self.paths.iter().chain(&self.least.paths);
        let somewhere =
            || paths().filter_map(|entry| entry.levels.get(rule.code)).chain(self.least.levels.get(rule.code));
        self.everywhere(rule) != Level::Off || somewhere().any(|level| *level != Level::Off)
    }

    /// The most tokens that the prompt of a directive should have.
    pub fn most_tokens(&self, id: &str) -> usize {
        let own = self.budgets.iter().rev().find(|budget| budget.is_for(id));
        own.map_or(self.prompt_tokens, |budget| budget.most)
    }

    fn everywhere(&self, rule: &Rule) -> Level {
        self.levels.get(rule.code).copied().unwrap_or(rule.level)
    }
}

/// What the last entry for a file says that speaks about a rule.
fn in_path(paths: &[PathLevels], rule: &Rule, path: &str) -> Option<Level> {
    // Patterns are asked for those entries alone that speak about the rule.
    let speaking = paths.iter().rev().filter_map(|entry| Some((entry, *entry.levels.get(rule.code)?)));
    speaking.filter(|_| !path.is_empty()).find(|(entry, _)| entry.files.matches(path)).map(|(_, level)| level)
}

impl Budget {
    fn is_pattern(&self) -> bool {
        self.directives.contains(['*', '?', '['])
    }

    fn is_for(&self, id: &str) -> bool {
        if self.is_pattern() { fnmatch::matches(id, &self.directives) } else { self.directives == id }
    }
}
