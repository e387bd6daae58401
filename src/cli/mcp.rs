//! `mcp`: the same answers for coding agents.

use super::Exit;
use super::arguments::McpArguments;
use super::report::CommandOutcome;
use super::resolve::wrong;
use crate::mcp::serve;

pub(super) fn run(typed: &McpArguments) -> CommandOutcome {
    serve(&typed.folders).map_err(|error| wrong(&error.to_string(), "name an existing folder"))?;
    Ok(Exit::Success)
}
