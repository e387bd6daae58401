use std::ffi::OsStr;
use std::fmt;
use std::path::PathBuf;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Args, Command};

use super::values;
use super::{FolderFlags, TierFlags};
use crate::answer::list::{ListFormat, ListKind};
use crate::decide::completes::Completes;
use crate::text::tokens::Tokenizer;
use crate::text::words;

const EXAMPLES: &str = "\
Examples:
  rye-render list                       every directive, knowledge item and tool
  rye-render list knowledge             the items of one kind
  rye-render list --format names directive | fzf
  rye-render list --protocol sf         what an agent reads in this folder";

/// A kind of entry, or the path of a folder. `./context` is a folder with the name of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListWord {
    Kind(ListKind),
    Folder(String),
}

impl fmt::Display for ListWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(kind) => f.write_str(kind.into_str()),
            Self::Folder(folder) => f.write_str(folder),
        }
    }
}

/// Suggests kinds, and takes any other word for a path.
#[derive(Clone)]
struct ListWordParser;

impl TypedValueParser for ListWordParser {
    type Value = ListWord;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, typed: &OsStr) -> Result<ListWord, clap::Error> {
        let typed = StringValueParser::new().parse_ref(command, arg, typed)?;
        Ok(typed.parse().map_or(ListWord::Folder(typed), ListWord::Kind))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(words::words::<ListKind>().into_iter().map(PossibleValue::new)))
    }
}

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ListArguments {
    /// Kinds to show: directive, knowledge, tool; in a folder base, append, context, skill. Or the folder.
    #[arg(value_name = "KIND|FOLDER", value_parser = ListWordParser, hide_possible_values = true)]
    pub words: Vec<ListWord>,

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

    /// Write text, json, jsonl or names.
    ///
    /// text is for people; json is one object; jsonl is one object per entry; names lists the names in use, one per line.
    #[arg(long, value_name = "FORMAT", value_parser = values::words::<ListFormat>(), hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: Option<ListFormat>,

    /// Write to FILE atomically.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Count tokens by chars4 (characters / 4), o200k or cl100k.
    #[arg(long, value_name = "NAME", value_parser = values::words::<Tokenizer>())]
    #[arg(default_value = "chars4", hide_possible_values = true, help_heading = "Output", hide_short_help = true)]
    pub tokenizer: Tokenizer,
}
