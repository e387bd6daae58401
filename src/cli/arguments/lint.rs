use std::path::PathBuf;

use clap::Args;

use super::folder::AGENT_ARGUMENT;
use super::values::words;
use super::{TierFlags, without_short_help};
use crate::decide::completes::Completes;
use crate::lint::{Level, view::LintFormat};

const EXAMPLES: &str = "\
Examples:
  rye-render lint                              the whole project
  rye-render lint .ai/knowledge/deploy.md      what a changed file can affect
  rye-render lint --fix --diff                 what --fix would change
  rye-render lint --protocol sf                a folder's AGENTS.md and skills
  rye-render lint --agent codex web            what codex leaves out in a folder
  rye-render lint --watch                      again whenever a file changes
  rye-render lint --explain RR105              what a rule finds, and why
  rye-render lint --format sarif -o lint.sarif";

const FEW_EXAMPLES: &str = "\
Examples:
  rye-render lint                        the whole project
  rye-render lint --fix                  apply the safe fixes
  rye-render lint --explain RR105        what a rule finds, and why

`rye-render lint --help` lists every flag.";

const RARE_FLAGS: [&str; 4] = ["project", "user_space", "system", "protocol"];

#[derive(Debug, Args)]
#[command(after_help = FEW_EXAMPLES, after_long_help = EXAMPLES)]
#[command(mut_args(|arg| without_short_help(arg, &RARE_FLAGS)))]
pub struct Lint {
    /// Files and folders to check, with every prompt that they affect [default: the project].
    pub paths: Vec<PathBuf>,

    /// Exclude files by a pattern as in .gitignore (repeatable).
    #[arg(long, value_name = "PATTERN", help_heading = "Files")]
    pub exclude: Vec<String>,

    /// Exclude files even if they are named.
    #[arg(long, help_heading = "Files", hide_short_help = true)]
    pub force_exclude: bool,

    /// Check standard input as the content of this file.
    #[arg(long, value_name = "PATH", help_heading = "Files", conflicts_with = "add_allow")]
    pub stdin_filename: Option<PathBuf>,

    /// List the files that are checked.
    #[arg(long, help_heading = "Files", hide_short_help = true)]
    #[arg(conflicts_with_all = ["fix", "add_allow", "diff", "update_baseline", "statistics", "show_settings", "explain"])]
    pub show_files: bool,

    /// Apply only these rules: a code or its prefix, name or group.
    #[arg(long, value_name = "RULES", value_delimiter = ',', help_heading = "Rules", add = Completes::Rule)]
    pub select: Vec<String>,

    /// Skip these rules.
    #[arg(long, value_name = "RULES", value_delimiter = ',', help_heading = "Rules", add = Completes::Rule)]
    pub ignore: Vec<String>,

    /// Exit 1 at or above this level: note, warning, error or off.
    #[arg(long, value_name = "LEVEL", value_parser = words::<Level>(), hide_possible_values = true)]
    #[arg(help_heading = "Rules")]
    pub fail_on: Option<Level>,

    /// Explain a rule; list the rules of a group, or ALL.
    #[arg(long, value_name = "RULE", help_heading = "Rules", conflicts_with_all = ["format", "statistics", "paths"])]
    #[arg(add = Completes::Rule)]
    pub explain: Option<String>,

    /// Show the effective settings with the source of each.
    #[arg(long, help_heading = "Rules", hide_short_help = true)]
    #[arg(conflicts_with_all = ["fix", "add_allow", "diff", "update_baseline", "statistics", "explain"])]
    pub show_settings: bool,

    /// Ignore the findings that this file lists.
    #[arg(long, value_name = "FILE", help_heading = "Rules")]
    pub baseline: Option<PathBuf>,

    /// Write the findings to the baseline.
    #[arg(long, requires = "baseline", conflicts_with = "diff", help_heading = "Rules", hide_short_help = true)]
    pub update_baseline: bool,

    /// Add a comment that allows each finding, where possible.
    #[arg(long, value_name = "REASON", help_heading = "Rules", hide_short_help = true)]
    pub add_allow: Option<String>,

    /// Apply fixes that do not change the meaning.
    #[arg(long, help_heading = "Fixes")]
    pub fix: bool,

    /// Also fix signed items, which invalidates their signatures.
    #[arg(long, help_heading = "Fixes")]
    pub unsafe_fixes: bool,

    /// Show the fixes as a patch, and change nothing.
    #[arg(long, help_heading = "Fixes")]
    pub diff: bool,

    /// Check what a coding agent is told in a folder.
    ///
    /// NAME is claude-code, codex, opencode or pi, or NAME@VERSION; a comma separates several. The argument is the folder
    /// [default: the working folder]. The findings include what the agent leaves out, cuts or ignores there. Arguments
    /// after -- are those that the agent itself would be started with.
    #[arg(long, value_name = "NAME", conflicts_with = "protocol", help_heading = "Prompt", add = Completes::Agent)]
    pub agent: Option<String>,

    /// What the agent itself would be started with.
    #[arg(long = AGENT_ARGUMENT, hide = true, value_name = "ARG", require_equals = true)]
    pub agent_arguments: Vec<String>,

    /// Use a protocol: rye-1 to rye-4, sf or your own.
    #[arg(long, value_name = "NAME", help_heading = "Prompt", add = Completes::Protocol)]
    pub protocol: Option<String>,

    /// Read a protocol definition from a file (repeatable).
    #[arg(long, value_name = "FILE", help_heading = "Prompt", hide_short_help = true)]
    pub protocol_file: Vec<PathBuf>,

    #[command(flatten)]
    pub tiers: TierFlags,

    /// Write text, concise, json, jsonl, sarif, github, gitlab, junit or rdjson.
    #[arg(long, value_name = "FORMAT", value_parser = words::<LintFormat>(), hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: Option<LintFormat>,

    /// Count findings by rule.
    #[arg(long, help_heading = "Output")]
    pub statistics: bool,

    /// Check again whenever a file changes.
    ///
    /// Watches the files that were read, and those that were not found. A terminal is cleared each time; in a pipe, one
    /// result follows another. Press Ctrl-C to stop.
    #[arg(long, help_heading = "Output")]
    #[arg(conflicts_with_all = ["fix", "unsafe_fixes", "add_allow", "update_baseline", "stdin_filename", "explain"])]
    pub watch: bool,

    /// Write to FILE atomically.
    #[arg(short, long, visible_alias = "output-file", value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
}
