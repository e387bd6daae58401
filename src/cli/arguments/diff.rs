use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::values::{percent, words};
use super::{SideFlags, without_short_help};
use crate::answer::diff::{CONTEXT, DiffFormat, DiffOptions, Pair};
use crate::decide::completes::Completes;
use crate::text::tokens::Tokenizer;

const EXAMPLES: &str = "\
Examples:
  rye-render diff deploy                            the working tree with HEAD
  rye-render diff v1.2:deploy main:deploy           two revisions
  rye-render diff HEAD:deploy :deploy               what is staged
  rye-render diff deploy deploy --left-input target=eu --right-input target=us
  rye-render diff deploy sent.json                  what was actually sent
  rye-render diff --all --rev main...               all prompts a branch changes
  rye-render diff --all --rev main... --format markdown --max-token-growth 5%
  rye-render diff --agent codex packages/a packages/b
  rye-render diff --all --agent codex,pi --max-lost 0   every folder of agents

A side is a directive, REV:DIRECTIVE, a directive file, or a file with a saved
prompt, a transcript or a request body. With --agent NAME it is a folder
(default: the working folder), REV:FOLDER, or such a file. Every flag of the
prompt also exists for one side, as --left-FLAG and --right-FLAG.";

const FEW_EXAMPLES: &str = "\
Examples:
  rye-render diff deploy                     the working tree with HEAD
  rye-render diff --all --rev main...        all prompts a branch changes

Flags of the prompt exist for one side, too: --left-FLAG, --right-FLAG.
`rye-render diff --help` lists every flag.";

const RARE_FLAGS: [&str; 9] =
    ["input_json", "inputs", "env", "placeholders", "project", "user_space", "system", "model", "protocol"];

#[derive(Debug, Args)]
#[command(override_usage = "rye-render diff [OPTIONS] <LEFT> [RIGHT]\n       rye-render diff [OPTIONS] --all")]
#[command(after_help = FEW_EXAMPLES, after_long_help = EXAMPLES)]
#[command(mut_args(|arg| without_short_help(arg, &RARE_FLAGS)))]
pub struct Diff {
    /// Left side: [REV:]DIRECTIVE, or a file.
    ///
    /// REV is a revision of the project's repository; :DIRECTIVE is the index. A file is a directive (.md), a saved
    /// prompt, a transcript or a request body. With --agent a side is [REV:]FOLDER, by default the working
    /// folder.
    #[arg(required_unless_present_any = ["all", "git_external", "protocol", "left_protocol", "agent", "left_agent"])]
    #[arg(conflicts_with = "all", add = Completes::Side)]
    pub left: Option<String>,

    /// Right side; without it, HEAD is compared with the working tree.
    #[arg(conflicts_with = "all", add = Completes::Side)]
    pub right: Option<String>,

    /// Compare the prompts of all directives, or of agents in all folders.
    #[arg(long, help_heading = "Sides")]
    pub all: bool,

    /// Compare revisions: A..B, A...B (from the merge base), or A.
    ///
    /// A alone is compared with the working tree. An empty name is HEAD. The index is `:`, as in HEAD..: for staged
    /// changes.
    #[arg(long, value_name = "A..B", allow_hyphen_values = true, help_heading = "Sides")]
    pub rev: Option<String>,

    /// Compare two files as git's external diff.
    ///
    /// Set diff.NAME.command to `rye-render diff --git-external`.
    #[arg(long, value_name = "ARG", num_args = 1..=9, allow_hyphen_values = true, help_heading = "Sides")]
    #[arg(conflicts_with_all = ["all", "left", "rev"], hide_short_help = true)]
    pub git_external: Vec<OsString>,

    /// Compare both files as versions of FILE, for git's difftool.
    #[arg(long, value_name = "FILE", requires = "right", conflicts_with = "rev", help_heading = "Sides")]
    #[arg(hide_short_help = true)]
    pub stands_for: Option<PathBuf>,

    #[command(flatten)]
    pub sides: Pair<SideFlags>,

    /// Ignore changes in the amount of white space.
    #[arg(long, help_heading = "Comparison")]
    pub ignore_space_change: bool,

    /// Ignore blank lines.
    #[arg(long, help_heading = "Comparison")]
    pub ignore_blank_lines: bool,

    /// Set the smallest prefix that a provider caches, in tokens.
    #[arg(long, value_name = "N", default_value_t = DiffOptions::default().cache_min, help_heading = "Comparison", hide_short_help = true)]
    pub cache_min: usize,

    /// Fail only if a prompt grows by more than N%.
    ///
    /// The growth is in tokens. A new prompt always passes.
    #[arg(long, value_name = "N%", value_parser = percent, help_heading = "Comparison")]
    pub max_token_growth: Option<f64>,

    /// Fail only if an agent no longer sends more than N lines of a file.
    #[arg(long, value_name = "N", requires = "all", help_heading = "Comparison", hide_short_help = true)]
    pub max_lost: Option<usize>,

    /// Exit 0 even if prompts differ.
    #[arg(long, help_heading = "Comparison")]
    pub exit_zero: bool,

    /// Write text, stat, name-only, json, markdown, patch or html.
    ///
    /// text is for people; stat is one line per layer; name-only lists what differs; json has everything; markdown is
    /// for a pull request; patch is a unified diff of the plain messages; html is a standalone page.
    #[arg(long, value_name = "FORMAT", value_parser = words::<DiffFormat>(), hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: Option<DiffFormat>,

    /// Show N lines of context.
    #[arg(short = 'U', long, value_name = "N", default_value_t = CONTEXT, help_heading = "Output")]
    pub unified: usize,

    /// Show both sides in columns, if the width allows it.
    #[arg(long, conflicts_with = "word_diff", help_heading = "Output")]
    pub side_by_side: bool,

    /// Show changed words within their line: [-old-]{+new+}.
    ///
    /// A marked line begins with ~. If the text itself contains such marks, the old and the new line are shown without
    /// added marks.
    #[arg(long, help_heading = "Output")]
    pub word_diff: bool,

    /// Write to FILE atomically.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Count tokens by chars4 (characters / 4), o200k or cl100k.
    #[arg(long, value_name = "NAME", value_parser = words::<Tokenizer>())]
    #[arg(default_value = "chars4", hide_possible_values = true, help_heading = "Output", hide_short_help = true)]
    pub tokenizer: Tokenizer,
}
