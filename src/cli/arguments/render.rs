use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::values::{digest, words};
use super::{FolderFlags, PromptFlags, TrustFlags};
use crate::complete::Completes;
use crate::prompt;
use crate::render::Format;
use crate::tokens::Tokenizer;

const EXAMPLES: &str = "\
Examples:
  rye-render render rye/demo/hello                       the embedded demo
  rye-render render deploy -i target=staging             with an input
  rye-render render ./.ai/directives/deploy.md --placeholders
  rye-render render deploy --format plain --role system  the exact bytes
  rye-render render deploy --format json | jq -r .sha256
  rye-render render deploy --watch                       again at every change
  rye-render render --all -o prompts                     a file each";

const FEW_EXAMPLES: &str = "\
Examples:
  rye-render render rye/demo/hello
  rye-render render deploy -i target=staging --format plain

`rye-render render --help` lists every flag.";

/// `render <DIRECTIVE>`
#[derive(Debug, Args)]
#[command(
    override_usage = "rye-render render [OPTIONS] <DIRECTIVE>\n       rye-render render [OPTIONS] --all -o <DIR>"
)]
#[command(after_help = FEW_EXAMPLES, after_long_help = EXAMPLES)]
pub struct Render {
    /// The directive: an id, or a file.
    ///
    /// What ends in .md, or starts with ./, ../ or /, is a file; anything else is an id. A file below .ai/directives/
    /// has its id and its project from there. With --protocol sf it is what the user asks, and may be left out.
    #[arg(required_unless_present_any = ["all", "git_textconv", "protocol"], add = Completes::Directive)]
    pub directive: Option<String>,

    /// What decides the prompt.
    #[command(flatten)]
    pub prompt: PromptFlags,

    /// What decides the prompt of a folder.
    #[command(flatten)]
    pub folder: FolderFlags,

    /// Who must have signed it.
    #[command(flatten)]
    pub trust: TrustFlags,

    /// Write text, plain, json, anthropic, openai, gemini or events.
    ///
    /// text is for people; plain is the exact bytes of the messages; json is the whole prompt with the origin of every
    /// byte; anthropic, openai and gemini are request bodies; events is the transcript, an object a line.
    #[arg(long, value_name = "FORMAT", value_parser = words::<Format>(), hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: Option<Format>,

    /// Show the system or the user message alone (text, plain).
    #[arg(long, value_name = "ROLE", hide_possible_values = true, help_heading = "Output")]
    pub role: Option<Role>,

    /// Write to a file, the whole of it or nothing.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Choose how tokens are counted: chars4 (characters divided by four), o200k or cl100k.
    #[arg(long, value_name = "NAME", value_parser = words::<Tokenizer>())]
    #[arg(default_value = "chars4", hide_possible_values = true, help_heading = "Output", hide_short_help = true)]
    pub tokenizer: Tokenizer,

    /// Fail when the digest of the messages is another one.
    #[arg(long, value_name = "HEX", value_parser = digest, help_heading = "Output", hide_short_help = true)]
    pub expect_sha256: Option<String>,

    /// Write the messages of a directive's file for git: diff.NAME.textconv is `rye-render render --git-textconv`.
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, help_heading = "Output", hide_short_help = true)]
    #[arg(conflicts_with_all = ["directive", "all", "format", "role", "output", "expect_sha256"])]
    pub git_textconv: Option<PathBuf>,

    /// Write again whenever a file changes that counts.
    ///
    /// The screen of a terminal is cleared each time; into a pipe, one result follows another. What counts are the files
    /// that were read, and those that were looked for and not found. Ctrl-C ends it.
    #[arg(long, conflicts_with = "git_textconv", help_heading = "Output")]
    pub watch: bool,

    /// Write every directive, a JSON file each, below the folder of -o.
    #[arg(long, requires = "output", conflicts_with_all = ["directive", "role", "expect_sha256", "messages"])]
    #[arg(help_heading = "Output")]
    pub all: bool,
}

/// `--role`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Role {
    /// The system message.
    System,
    /// The user message.
    User,
}

impl From<Role> for prompt::Role {
    fn from(role: Role) -> Self {
        match role {
            Role::System => Self::System,
            Role::User => Self::User,
        }
    }
}
