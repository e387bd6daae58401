mod read;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

#[cfg(test)]
pub use tests::schema::generated as settings_schema;

use crate::fill::palette::fnmatch;
use crate::lint::finding::Finding;
use crate::lint::rule::{Level, Rule};
use crate::read::patterns::Patterns;
use crate::text::Span;
use crate::text::tokens::Tokenizer;

pub use read::{LintFlags, Selector, unknown_help};

#[derive(Debug, Clone)]
pub struct LintOptions {
    /// Levels that differ from the rule's default, by code.
    pub levels: BTreeMap<&'static str, Level>,
    /// A later entry overrides an earlier one.
    pub paths: Vec<PathLevels>,
    pub trust_floor: TrustFloor,
    /// The lowest level that makes the run fail.
    pub fail_on: Level,
    pub exclude: Patterns,
    // The keys of `lint.options`; `documented` says what each means.
    pub tokenizer: Tokenizer,
    pub prompt_tokens: usize,
    pub layer_share: usize,
    pub layer_share_from: usize,
    pub volatile_from: usize,
    pub context_tokens: usize,
    pub context_chain_tokens: usize,
    /// In increasing order of precedence: patterns, then ids.
    pub budgets: Vec<PromptBudget>,
}

/// The levels that lower tiers set for `trust` rules. The project may only raise them: it must not vouch for itself.
#[derive(Debug, Clone, Default)]
pub struct TrustFloor {
    pub levels: BTreeMap<&'static str, Level>,
    pub paths: Vec<PathLevels>,
    pub fail_on: Level,
    pub exclude: Patterns,
}

impl TrustFloor {
    pub fn is_silent(&self) -> bool {
        let paths = self.paths.iter().flat_map(|entry| entry.levels.values());
        self.levels.values().chain(paths).all(|level| *level == Level::Off)
    }

    pub fn level(&self, rule: &Rule, path: &str) -> Option<Level> {
        level_in_path(&self.paths, rule, path).or_else(|| self.levels.get(rule.code).copied())
    }
}

#[derive(Debug, Clone)]
pub struct PathLevels {
    pub files: Patterns,
    /// The patterns of `files` as written.
    pub patterns: WrittenPatterns,
    pub levels: BTreeMap<&'static str, Level>,
    /// The rules ignored by code or name, not by group.
    pub ignored: Vec<(&'static Rule, Option<Span>)>,
}

pub type WrittenPatterns = Vec<(String, Option<Span>)>;

/// A token limit for the prompts of some directives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptBudget {
    /// An id, or a pattern in the syntax of capabilities.
    pub directives: String,
    pub most: usize,
}

