//! The rules as their pages in `docs/rules/` describe them.

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::diagnostic::Severity;

/// A rule of `lint`. Its page in `docs/rules/` is the source of everything but the check.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Such as `RR104`; never reused.
    pub code: &'static str,
    /// Such as `suppress_base_name`; also the code of the diagnostic if a render reports the same problem.
    pub name: &'static str,
    pub group: Group,
    /// The default, which settings override.
    pub level: Level,
    /// The version that added it.
    pub since: &'static str,
    /// What it finds, as part of a sentence: "an `extends` that names an unreadable directive".
    pub message: &'static str,
    /// What to do about it, without a full stop.
    pub help: &'static str,
    /// Why it matters: paragraphs in which only code spans are Markdown.
    pub rationale: &'static str,
    pub bad: RuleExample,
    pub good: RuleExample,
    pub fix: FixKind,
}

/// The topics of rules, with the prefixes of their codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, EnumString, IntoStaticStr, VariantArray)]
#[strum(ascii_case_insensitive, const_into_str)]
pub enum Group {
    /// The structure of a file.
    #[strum(to_string = "structure", serialize = "RR0")]
    Structure,
    /// References to other items.
    #[strum(to_string = "references", serialize = "RR1")]
    References,
    /// Inputs and placeholders.
    #[strum(to_string = "inputs", serialize = "RR2")]
    Inputs,
    /// Hooks and their conditions.
    #[strum(to_string = "hooks", serialize = "RR3")]
    Hooks,
    /// Permissions and tools.
    #[strum(to_string = "tools", serialize = "RR4")]
    Tools,
    /// What a prompt costs.
    #[strum(to_string = "cost", serialize = "RR5")]
    Cost,
    /// Who wrote an item, and what is hidden in it. A baseline cannot list these findings.
    #[strum(to_string = "trust", serialize = "RR6")]
    Trust,
    /// What coding agents read in a folder.
    #[strum(to_string = "folders", serialize = "RR7")]
    Folders,
    /// The linter itself: allow comments and settings.
    #[strum(to_string = "lint", serialize = "RR9")]
    Lint,
}

/// Rules about any text in a prompt; they also apply to coding agents' working folders.
const OF_ANY_TEXT: [&str; 8] = [
    "invalid_utf8",
    "unreadable",
    "byte_order_mark",
    "hidden_character",
    "direction_character",
    "tag_character",
    "terminal_escape",
    "secret_in_text",
];

impl Rule {
    /// Whether the rule applies to coding agents' working folders if `folders` is set, otherwise to
    /// directives and the items that they use.
    pub fn applies_to(&self, folders: bool) -> bool {
        match self.group {
            Group::Lint => true,
            Group::Folders => folders,
            _ => !folders || OF_ANY_TEXT.contains(&self.name),
        }
    }
}

/// How serious a finding is, unless the rule is off.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Level {
    #[default]
    Off,
    /// Worth knowing.
    Note,
    /// Likely not what the author meant.
    Warning,
    /// The prompt cannot be rendered, or cannot be trusted.
    Error,
}

impl Level {
    pub fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Note => Some(Severity::Note),
            Self::Warning => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
        }
    }
}

/// Whether `--fix` fixes a rule's findings, worded as on the rule's page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(const_into_str)]
pub enum FixKind {
    #[strum(serialize = "no")]
    None,
    #[strum(serialize = "yes, without changing the prompt")]
    SamePrompt,
    #[strum(serialize = "yes, but it changes the prompt")]
    ChangesPrompt,
}

/// The files of an example as the page shows them.
#[derive(Debug, Clone, Copy)]
pub struct RuleExample {
    pub files: &'static [ExampleFile],
    /// Files of the bad example that the good one leaves unchanged.
    pub unchanged: &'static [&'static str],
    /// Files of the bad example that the good one lacks.
    pub removed: &'static [&'static str],
}

/// The name is `PATH`, `user PATH` or `system PATH` by tier. A link is named `PATH -> TARGET`,
/// and a file in Latin-1 is named `PATH (Latin-1)`.
#[derive(Debug)]
pub struct ExampleFile {
    pub name: &'static str,
    pub text: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/rules.rs"));

pub fn find(code_or_name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.code.eq_ignore_ascii_case(code_or_name) || rule.name == code_or_name)
}
