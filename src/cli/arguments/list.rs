use std::path::PathBuf;

use clap::Args;

use super::values::words;
use super::{FolderFlags, TierFlags};
use crate::answer::list::{ListFormat, ListKind};
use crate::decide::completes::Completes;
use crate::text::tokens::Tokenizer;

const EXAMPLES: &str = "\
Examples:
  rye-render list                       every directive, knowledge item and tool
  rye-render list knowledge             the items of one kind
  rye-render list --format names directive | fzf
  rye-render list --protocol sf         what an agent reads in this folder";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ListArguments {
    /// Kinds to show: directive, knowledge, tool; in a folder base, append, context, skill.
    #[arg(value_name = "KIND", value_parser = words::<ListKind>(), hide_possible_values = true)]
    pub kinds: Vec<ListKind>,

    /// Use a protocol: rye-1 to rye-4, sf or your own.
    #[arg(long, value_name = "NAME", help_heading = "Prompt", add = Completes::Protocol)]
    pub protocol: Option<String>,

    /// Read a protocol definition from a file (repeatable).
    #[arg(long, value_name = "FILE", help_heading = "Prompt", hide_short_help = true)]
    pub protocol_file: Vec<PathBuf>,

    #[command(flatten)]
    pub folder: FolderFlags,

    #[command(flatten)]
    pub tiers: TierFlags,

    /// Write text, json or names.
    ///
    /// text is for people; json is one object; names lists the names in use, one per line.
    #[arg(long, value_name = "FORMAT", value_parser = words::<ListFormat>(), hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: Option<ListFormat>,

    /// Write to FILE atomically.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Count tokens by chars4 (characters / 4), o200k or cl100k.
    #[arg(long, value_name = "NAME", value_parser = words::<Tokenizer>())]
    #[arg(default_value = "chars4", hide_possible_values = true, help_heading = "Output", hide_short_help = true)]
    pub tokenizer: Tokenizer,
}
