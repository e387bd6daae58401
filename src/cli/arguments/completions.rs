use clap::Args;

use super::values::words;
use crate::cli::complete::Shell;

const EXAMPLES: &str = "\
Examples:
  source <(rye-render completions bash)         in ~/.bashrc
  source <(rye-render completions zsh)          in ~/.zshrc, after compinit
  rye-render completions fish | source          in ~/.config/fish/config.fish";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Completions {
    /// Shell: bash, zsh, fish, powershell or elvish.
    #[arg(value_parser = words::<Shell>(), hide_possible_values = true)]
    pub shell: Shell,
}
