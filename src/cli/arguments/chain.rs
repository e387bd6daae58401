use std::path::PathBuf;

use clap::Args;

use super::values::words;
use super::{FolderFlags, PromptFlags, without_short_help};
use crate::answer::chain::{Charset, EdgeWord, GraphFormat};
use crate::decide::completes::Completes;

const EXAMPLES: &str = "\
Examples:
  rye-render chain deploy                          parents, and what each adds
  rye-render chain --invert project/base           directives that extend it
  rye-render chain --uses deploy/rules             everything that injects it
  rye-render chain --why deploy rye/bash/run       every path between them
  rye-render chain --all --tier project
  rye-render chain --cwd src                       what an agent reads there
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
       rye-render chain [OPTIONS] --agent <NAME> [FOLDER]";

/// These flags rarely change a chain.
const RARE_FLAGS: &[&str] = &["model", "protocol", "agent", "input", "input_json", "inputs", "placeholders", "env"];

#[derive(Debug, Args)]
#[command(override_usage = USAGE, after_help = FEW_EXAMPLES, after_long_help = EXAMPLES)]
#[command(mut_args(|arg| without_short_help(arg, RARE_FLAGS)))]
pub struct ChainArguments {
    /// Show the parents of this directive, an id or a file.
    ///
    /// With --agent NAME it is a folder. That, --cwd DIR and --protocol sf show what applies to a coding agent's
    /// working folder: the base of the prompt, instruction files in the order in which they apply, and skills, with
    /// what is left out and why.
    #[arg(conflicts_with = "question", add = Completes::Directive)]
    pub directive: Option<String>,

    /// Show every directive that extends this one, directly or not.
    #[arg(long, value_name = "DIRECTIVE", group = "question", help_heading = "Question")]
    #[arg(add = Completes::DirectiveId)]
    pub invert: Option<String>,

    /// Show everything that injects a knowledge item.
    ///
    /// These are the directives that place it, those that inherit it, and hooks. Directives whose chain suppresses it
    /// are listed as such.
    #[arg(long, value_name = "KNOWLEDGE", group = "question", help_heading = "Question")]
    #[arg(add = Completes::Knowledge)]
    pub uses: Option<String>,

    /// Show every path from one item to another.
    ///
    /// FROM is a directive or a hook; TO is a directive, a knowledge item, a hook or a tool.
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"], group = "question", help_heading = "Question")]
    #[arg(add = Completes::Ends)]
    pub why: Option<Vec<String>>,

    /// Show every directive, and items that nothing uses.
    ///
    /// Each directive is below the one that it extends. Also lists knowledge that nothing injects, tools that nothing
    /// grants, hooks that never fire, and items that shadow those of another tier.
    #[arg(long, group = "question", help_heading = "Question")]
    pub all: bool,

    /// Follow only these links: extends, context, hook, tool.
    ///
    /// For a single directive, the chain itself is always shown; this selects what its members add.
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = words::<EdgeWord>())]
    #[arg(hide_possible_values = true, help_heading = "Scope")]
    pub edges: Vec<EdgeWord>,

    /// Limit the depth to N links.
    ///
    /// For a single directive: show N of its ancestors.
    #[arg(long, value_name = "N", help_heading = "Scope")]
    pub max_depth: Option<usize>,

    /// Show an item, but nothing beyond it (repeatable).
    #[arg(long, value_name = "ID", help_heading = "Scope", add = Completes::Item)]
    pub prune: Vec<String>,

    /// Show only items of this tier (repeatable).
    ///
    /// A tier is project, user, system, or a label. Items of other tiers are kept if they lead to one of this tier. For
    /// a single directive: show what members of this tier add. For a folder: cwd, ancestor, agent, home or extension.
    #[arg(long, value_name = "TIER", help_heading = "Scope", add = Completes::Tier)]
    pub tier: Vec<String>,

    #[command(flatten)]
    pub prompt: PromptFlags,

    #[command(flatten)]
    pub folder: FolderFlags,

    /// Write tree, json, dot or mermaid.
    ///
    /// tree is for people; json is one object with nodes and edges; dot is for Graphviz; mermaid for Markdown.
    #[arg(long, value_name = "FORMAT", value_parser = words::<GraphFormat>(), hide_possible_values = true)]
    #[arg(help_heading = "Output")]
    pub format: Option<GraphFormat>,

    /// Draw the tree with ascii or utf8.
    #[arg(long, value_name = "NAME", value_parser = words::<Charset>(), hide_possible_values = true)]
    #[arg(default_value = "utf8", help_heading = "Output")]
    pub charset: Charset,

    /// Write to FILE atomically.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
}
