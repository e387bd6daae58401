use std::path::PathBuf;

use clap::Args;

use super::values::words;
use crate::answer::agents::AgentsFormat;
use crate::text::tokens::Tokenizer;

const EXAMPLES: &str = "\
Examples:
  rye-render agents                                 in this folder
  rye-render agents services/api
  rye-render agents --format markdown               for a pull request
  rye-render explain --agent codex services/api     one agent, and why";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AgentsArguments {
    /// Folder in which the agents would be started [default: the working folder].
    #[arg(value_name = "FOLDER")]
    pub folder: Option<PathBuf>,

    /// Write text, json, jsonl, markdown or html.
    ///
    /// text is for people; json is one object; jsonl is one object per agent.
    #[arg(long, value_name = "FORMAT", value_parser = words::<AgentsFormat>(), hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: Option<AgentsFormat>,

    /// Write to FILE atomically.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Count tokens by chars4 (characters / 4), o200k or cl100k.
    #[arg(long, value_name = "NAME", value_parser = words::<Tokenizer>())]
    #[arg(default_value = "chars4", hide_possible_values = true, help_heading = "Output", hide_short_help = true)]
    pub tokenizer: Tokenizer,
}
