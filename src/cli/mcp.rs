//! `mcp`: the same answers for coding agents.

use super::Exit;
use super::arguments::{Color, McpArguments};
use super::report::StderrReport;
use super::resolve::wrong;
use crate::mcp::serve;

pub(super) fn run(typed: &McpArguments, color: Color) -> Exit {
    StderrReport::for_format("mcp", None::<&str>, color).run(|_| {
        serve(&typed.folders).map_err(|error| wrong(&error.to_string(), "name an existing folder"))?;
        Ok(Exit::Success)
    })
}
