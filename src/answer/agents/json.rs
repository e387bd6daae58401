//! The matrix as one JSON object, or one object per agent; other programs rely on their shapes.

use std::io;

use serde::Serialize;

use super::{AgentColumn, AgentMatrix, FileCell};
use crate::prompt::AgentUse;
use crate::prompt::json::line;
use crate::prompt::json::shape::FileJson;
use crate::text::tokens::Tokenizer;

pub(super) fn write(matrix: &AgentMatrix, tokenizer: Tokenizer, out: &mut dyn io::Write) -> io::Result<()> {
    line(&document(matrix, tokenizer), out)
}

pub(super) fn write_lines(matrix: &AgentMatrix, out: &mut dyn io::Write) -> io::Result<()> {
    let folder = matrix.folder.name();
    let mut lines = matrix.agents.iter().map(|column| AgentLine { folder, agent: entry(column) });
    lines.try_for_each(|it| line(&it, &mut *out))
}

fn document(matrix: &AgentMatrix, tokenizer: Tokenizer) -> AgentsDocument<'_> {
    AgentsDocument {
        format: "rye-render.agents/1",
        tool_version: env!("CARGO_PKG_VERSION"),
        folder: matrix.folder.name(),
        tokenizer: tokenizer.into_str(),
        agents: matrix.agents.iter().map(entry).collect(),
    }
}

fn entry(column: &AgentColumn) -> AgentEntryJson<'_> {
    AgentEntryJson {
        agent: &column.agent,
        releases: column.releases,
        tokens: column.tokens,
        unknown_text: column.has_unknown_text,
        refused: column.refusal.as_deref(),
        files: column.files.iter().map(file).collect(),
    }
}

fn file(cell: &FileCell) -> FileEntryJson<'_> {
    FileEntryJson { file: FileJson::new(&cell.outcome, cell.tokens), bytes: cell.bytes }
}

/// What becomes of the files around a folder, for each coding agent.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(title = "rye-render.agents/1"))]
pub struct AgentsDocument<'a> {
    /// Name and version of this format.
    #[cfg_attr(test, schemars(extend("const" = "rye-render.agents/1")))]
    pub format: &'static str,
    /// The version of rye-render that wrote it.
    pub tool_version: &'static str,
    /// The working folder, absolute.
    pub folder: &'a str,
    /// How tokens are counted.
    pub tokenizer: &'static str,
    pub agents: Vec<AgentEntryJson<'a>>,
}

/// A line of JSON Lines: what becomes of the files around a folder, for one coding agent.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AgentLine<'a> {
    /// The working folder, absolute.
    pub folder: &'a str,
    #[serde(flatten)]
    pub agent: AgentEntryJson<'a>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AgentEntryJson<'a> {
    #[serde(flatten)]
    pub agent: &'a AgentUse,
    /// The releases whose rules are known, oldest first.
    pub releases: &'a [&'static str],
    /// The tokens of the known text of its prompt.
    pub tokens: usize,
    /// Whether the prompt also has text of the agent itself whose wording is unknown.
    pub unknown_text: bool,
    /// Why the agent does not start here; null if it does.
    pub refused: Option<&'a str>,
    /// What becomes of each file, sorted by path.
    pub files: Vec<FileEntryJson<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileEntryJson<'a> {
    #[serde(flatten)]
    pub file: FileJson<'a>,
    /// The size of the file; null if it cannot be read.
    pub bytes: Option<usize>,
}
