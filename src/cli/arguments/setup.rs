//! The arguments of commands that set something up.

use std::path::PathBuf;

use clap::Args;

use super::values::words;
use crate::cli::complete::Shell;
use crate::decide::completes::Completes;

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  source <(rye-render completions bash)         in ~/.bashrc
  source <(rye-render completions zsh)          in ~/.zshrc, after compinit
  rye-render completions fish | source          in ~/.config/fish/config.fish";

#[derive(Debug, Args)]
pub struct Init {
    /// Folder of the project [default: the working folder].
    pub folder: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub struct Completions {
    /// Shell: bash, zsh, fish, powershell or elvish.
    #[arg(value_parser = words::<Shell>(), hide_possible_values = true)]
    pub shell: Shell,
}

#[derive(Debug, Args)]
pub struct Schema {
    /// Schema to print; without it, the names are listed.
    #[arg(add = Completes::Schema)]
    pub name: Option<String>,
}
