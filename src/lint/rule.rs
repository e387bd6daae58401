use crate::diagnostic::Severity;
use crate::item::{Directive, Hook, Knowledge};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::allow::Allowance;
use super::finding::Findings;
use super::folders::Folders;
use super::project::{Composed, File, Project};

/// A rule: what is found, why it matters, and how. Everything about it stands in one file, from which
/// `lint --explain` and its page in `docs/rules/` are made.
#[derive(Debug)]
pub struct Rule {
    /// `RR104`: never given to another rule.
    pub code: &'static str,
    /// `suppress_base_name`: the same word as the code of the diagnostic, where a render finds it too.
    pub name: &'static str,
    /// What it is about.
    pub group: Group,
    /// How bad it is, unless the settings say otherwise.
    pub level: Level,
    /// Since when it is there.
    pub status: Status,
    /// What it finds, as the half of a sentence: `a suppression that names only a last segment`.
    pub message: &'static str,
    /// What to do about it.
    pub help: &'static str,
    /// Why it matters: paragraphs of Markdown, of the product's own words, with the section of the documents.
    pub rationale: &'static str,
    /// Files in which it is found.
    pub bad: Example,
    /// The same files, put right.
    pub good: Example,
    /// Whether it can be put right by `--fix`.
    pub fix: FixKind,
    /// How it is found.
    pub check: Check,
    /// Files in which it is found by way of a chain or a hook.
    #[cfg(test)]
    pub composed: Example,
    /// Files that are almost as bad, and in which it is not found.
    #[cfg(test)]
    pub near_miss: Example,
}

/// What rules are about; the hundreds of their codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Group {
    /// `RR0…`: the form of a file.
    Structure,
    /// `RR1…`: what names something else.
    References,
    /// `RR2…`: inputs and placeholders.
    Inputs,
    /// `RR3…`: hooks and their conditions.
    Hooks,
    /// `RR4…`: permissions and tools.
    Tools,
    /// `RR5…`: what a prompt costs.
    Cost,
    /// `RR6…`: who wrote it, and what is hidden in it. Such findings cannot be put into a baseline.
    Trust,
    /// `RR7…`: what agents read in a folder.
    Folders,
    /// `RR9…`: the linter's own: allowances, the baseline.
    Lint,
}

impl Group {
    /// What the codes of its rules begin with.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Structure => "RR0",
            Self::References => "RR1",
            Self::Inputs => "RR2",
            Self::Hooks => "RR3",
            Self::Tools => "RR4",
            Self::Cost => "RR5",
            Self::Trust => "RR6",
            Self::Folders => "RR7",
            Self::Lint => "RR9",
        }
    }
}

/// The rules that are about any text which a prompt may hold, so that they are asked of the files of agents as well.
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
    /// Whether it is asked of the folders of agents, or else of directives and what they need.
    pub fn is_asked_of(&self, folders: bool) -> bool {
        match self.group {
            Group::Lint => true,
            Group::Folders => folders,
            _ => !folders || OF_ANY_TEXT.contains(&self.name),
        }
    }
}

/// Whether and how loudly a rule speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Level {
    /// Not at all.
    Off,
    /// Worth knowing.
    Note,
    /// Likely not what the author meant.
    Warning,
    /// The prompt cannot be made, or is not to be trusted.
    Error,
}

impl Level {
    /// The severity of what a rule of that level finds; none if it is off.
    pub fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Note => Some(Severity::Note),
            Self::Warning => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
        }
    }
}

/// How settled a rule is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Its code and what it finds stay.
    Stable {
        /// The version that brought it.
        since: &'static str,
    },
}

/// What `--fix` does about a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FixKind {
    /// Nothing: a person has to decide.
    None,
    /// It puts it right, and the rendered prompt stays the same.
    SamePrompt,
    /// It puts it right, which changes the rendered prompt.
    ChangesPrompt,
}

/// Files of an example. A line `=== PATH` begins a file; `=== user:PATH` and `=== system:PATH` put it into another tier,
/// and `=== PATH -> TARGET` is a link, without further lines.
#[derive(Debug, Clone, Copy)]
pub struct Example(pub &'static str);

impl Example {
    /// What stands at the beginning where the embedded bundle does not belong to the example.
    pub const ALONE: &str = "=== no other tier\n";
}

/// How a rule finds what it finds. A check is asked about files of the project alone; what it finds elsewhere is not
/// reported.
#[derive(Debug, Clone, Copy)]
pub enum Check {
    /// It is found where items are read and prompts are put together: the diagnostics whose code is the rule's name.
    Diagnosed,
    /// In any file that is text.
    File(fn(&File, &Project<'_>, &mut Findings<'_>)),
    /// In a directive on its own.
    Directive(fn(&File, &Directive, &Project<'_>, &mut Findings<'_>)),
    /// In a knowledge item on its own.
    Knowledge(fn(&File, &Knowledge, &Project<'_>, &mut Findings<'_>)),
    /// In a hook, of the configuration or of a directive. The file is that of the directive.
    Hook(fn(&Hook, Option<&File>, &Project<'_>, &mut Findings<'_>)),
    /// In what the prompt of a directive is made of.
    Composed(fn(&Composed<'_>, &Project<'_>, &mut Findings<'_>)),
    /// In everything at once.
    Project(fn(&Project<'_>, &mut Findings<'_>)),
    /// In what applies to the folders of agents.
    Folders(fn(&Folders, &Project<'_>, &mut Findings<'_>)),
    /// In the allowances, once it is known which of them were needed.
    Allowances(fn(&[Allowance], &Project<'_>, &mut Findings<'_>)),
}
