use std::path::PathBuf;
use strum::IntoStaticStr;

use clap::{Args, ValueEnum, ValueHint};

use super::values::words;
use super::{FolderFlags, PromptFlags, Role, TrustFlags, without_short_help};
use crate::complete::Completes;
use crate::explain::Format;
use crate::tokens::Tokenizer;

const EXAMPLES: &str = "\
Examples:
  rye-render explain deploy                        the plan, with what was left out
  rye-render explain deploy --blame                the origin of every line
  rye-render explain deploy --grep Friday          of some lines
  rye-render explain deploy --from .ai/knowledge/rules.md:7
  rye-render explain deploy --why rye/agent/core/Behavior
  rye-render explain deploy --show hooks
  rye-render explain deploy --without-hook ctx_environment
  rye-render explain deploy --watch                again at every change
  rye-render explain deploy --format html -o prompt.html";

const FEW_EXAMPLES: &str = "\
Examples:
  rye-render explain deploy
  rye-render explain deploy --why rye/agent/core/Behavior

`rye-render explain --help` lists every flag.";

/// `explain <DIRECTIVE>`
#[derive(Debug, Args)]
#[command(after_help = FEW_EXAMPLES, after_long_help = EXAMPLES)]
#[command(mut_args(|arg| without_short_help(arg, &["input_json", "inputs", "env", "context_window"])))]
pub struct Explain {
    /// The directive: an id, or a file.
    ///
    /// In a folder in which agents work (--protocol sf, or no .ai/ but an AGENTS.md) it is what the user asks, and may be
    /// left out.
    #[arg(add = Completes::Directive)]
    pub directive: Option<String>,

    /// Print the messages, each line with its origin.
    #[arg(long, group = "question", help_heading = "Question")]
    pub blame: bool,

    /// Of these lines only: N, N-M, system:N or user:N-M.
    ///
    /// Without a role, of every message. It can be given several times.
    #[arg(long, value_name = "LINES", conflicts_with_all = ["from", "why", "show", "sent"], help_heading = "Question")]
    pub line: Vec<String>,

    /// Of lines that match only.
    #[arg(long, value_name = "REGEX", conflicts_with_all = ["from", "why", "show", "sent"], help_heading = "Question")]
    pub grep: Option<String>,

    /// Say where a line lands in the messages, or why not.
    ///
    /// Without a line: where those of the whole file land.
    #[arg(long, value_name = "FILE[:LINE]", group = "question", help_heading = "Question")]
    #[arg(value_hint = ValueHint::FilePath)]
    pub from: Option<String>,

    /// Say how an item or a hook got in, or why it did not.
    ///
    /// It is the id of a knowledge item, a tool, a directive or a hook.
    #[arg(long, value_name = "ITEM", group = "question", help_heading = "Question", add = Completes::Item)]
    pub why: Option<String>,

    /// Show inputs, hooks or capabilities.
    ///
    /// inputs: each with its value and where it landed; hooks: each with what its condition saw; capabilities: what the
    /// directive may reach.
    #[arg(long, value_name = "WHAT", group = "question", hide_possible_values = true, help_heading = "Question")]
    pub show: Option<Show>,

    /// Say where what was sent departs from the prompt.
    ///
    /// The file holds a saved transcript, or the body of a request.
    #[arg(long, value_name = "FILE", group = "question", help_heading = "Question")]
    pub sent: Option<PathBuf>,

    /// Show how full a context window of N tokens gets.
    #[arg(long, value_name = "N", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..), help_heading = "Question")]
    pub context_window: Option<usize>,

    /// What decides the prompt.
    #[command(flatten)]
    pub prompt: PromptFlags,

    /// What decides the prompt of a folder.
    #[command(flatten)]
    pub folder: FolderFlags,

    /// Who must have signed it.
    #[command(flatten)]
    pub trust: TrustFlags,

    /// Write text, json, events, markdown or html.
    ///
    /// text is for people; json is the whole prompt with every reason; events is the transcript, an object a line;
    /// markdown is for a pull request; html is a page on its own.
    #[arg(long, value_name = "FORMAT", value_parser = words::<Format>(), hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: Option<Format>,

    /// Show the system or the user message alone (with --blame).
    #[arg(long, value_name = "ROLE", hide_possible_values = true, help_heading = "Output", hide_short_help = true)]
    pub role: Option<Role>,

    /// Write to a file, the whole of it or nothing.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Answer again whenever a file changes that counts.
    ///
    /// The screen of a terminal is cleared each time; into a pipe, one result follows another. What counts are the files
    /// that were read, and those that were looked for and not found. Ctrl-C ends it.
    #[arg(long, help_heading = "Output")]
    pub watch: bool,

    /// Choose how tokens are counted: chars4 (characters divided by four), o200k or cl100k.
    #[arg(long, value_name = "NAME", value_parser = words::<Tokenizer>())]
    #[arg(default_value = "chars4", hide_possible_values = true, help_heading = "Output", hide_short_help = true)]
    pub tokenizer: Tokenizer,
}

/// `--show`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Show {
    /// Each input, where its value came from and where it landed.
    Inputs,
    /// Every hook with the values that its condition saw.
    Hooks,
    /// What the directive may reach.
    Capabilities,
}
