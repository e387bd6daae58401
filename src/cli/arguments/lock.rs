use std::path::PathBuf;

use clap::Args;

use super::values::words;
use super::{PromptFlags, without_short_help};
use crate::answer::lock::LockFormat;
use crate::decide::completes::Completes;
use crate::text::tokens::Tokenizer;

const EXAMPLES: &str = "\
Examples:
  rye-render lock            write rye-render.lock
  rye-render lock --check    fail when a prompt has changed

A lock is the same on every machine: it holds the names of variables, `examples`
from the settings or placeholders for required inputs, and nothing from the user
tier unless --user-space names it.";

const RARE_FLAGS: [&str; 8] =
    ["input", "input_json", "inputs", "env", "placeholders", "set_extends", "without_hook", "with_context"];

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_args(|arg| without_short_help(arg, &RARE_FLAGS)))]
pub struct LockArguments {
    /// Compare with the lock, and fail if a prompt has changed.
    #[arg(long, help_heading = "Lock")]
    pub check: bool,

    /// Lock the prompts of coding agents (NAME or NAME@VERSION).
    ///
    /// Every folder with instructions has a prompt for each of them. In a project without directives, the default is the
    /// agents of the settings, else all.
    #[arg(long, value_name = "A,B", conflicts_with = "protocol", help_heading = "Lock", add = Completes::Agent)]
    pub agent: Option<String>,

    /// Set the lock file [default: rye-render.lock in the project].
    #[arg(long, value_name = "FILE", help_heading = "Lock")]
    pub file: Option<PathBuf>,

    #[command(flatten)]
    pub prompt: PromptFlags,

    /// Write the result of --check as text or json.
    #[arg(long, value_name = "FORMAT", value_parser = words::<LockFormat>(), hide_possible_values = true)]
    #[arg(requires = "check", help_heading = "Output")]
    pub format: Option<LockFormat>,

    /// Count tokens by chars4 (characters / 4), o200k or cl100k.
    #[arg(long, value_name = "NAME", value_parser = words::<Tokenizer>())]
    #[arg(default_value = "chars4", hide_possible_values = true, help_heading = "Output", hide_short_help = true)]
    pub tokenizer: Tokenizer,
}
