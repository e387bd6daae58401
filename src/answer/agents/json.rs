//! The matrix as one JSON object, or one object per agent; other programs rely on their shapes.

use std::io;

use serde::{Serialize, Serializer};

use super::{AgentColumn, AgentMatrix, FileCell};
use crate::prompt::json::line;
use crate::prompt::json::shape::FileJson;
use crate::text::tokens::Tokenizer;

pub(super) fn write(matrix: &AgentMatrix, tokenizer: Tokenizer, out: &mut dyn io::Write) -> io::Result<()> {
    line(&document(matrix, tokenizer), out)
}

pub(super) fn write_lines(matrix: &AgentMatrix, out: &mut dyn io::Write) -> io::Result<()> {
    let folder = matrix.folder.name();
    let mut lines = matrix.agents.iter().map(|agent| AgentLine { folder, agent });
    lines.try_for_each(|it| line(&it, &mut *out))
}

fn document(matrix: &AgentMatrix, tokenizer: Tokenizer) -> AgentsDocument<'_> {
    AgentsDocument {
        format: "rye-render.agents/1",
        tool_version: env!("CARGO_PKG_VERSION"),
        folder: matrix.folder.name(),
        tokenizer: tokenizer.into_str(),
        agents: &matrix.agents,
    }
}

impl Serialize for FileCell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        FileEntryJson { file: FileJson::new(&self.outcome, self.tokens), bytes: self.bytes }.serialize(serializer)
    }
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
    pub agents: &'a [AgentColumn],
}

/// A line of JSON Lines: what becomes of the files around a folder, for one coding agent.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AgentLine<'a> {
    /// The working folder, absolute.
    pub folder: &'a str,
    #[serde(flatten)]
    pub agent: &'a AgentColumn,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FileEntryJson<'a> {
    #[serde(flatten)]
    pub file: FileJson<'a>,
    /// The size of the file; null if it cannot be read.
    pub bytes: Option<usize>,
}
