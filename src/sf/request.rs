//! What is asked of the assembler.

use std::sync::Arc;

use super::extensions::Extensions;
use super::files::Files;
use super::messages::Kept;
use super::protocol::Protocol;
use super::skills::{self, Root};
use super::system::Text;
use super::tools::ToolFile;
use crate::prompt::SectionSource;
use crate::text::{Origin, Source, Traced};

/// What is asked: the prompt of an agent in a folder. Paths are absolute.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The folder.
    pub cwd: String,
    /// The agent's own folder.
    pub agent_dir: String,
    /// The home folder.
    pub home: String,
    /// The model that a request body names.
    pub model: Option<String>,
    /// The active tools by name; none for the usual ones.
    pub tools: Option<Vec<Traced>>,
    /// Tools besides those that are built in.
    pub tool_file: ToolFile,
    /// The base, in place of any file's.
    pub system_prompt: Option<Given>,
    /// What is appended to it, likewise.
    pub append: Option<Given>,
    /// The folder of the documentation.
    pub docs_dir: Option<String>,
    /// Further folders with skills.
    pub skills: Vec<String>,
    /// Whether there are no skills at all.
    pub no_skills: bool,
    /// Whether there are no files of instructions.
    pub no_context_files: bool,
    /// Date and time as they are printed.
    pub date: String,
    /// What extensions do.
    pub extensions: Extensions,
    /// What was said before.
    pub messages: Vec<Kept>,
    /// What the user asks.
    pub prompt: Option<String>,
    /// Which prompt of the user it is, from 1, as extensions leave it; none for the state before they change anything.
    pub turn: Option<usize>,
}

/// A text that the command line gives.
#[derive(Debug, Clone)]
pub enum Given {
    /// The text itself.
    Text(String),
    /// What a file holds.
    File(Arc<Source>),
}

impl Request {
    /// Where skills are searched for, in order.
    pub(super) fn skill_roots(&self, protocol: &Protocol, files: &dyn Files) -> Vec<Root> {
        let further: Vec<String> = self.skills.iter().chain(&self.extensions.skills).cloned().collect();
        skills::roots(&self.cwd, &self.agent_dir, &self.home, &protocol.folder, &further, files)
    }
}

impl Given {
    /// The text with its name and where it comes from; the flag gives it.
    pub(super) fn text(&self, flag: &str) -> Text {
        match self {
            Self::File(source) => Text::of_file(source),
            Self::Text(text) => Text {
                text: Traced::of(text, Origin::Argument(flag.trim_start_matches('-').into())),
                name: flag.to_string(),
                source: SectionSource::One(flag.to_string()),
            },
        }
    }
}
