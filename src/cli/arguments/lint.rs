use std::path::PathBuf;

use clap::Args;

use super::values::words;
use super::{TierFlags, without_short_help};
use crate::complete::Completes;
use crate::lint::{Level, view::Format};

const EXAMPLES: &str = "\
Examples:
  rye-render lint                              the whole project
  rye-render lint .ai/knowledge/deploy.md      what a changed file can affect
  rye-render lint --fix --diff                 what --fix would change
  rye-render lint --protocol sf                the AGENTS.md files and skills of a folder
  rye-render lint --watch                      again whenever a file changes
  rye-render lint --explain RR105              what a rule finds, and why
  rye-render lint --format sarif -o lint.sarif";

const FEW_EXAMPLES: &str = "\
Examples:
  rye-render lint                        the whole project
  rye-render lint --fix                  put right what can be
  rye-render lint --explain RR105        what a rule finds, and why

`rye-render lint --help` lists every flag.";

/// Flags that the short help leaves out.
const SELDOM: [&str; 4] = ["project", "user_space", "system", "protocol"];

/// `lint [PATH]…`
#[derive(Debug, Args)]
#[command(after_help = FEW_EXAMPLES, after_long_help = EXAMPLES)]
#[command(mut_args(|arg| without_short_help(arg, &SELDOM)))]
pub struct Lint {
    /// Check these files and folders, and every prompt that they can affect; the project without them.
    pub paths: Vec<PathBuf>,

    /// Leave out files that match a pattern, as .gitignore has them (repeatable).
    #[arg(long, value_name = "PATTERN", help_heading = "Files")]
    pub exclude: Vec<String>,

    /// Leave them out even where they are named.
    #[arg(long, help_heading = "Files", hide_short_help = true)]
    pub force_exclude: bool,

    /// Check standard input as the text of this file.
    #[arg(long, value_name = "PATH", help_heading = "Files", conflicts_with = "add_allow")]
    pub stdin_filename: Option<PathBuf>,

    /// List the files that are checked.
    #[arg(long, help_heading = "Files", hide_short_help = true)]
    #[arg(conflicts_with_all = ["fix", "add_allow", "diff", "update_baseline", "statistics", "show_settings", "explain"])]
    pub show_files: bool,

    /// Ask these rules alone: a code, the beginning of one, a name, or a group.
    #[arg(long, value_name = "RULES", value_delimiter = ',', help_heading = "Rules", add = Completes::Rule)]
    pub select: Vec<String>,

    /// Do not ask these rules.
    #[arg(long, value_name = "RULES", value_delimiter = ',', help_heading = "Rules", add = Completes::Rule)]
    pub ignore: Vec<String>,

    /// Return 1 from this level on: note, warning or error; off never does.
    #[arg(long, value_name = "LEVEL", value_parser = words::<Level>(), hide_possible_values = true)]
    #[arg(help_heading = "Rules")]
    pub fail_on: Option<Level>,

    /// Say what a rule finds, why it matters, and how to put it right; all for ALL, a list for a group.
    #[arg(long, value_name = "RULE", help_heading = "Rules", conflicts_with_all = ["format", "statistics", "paths"])]
    #[arg(add = Completes::Rule)]
    pub explain: Option<String>,

    /// Show the settings that count, and where each comes from.
    #[arg(long, help_heading = "Rules", hide_short_help = true)]
    #[arg(conflicts_with_all = ["fix", "add_allow", "diff", "update_baseline", "statistics", "explain"])]
    pub show_settings: bool,

    /// Pass over what this file lists: findings that were there when it was written.
    #[arg(long, value_name = "FILE", help_heading = "Rules")]
    pub baseline: Option<PathBuf>,

    /// Write what is found into the baseline.
    #[arg(long, requires = "baseline", conflicts_with = "diff", help_heading = "Rules", hide_short_help = true)]
    pub update_baseline: bool,

    /// Write an allowance beside each finding, where one may stand.
    #[arg(long, value_name = "REASON", help_heading = "Rules", hide_short_help = true)]
    pub add_allow: Option<String>,

    /// Put right what can be put right without changing what is meant.
    #[arg(long, help_heading = "Fixes")]
    pub fix: bool,

    /// Put right more: in signed items too, whose signature then no longer holds.
    #[arg(long, help_heading = "Fixes")]
    pub unsafe_fixes: bool,

    /// Show what would be changed, as a patch, and change nothing.
    #[arg(long, help_heading = "Fixes")]
    pub diff: bool,

    /// Choose the assembly rules: rye-1, rye-2, rye-3, sf for what agents read in a folder, or your own.
    #[arg(long, value_name = "NAME", help_heading = "Directive", add = Completes::Protocol)]
    pub protocol: Option<String>,

    /// Read a protocol's definition from a file (repeatable).
    #[arg(long, value_name = "FILE", help_heading = "Directive", hide_short_help = true)]
    pub protocol_file: Vec<PathBuf>,

    /// The tiers.
    #[command(flatten)]
    pub tiers: TierFlags,

    /// Write text, concise, json, jsonl, sarif, github, gitlab, junit or rdjson.
    #[arg(long, value_name = "FORMAT", value_parser = words::<Format>(), hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: Option<Format>,

    /// Count findings by rule.
    #[arg(long, help_heading = "Output")]
    pub statistics: bool,

    /// Check again whenever a file changes.
    ///
    /// The screen of a terminal is cleared each time; into a pipe, one result follows another. What counts are the files
    /// that were read, and those that were looked for and not found. Ctrl-C ends it.
    #[arg(long, help_heading = "Output")]
    #[arg(conflicts_with_all = ["fix", "unsafe_fixes", "add_allow", "update_baseline", "stdin_filename", "explain"])]
    pub watch: bool,

    /// Write to a file, the whole of it or nothing.
    #[arg(short, long, visible_alias = "output-file", value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
}