impl Default for LintOptions {
    fn default() -> Self {
        Self {
            levels: BTreeMap::new(),
            paths: Vec::new(),
            trust_floor: TrustFloor::default(),
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

impl LintOptions {
    pub fn level(&self, rule: &Rule, path: &str) -> Level {
        let level = level_in_path(&self.paths, rule, path).unwrap_or_else(|| self.default_level(rule));
        level.max(self.trust_floor.level(rule, path).unwrap_or(Level::Off))
    }

    pub fn is_failure(&self, finding: &Finding) -> bool {
        let reaches = |from: Level| from.severity().is_some_and(|from| finding.severity >= from);
        let has_floor = self.trust_floor.level(finding.rule, finding.path()).is_some_and(|level| level != Level::Off);
        reaches(self.fail_on) || has_floor && reaches(self.trust_floor.fail_on)
    }

    /// Whether a rule is on for any file.
    pub fn is_on_anywhere(&self, rule: &Rule) -> bool {
        let paths = self.paths.iter().chain(&self.trust_floor.paths).map(|entry| &entry.levels);
        let mut levels = paths.chain([&self.trust_floor.levels]).filter_map(|levels| levels.get(rule.code));
        self.default_level(rule) != Level::Off || levels.any(|level| *level != Level::Off)
    }

    /// The token budget of a directive's prompt.
    pub fn most_tokens(&self, id: &str) -> usize {
        let own = self.budgets.iter().rev().find(|budget| budget.is_for(id));
        own.map_or(self.prompt_tokens, |budget| budget.most)
    }

    fn default_level(&self, rule: &Rule) -> Level {
        self.levels.get(rule.code).copied().unwrap_or(rule.level)
    }
}

fn level_in_path(paths: &[PathLevels], rule: &Rule, path: &str) -> Option<Level> {
    // The map is checked first, because matching patterns is slow.
    let levels = paths.iter().rev().filter_map(|entry| Some((entry, *entry.levels.get(rule.code)?)));
    levels.filter(|_| !path.is_empty()).find(|(entry, _)| entry.files.matches(path)).map(|(_, level)| level)
}

impl PromptBudget {
    fn is_pattern(&self) -> bool {
        self.directives.contains(['*', '?', '['])
    }

    fn is_for(&self, id: &str) -> bool {
        if self.is_pattern() { fnmatch::matches(id, &self.directives) } else { self.directives == id }
    }
}

#[derive(Debug, Clone, Copy)]
pub enum OptionField {
    /// A positive number.
    Count(fn(&mut LintOptions) -> &mut usize),
    /// A number from 1 to 100.
    Percent(fn(&mut LintOptions) -> &mut usize),
    Tokenizer(fn(&mut LintOptions) -> &mut Tokenizer),
}

/// A key of `lint.options`.
pub struct OptionRow {
    pub name: &'static str,
    pub field: OptionField,
}

/// A new option needs a field in [`LintOptions`], a default, a row here, and a row in `documented`,
/// from which the documents and the schema are generated.
pub const OPTIONS: [OptionRow; 7] = [
    OptionRow { name: "prompt_tokens", field: OptionField::Count(|options| &mut options.prompt_tokens) },
    OptionRow { name: "layer_share", field: OptionField::Percent(|options| &mut options.layer_share) },
    OptionRow { name: "layer_share_from", field: OptionField::Count(|options| &mut options.layer_share_from) },
    OptionRow { name: "volatile_from", field: OptionField::Count(|options| &mut options.volatile_from) },
    OptionRow { name: "context_tokens", field: OptionField::Count(|options| &mut options.context_tokens) },
    OptionRow { name: "context_chain_tokens", field: OptionField::Count(|options| &mut options.context_chain_tokens) },
    OptionRow { name: "tokenizer", field: OptionField::Tokenizer(|options| &mut options.tokenizer) },
];

#[cfg(test)]
pub mod documented {
    use super::*;
    use crate::text::words::words;

    /// An option as the documents and the schema of the settings describe it.
    pub struct Documented {
        pub name: &'static str,
        pub meaning: &'static str,
        /// The names of the rules that use it.
        pub rules: &'static [&'static str],
    }

    const fn row(name: &'static str, meaning: &'static str, rules: &'static [&'static str]) -> Documented {
        Documented { name, meaning, rules }
    }

    pub const DOCUMENTED: [Documented; 7] = [
        row("prompt_tokens", "the maximum number of tokens in a prompt", &["prompt_over_budget"]),
        row("layer_share", "the maximum share of a prompt, in percent, for one layer", &["layer_dominates"]),
        row(
            "layer_share_from",
            "`layer_share` applies to prompts with at least this many tokens",
            &["layer_dominates"],
        ),
        row(
            "volatile_from",
            "the maximum number of tokens after a value that changes from run to run",
            &["volatile_text"],
        ),
        row(
            "context_tokens",
            "the maximum number of tokens in one context file of a coding agent",
            &["context_over_budget"],
        ),
        row(
            "context_chain_tokens",
            "the maximum number of tokens in all context files of a folder together",
            &["context_over_budget"],
        ),
        row(
            "tokenizer",
            "how tokens are counted",
            &["prompt_over_budget", "layer_dominates", "volatile_text", "context_over_budget"],
        ),
    ];

    impl Documented {
        pub fn field(&self) -> OptionField {
            OPTIONS.iter().find(|row| row.name == self.name).expect("an option that is read").field
        }

        pub fn values(&self) -> String {
            match self.field() {
                OptionField::Count(_) => "a number".to_string(),
                OptionField::Percent(_) => "a number from 1 to 100".to_string(),
                OptionField::Tokenizer(_) => format!("`{}`", words::<Tokenizer>().join("`, `")),
            }
        }

        pub fn default(&self) -> String {
            let mut options = LintOptions::default();
            match self.field() {
                OptionField::Count(field) | OptionField::Percent(field) => field(&mut options).to_string(),
                OptionField::Tokenizer(field) => field(&mut options).to_string(),
            }
        }
    }

    #[test]
    fn every_option_is_documented() {
        assert_eq!(DOCUMENTED.map(|row| row.name), OPTIONS.map(|row| row.name));
    }
}
