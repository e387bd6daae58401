use std::ffi::OsString;

use clap::Args;

use super::values::words;
use crate::answer::recordings::RecordingsFormat;
use crate::decide::completes::Completes;

const EXAMPLES: &str = "\
Examples:
  rye-render record claude-code -- claude -p hello
  rye-render record opencode -- opencode run hello
  rye-render record codex                     prints how to start codex
  rye-render record --list
  rye-render record --forget claude-code";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RecordArguments {
    /// Agent that sends the request: claude-code, codex, opencode or pi.
    ///
    /// NAME@VERSION expects that release.
    #[arg(value_name = "AGENT", required_unless_present = "list", add = Completes::Agent)]
    pub agent: Option<String>,

    /// Command that starts the agent in this folder.
    ///
    /// It must send a prompt without asking for one, as `claude -p hello` does. Its output is on standard error. Without
    /// a command, prints how to start the agent, and waits for its request.
    #[arg(last = true, value_name = "COMMAND", conflicts_with_all = ["list", "forget"])]
    pub command: Vec<OsString>,

    /// List what was recorded.
    #[arg(long, conflicts_with = "forget", help_heading = "Recordings")]
    pub list: bool,

    /// Remove what was recorded of the agent, or of NAME@VERSION.
    #[arg(long, help_heading = "Recordings")]
    pub forget: bool,

    /// Write text or json (with --list).
    #[arg(long, value_name = "FORMAT", value_parser = words::<RecordingsFormat>(), hide_possible_values = true)]
    #[arg(requires = "list", help_heading = "Output")]
    pub format: Option<RecordingsFormat>,
}
