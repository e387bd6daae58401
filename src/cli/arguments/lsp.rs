use clap::Args;

const EXAMPLES: &str = "\
Examples:
  rye-render lsp             for an editor to start

docs/editors.md has the lines for each editor.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct LspArguments {
    /// Use standard input and output, as is done anyway: some editors add this.
    #[arg(long, hide = true)]
    pub stdio: bool,
}
