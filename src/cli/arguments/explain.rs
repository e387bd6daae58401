use std::path::PathBuf;
use strum::IntoStaticStr;

use clap::{Args, ValueEnum, ValueHint};

use super::values::{role, words};
use super::{FolderFlags, PromptFlags, TrustFlags, without_short_help};
use crate::answer::explain::ExplainFormat;
use crate::decide::completes::Completes;
use crate::prompt::Role;
use crate::text::tokens::Tokenizer;

const EXAMPLES: &str = "\
Examples:
  rye-render explain deploy                        the plan and what is left out
  rye-render explain deploy --blame                the origin of every line
  rye-render explain deploy --grep Friday          the origin of some lines
  rye-render explain deploy --from .ai/knowledge/rules.md:7
  rye-render explain deploy --why rye/agent/core/Behavior
  rye-render explain deploy --show hooks
  rye-render explain deploy --without-hook ctx_environment
  rye-render explain deploy --watch                again after each change
  rye-render explain deploy --format html -o prompt.html";

const FEW_EXAMPLES: &str = "\
Examples:
  rye-render explain deploy
  rye-render explain deploy --why rye/agent/core/Behavior

`rye-render explain --help` lists every flag.";

#[derive(Debug, Args)]
#[command(after_help = FEW_EXAMPLES, after_long_help = EXAMPLES)]
#[command(mut_args(|arg| without_short_help(arg, &["input_json", "inputs", "env", "context_window"])))]
pub struct Explain {
    /// Directive: an id, or a file.
    ///
    /// In a coding agent's working folder (--protocol sf, or an AGENTS.md but no .ai/) it is the user prompt, which is
    /// optional.
    #[arg(add = Completes::Directive)]
    pub directive: Option<String>,

    /// Print the messages with the origin of every line.
    #[arg(long, group = "question", help_heading = "Question")]
    pub blame: bool,

    /// Print only these lines: N, N-M, system:N, user:N-M.
    ///
    /// Without a role, prints these lines of every message. The flag can be repeated.
    #[arg(long, value_name = "LINES", conflicts_with_all = ["from", "why", "show", "sent"], help_heading = "Question")]
    pub line: Vec<String>,

    /// Print only lines that match.
    #[arg(long, value_name = "REGEX", conflicts_with_all = ["from", "why", "show", "sent"], help_heading = "Question")]
    pub grep: Option<String>,

    /// Show where a line ends up in the messages.
    ///
    /// Without a line, shows every line of the file, and why a line is left out.
    #[arg(long, value_name = "FILE[:LINE]", group = "question", help_heading = "Question")]
    #[arg(value_hint = ValueHint::FilePath)]
    pub from: Option<String>,

    /// Explain an item, a hook or a setting.
    ///
    /// Shows why it is in the prompt or not. ITEM is the id of a knowledge item, a tool, a directive or a hook, or the
    /// name of a setting, such as limits.spend: then shows what sets it, and what that overrides.
    #[arg(long, value_name = "ITEM", group = "question", help_heading = "Question", add = Completes::Item)]
    pub why: Option<String>,

    /// Show inputs, settings, hooks or capabilities.
    ///
    /// inputs: each with its value and its places in the prompt; settings: each that the prompt depends on, with its
    /// value, what sets it, and what that overrides; hooks: each with the values of its condition; capabilities: the
    /// tools that the directive may use.
    #[arg(long, value_name = "WHAT", group = "question", hide_possible_values = true, help_heading = "Question")]
    pub show: Option<Show>,

    /// Show where a sent prompt differs from this one.
    ///
    /// FILE is a saved transcript or a request body.
    #[arg(long, value_name = "FILE", group = "question", help_heading = "Question")]
    pub sent: Option<PathBuf>,

    /// Show only what the repository decides (with --agent).
    ///
    /// Answers what somebody else's repository would tell the agent of a user who trusts its folder. Files outside of
    /// the repository, settings of the user, variables of the environment and the installed release do not count. What a
    /// reader of the repository does not see comes first: comments, characters that cannot be seen, text far to the
    /// right, links that lead out.
    #[arg(long, requires = "agent", conflicts_with_all = ["agent_dir", "base", "agent_arguments", "sent"])]
    #[arg(help_heading = "Question")]
    pub repository_only: bool,

    /// Show how much of N tokens the prompt fills.
    #[arg(long, value_name = "N", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..), help_heading = "Question")]
    pub context_window: Option<usize>,

    #[command(flatten)]
    pub prompt: PromptFlags,

    #[command(flatten)]
    pub folder: FolderFlags,

    #[command(flatten)]
    pub trust: TrustFlags,

    /// Write text, json, events, markdown or html.
    ///
    /// text is for people; json is the whole prompt with every reason; events is the transcript, one object per line;
    /// markdown is for a pull request; html is a standalone page.
    #[arg(long, value_name = "FORMAT", value_parser = words::<ExplainFormat>(), hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: Option<ExplainFormat>,

    /// Show only system, developer or user messages (with --blame).
    #[arg(long, value_name = "ROLE", value_parser = role(), hide_possible_values = true)]
    #[arg(help_heading = "Output", hide_short_help = true)]
    pub role: Option<Role>,

    /// Write to FILE atomically.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Explain again whenever a relevant file changes.
    ///
    /// Watches the files that were read, and those that were not found. A terminal is cleared each time; in a pipe, one
    /// result follows another. Press Ctrl-C to stop.
    #[arg(long, help_heading = "Output")]
    pub watch: bool,

    /// Count tokens by chars4 (characters / 4), o200k or cl100k.
    #[arg(long, value_name = "NAME", value_parser = words::<Tokenizer>())]
    #[arg(default_value = "chars4", hide_possible_values = true, help_heading = "Output", hide_short_help = true)]
    pub tokenizer: Tokenizer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Show {
    Inputs,
    Settings,
    Hooks,
    Capabilities,
}
