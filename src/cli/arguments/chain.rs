use std::path::PathBuf;

use clap::Args;

use super::values::words;
use super::{FolderFlags, PromptFlags, without_short_help};
use crate::chain::{Charset, EdgeWord, Format};
use crate::complete::Completes;

const EXAMPLES: &str = "\
Examples:
  rye-render chain deploy                          its parents, and what each adds
  rye-render chain --invert project/base           all that extend it
  rye-render chain --uses deploy/rules             all that inject it
  rye-render chain --why deploy rye/bash/run       every path from one to the other
  rye-render chain --all --tier project
  rye-render chain --cwd src                       what an agent is told in a folder
  rye-render chain --all --edges extends,context --format mermaid";

const FEW_EXAMPLES: &str = "\
Examples:
  rye-render chain deploy
  rye-render chain --uses deploy/rules
  rye-render chain --why deploy rye/bash/run

`rye-render chain --help` lists every flag.";

const USAGE: &str = "\
rye-render chain [OPTIONS] <DIRECTIVE>
       rye-render chain [OPTIONS] --invert <DIRECTIVE>
       rye-render chain [OPTIONS] --uses <KNOWLEDGE>
       rye-render chain [OPTIONS] --why <FROM> <TO>
       rye-render chain [OPTIONS] --all
       rye-render chain [OPTIONS] --cwd <DIR>";

/// What decides a prompt, and seldom its chain.
const SELDOM: &[&str] = &["model", "protocol", "input", "input_json", "inputs", "placeholders", "env"];

/// `chain <DIRECTIVE>`, questions about all directives, and what applies to a folder.
#[derive(Debug, Args)]
#[command(override_usage = USAGE, after_help = FEW_EXAMPLES, after_long_help = EXAMPLES)]
#[command(mut_args(|arg| without_short_help(arg, SELDOM)))]
pub struct Chain {
    /// The directive whose parents are shown: an id, or a file.
    ///
    /// Without one, --cwd DIR or --protocol sf shows what applies to a folder in which an agent works: the base of its
    /// prompt, files of instructions in the order in which they apply, and skills, with what is left out and why.
    #[arg(conflicts_with = "question", add = Completes::Directive)]
    pub directive: Option<String>,

    /// Show all that extend a directive, directly or not.
    #[arg(long, value_name = "DIRECTIVE", group = "question", help_heading = "Question")]
    #[arg(add = Completes::DirectiveId)]
    pub invert: Option<String>,

    /// Show all that inject a knowledge item.
    ///
    /// The directives that place it, those that inherit it from them (and those that do not, since one of their chain
    /// suppresses it), and hooks.
    #[arg(long, value_name = "KNOWLEDGE", group = "question", help_heading = "Question")]
    #[arg(add = Completes::Knowledge)]
    pub uses: Option<String>,

    /// Show every path from one item to another.
    ///
    /// From a directive or a hook to a directive, a knowledge item, a hook or a tool.
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"], group = "question", help_heading = "Question")]
    #[arg(add = Completes::Ends)]
    pub why: Option<Vec<String>>,

    /// Show every directive, and what nothing reaches.
    ///
    /// Each directive stands below the one that it extends. Knowledge that nothing injects, tools that nothing grants,
    /// hooks that never fire and items that shadow those of another tier follow, each with its note.
    #[arg(long, group = "question", help_heading = "Question")]
    pub all: bool,

    /// Follow these links only: extends, context, hook, tool.
    ///
    /// Of a directive alone the chain itself stays: these say which of the things that it gives are shown.
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = words::<EdgeWord>())]
    #[arg(hide_possible_values = true, help_heading = "Scope")]
    pub edges: Vec<EdgeWord>,

    /// Go no more than N links from where the tree begins.
    ///
    /// Of a directive alone: show N of its ancestors.
    #[arg(long, value_name = "N", help_heading = "Scope")]
    pub max_depth: Option<usize>,

    /// Show an item, and nothing beyond it (repeatable).
    #[arg(long, value_name = "ID", help_heading = "Scope", add = Completes::Item)]
    pub prune: Vec<String>,

    /// Show items of this tier alone (repeatable).
    ///
    /// It is project, user, system, or one by its label. An item of another tier stays where it leads to one of this. Of
    /// a directive alone: show what the members of this tier give. Of a folder it is cwd, ancestor, agent, home or
    /// extension.
    #[arg(long, value_name = "TIER", help_heading = "Scope", add = Completes::Tier)]
    pub tier: Vec<String>,

    /// What decides the prompt.
    #[command(flatten)]
    pub prompt: PromptFlags,

    /// What decides the prompt of a folder.
    #[command(flatten)]
    pub folder: FolderFlags,

    /// Write tree, json, dot or mermaid.
    ///
    /// tree is for people; json is one object with nodes and edges; dot is for Graphviz; mermaid for Markdown.
    #[arg(long, value_name = "FORMAT", value_parser = words::<Format>(), hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: Option<Format>,

    /// Draw the tree with ascii or utf8.
    #[arg(long, value_name = "NAME", value_parser = words::<Charset>(), hide_possible_values = true)]
    #[arg(default_value = "utf8", help_heading = "Output")]
    pub charset: Charset,

    /// Write to a file, the whole of it or nothing.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
}
