use std::path::PathBuf;

use clap::Args;

use super::values::{digest, role, words};
use super::{FolderFlags, PromptFlags, TrustFlags};
use crate::answer::render::RenderFormat;
use crate::decide::completes::Completes;
use crate::prompt::Role;
use crate::text::tokens::Tokenizer;

const EXAMPLES: &str = "\
Examples:
  rye-render render rye/demo/hello                       the embedded demo
  rye-render render deploy -i target=staging             with an input
  rye-render render ./.ai/directives/deploy.md --placeholders
  rye-render render deploy --format plain --role system  the exact bytes
  rye-render render deploy --format json | jq -r .sha256
  rye-render render deploy --watch                       again after each change
  rye-render render --all -o prompts                     one file each
  rye-render render --all --format jsonl                 one line each";

const FEW_EXAMPLES: &str = "\
Examples:
  rye-render render rye/demo/hello
  rye-render render deploy -i target=staging --format plain

`rye-render render --help` lists every flag.";

#[derive(Debug, Args)]
#[command(
    override_usage = "rye-render render [OPTIONS] <DIRECTIVE>\n       rye-render render [OPTIONS] --all -o <DIR>"
)]
#[command(after_help = FEW_EXAMPLES, after_long_help = EXAMPLES)]
pub struct Render {
    /// Directive: an id, or a file.
    ///
    /// An argument that ends in .md, or starts with ./, ../ or /, is a file; anything else is an id. The path of a file
    /// below .ai/directives/ determines its id and its project. With --protocol sf it is the user prompt, and with --agent
    /// the folder; both are optional, and so is the folder of an agent that is installed or named in the settings.
    #[arg(add = Completes::Directive)]
    pub directive: Option<String>,

    #[command(flatten)]
    pub prompt: PromptFlags,

    #[command(flatten)]
    pub folder: FolderFlags,

    #[command(flatten)]
    pub trust: TrustFlags,

    /// Write text, plain, json, jsonl, anthropic, openai, gemini or events.
    ///
    /// text is for people; plain is the exact bytes of the messages; json is the whole prompt with the origin of every
    /// byte; jsonl is the same, one line per directive with --all; anthropic, openai and gemini are request bodies; events is the transcript, one object per line.
    #[arg(long, value_name = "FORMAT", value_parser = words::<RenderFormat>(), hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: Option<RenderFormat>,

    /// Show only system, developer or user messages (text, plain).
    #[arg(long, value_name = "ROLE", value_parser = role(), hide_possible_values = true, help_heading = "Output")]
    pub role: Option<Role>,

    /// Write to FILE atomically.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Count tokens by chars4 (characters / 4), o200k or cl100k.
    #[arg(long, value_name = "NAME", value_parser = words::<Tokenizer>())]
    #[arg(default_value = "chars4", hide_possible_values = true, help_heading = "Output", hide_short_help = true)]
    pub tokenizer: Tokenizer,

    /// Fail if the digest of the messages differs.
    #[arg(long, value_name = "HEX", value_parser = digest, help_heading = "Output", hide_short_help = true)]
    pub expect_sha256: Option<String>,

    /// Write the messages of a directive's file for git's textconv.
    ///
    /// Set diff.NAME.textconv to `rye-render render --git-textconv`.
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, help_heading = "Output", hide_short_help = true)]
    #[arg(conflicts_with_all = ["directive", "all", "format", "role", "output", "expect_sha256"])]
    pub git_textconv: Option<PathBuf>,

    /// Write again whenever a relevant file changes.
    ///
    /// Watches the files that were read, and those that were not found. A terminal is cleared each time; in a pipe, one
    /// result follows another. Press Ctrl-C to stop.
    #[arg(long, conflicts_with = "git_textconv", help_heading = "Output")]
    pub watch: bool,

    /// Write every directive: JSON files below -o, or jsonl.
    ///
    /// Writes one JSON file per directive below -o. With --format jsonl, writes one line per directive to standard output
    /// or to the file of -o; a directive that cannot be rendered is a line with its error.
    #[arg(long, conflicts_with_all = ["directive", "role", "expect_sha256", "messages"])]
    #[arg(help_heading = "Output")]
    pub all: bool,
}
