use std::path::PathBuf;

use clap::Args;

use super::values::words;
use super::{PromptFlags, without_short_help};
use crate::lock::Format;
use crate::tokens::Tokenizer;

const EXAMPLES: &str = "\
Examples:
  rye-render lock            write rye-render.lock
  rye-render lock --check    fail when a prompt is another one

A lock is the same on every machine: variables stand by their names, required
inputs as placeholders or as the `examples` of the settings, and the user tier
is left out unless --user-space names it.";

/// Flags that the short help leaves out.
const SELDOM: [&str; 8] =
    ["input", "input_json", "inputs", "env", "placeholders", "set_extends", "without_hook", "with_context"];

/// `lock`
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_args(|arg| without_short_help(arg, &SELDOM)))]
pub struct Lock {
    /// Compare with the file, and fail when a prompt is another one.
    #[arg(long, help_heading = "Lock")]
    pub check: bool,

    /// Choose the file; without it, rye-render.lock in the project's folder.
    #[arg(long, value_name = "FILE", help_heading = "Lock")]
    pub file: Option<PathBuf>,

    /// What decides the prompts.
    #[command(flatten)]
    pub prompt: PromptFlags,

    /// Write text or json, of --check.
    #[arg(long, value_name = "FORMAT", value_parser = words::<Format>(), hide_possible_values = true)]
    #[arg(requires = "check", help_heading = "Output")]
    pub format: Option<Format>,

    /// Choose how tokens are counted: chars4 (characters divided by four), o200k or cl100k.
    #[arg(long, value_name = "NAME", value_parser = words::<Tokenizer>())]
    #[arg(default_value = "chars4", hide_possible_values = true, help_heading = "Output", hide_short_help = true)]
    pub tokenizer: Tokenizer,
}
