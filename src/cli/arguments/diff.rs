use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::values::{percent, words};
use super::{SideFlags, without_short_help};
use crate::complete::Completes;
use crate::diff::Format;
use crate::tokens::Tokenizer;

const EXAMPLES: &str = "\
Examples:
  rye-render diff deploy                            the working tree with HEAD
  rye-render diff v1.2:deploy main:deploy           two revisions
  rye-render diff HEAD:deploy :deploy               what is staged
  rye-render diff deploy deploy --left-input target=eu --right-input target=us
  rye-render diff deploy sent.json                  what was really sent
  rye-render diff --all --rev main...               every prompt that a branch changes
  rye-render diff --all --rev main... --format markdown --max-token-growth 5%
  rye-render diff --protocol sf packages/a packages/b

A side is a directive, REV:DIRECTIVE, a directive file, or a file with a saved
prompt, a transcript or a request body. With --protocol sf it is a folder,
REV:FOLDER, or such a file; without one it is the working folder. Every flag of
the prompt also exists for one side alone, as --left-FLAG and --right-FLAG.";

const FEW_EXAMPLES: &str = "\
Examples:
  rye-render diff deploy                     the working tree with HEAD
  rye-render diff --all --rev main...        every prompt that a branch changes

Flags of the prompt exist for one side alone: --left-FLAG, --right-FLAG.
`rye-render diff --help` lists every flag.";

/// Flags that the short help leaves out.
const SELDOM: [&str; 9] =
    ["input_json", "inputs", "env", "placeholders", "project", "user_space", "system", "model", "protocol"];

/// `diff LEFT [RIGHT]`, `diff --all`
#[derive(Debug, Args)]
#[command(override_usage = "rye-render diff [OPTIONS] <LEFT> [RIGHT]\n       rye-render diff [OPTIONS] --all")]
#[command(after_help = FEW_EXAMPLES, after_long_help = EXAMPLES)]
#[command(mut_args(|arg| without_short_help(arg, &SELDOM)))]
pub struct Diff {
    /// What to compare: [REV:]DIRECTIVE, or a file.
    ///
    /// REV is a revision of the project's repository; without a name (:DIRECTIVE) it is the index. A file is a
    /// directive's (.md), or holds a saved prompt, a transcript, or the body of a request. With --protocol sf it is
    /// [REV:]FOLDER, and may be left out for the working folder.
    #[arg(required_unless_present_any = ["all", "git_external", "protocol", "left_protocol"])]
    #[arg(conflicts_with = "all", add = Completes::Side)]
    pub left: Option<String>,

    /// With what; without it, HEAD is compared with the working tree.
    #[arg(conflicts_with = "all", add = Completes::Side)]
    pub right: Option<String>,

    /// Compare every directive, and show those whose prompt differs.
    #[arg(long, help_heading = "Sides")]
    pub all: bool,

    /// Compare at revisions: A..B, A...B (since they parted), or A with the working tree.
    ///
    /// An empty name is HEAD. The index is `:`, as in HEAD..: for what is staged.
    #[arg(long, value_name = "A..B", allow_hyphen_values = true, help_heading = "Sides")]
    pub rev: Option<String>,

    /// Compare two states of a file as git's external diff: diff.NAME.command is `rye-render diff --git-external`.
    #[arg(long, value_name = "ARG", num_args = 1..=9, allow_hyphen_values = true, help_heading = "Sides")]
    #[arg(conflicts_with_all = ["all", "left", "rev"], hide_short_help = true)]
    pub git_external: Vec<OsString>,

    /// Take both files for states of this directive's file, as git's difftool hands them over.
    #[arg(long, value_name = "FILE", requires = "right", conflicts_with = "rev", help_heading = "Sides")]
    #[arg(hide_short_help = true)]
    pub stands_for: Option<PathBuf>,

    /// What decides the prompts.
    #[command(flatten)]
    pub sides: SideFlags,

    /// Count runs of blanks as one, and none at the end of a line.
    #[arg(long, help_heading = "Comparison")]
    pub ignore_space_change: bool,

    /// Count no lines that are empty.
    #[arg(long, help_heading = "Comparison")]
    pub ignore_blank_lines: bool,

    /// Say how many tokens a provider caches at least.
    #[arg(long, value_name = "N", default_value_t = 1024, help_heading = "Comparison", hide_short_help = true)]
    pub cache_min: usize,

    /// Fail when a prompt grows by more, in percent of its tokens; other differences pass.
    ///
    /// A prompt that is added has nothing to grow from, and passes.
    #[arg(long, value_name = "N%", value_parser = percent, help_heading = "Comparison")]
    pub max_token_growth: Option<f64>,

    /// Return 0 where prompts differ.
    #[arg(long, help_heading = "Comparison")]
    pub exit_zero: bool,

    /// Write text, stat, name-only, json, markdown, patch or html.
    ///
    /// text is for people; stat is a line a layer; name-only is the names of what differs; json is everything;
    /// markdown is for a pull request; patch is a unified diff of the plain messages; html is a page on its own.
    #[arg(long, value_name = "FORMAT", value_parser = words::<Format>(), hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: Option<Format>,

    /// Show so many lines around those that differ.
    #[arg(short = 'U', long, value_name = "N", default_value_t = 3, help_heading = "Output")]
    pub unified: usize,

    /// Show both sides beside each other, where the width allows it.
    #[arg(long, conflicts_with = "word_diff", help_heading = "Output")]
    pub side_by_side: bool,

    /// Show changed words in their line: [-old-]{+new+}.
    ///
    /// Such a line begins with ~. Where the text itself holds such marks, the line is shown as it was and as it is, and
    /// neither has marks that are not its own.
    #[arg(long, help_heading = "Output")]
    pub word_diff: bool,

    /// Write to a file, the whole of it or nothing.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Choose how tokens are counted: chars4 (characters divided by four), o200k or cl100k.
    #[arg(long, value_name = "NAME", value_parser = words::<Tokenizer>())]
    #[arg(default_value = "chars4", hide_possible_values = true, help_heading = "Output", hide_short_help = true)]
    pub tokenizer: Tokenizer,
}
