use std::path::PathBuf;

use clap::Args;

const EXAMPLES: &str = "\
Examples:
  rye-render mcp                                  for the client's folders
  rye-render mcp ~/code/shop                      for this folder alone
  claude mcp add rye-render -- rye-render mcp     in Claude Code
  codex mcp add rye-render -- rye-render mcp      in Codex";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct McpArguments {
    /// Folders that may be asked about [default: those of the client, or the working folder].
    #[arg(value_name = "FOLDER")]
    pub folders: Vec<PathBuf>,
}
