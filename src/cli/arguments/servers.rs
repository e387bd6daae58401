//! The arguments of servers.

use std::path::PathBuf;

use clap::Args;

const LSP_EXAMPLES: &str = "\
Examples:
  rye-render lsp             for an editor to start

docs/editors.md has the lines for each editor.";

const MCP_EXAMPLES: &str = "\
Examples:
  rye-render mcp                                  for the client's folders
  rye-render mcp ~/code/shop                      for this folder alone
  claude mcp add rye-render -- rye-render mcp     in Claude Code
  codex mcp add rye-render -- rye-render mcp      in Codex";

#[derive(Debug, Args)]
#[command(after_help = LSP_EXAMPLES)]
pub struct LspArguments {
    /// Use standard input and output, as is done anyway: some editors add this.
    #[arg(long, hide = true)]
    pub stdio: bool,
}

#[derive(Debug, Args)]
#[command(after_help = MCP_EXAMPLES)]
pub struct McpArguments {
    /// Folders that may be asked about [default: those of the client, or the working folder].
    #[arg(value_name = "FOLDER")]
    pub folders: Vec<PathBuf>,
}
