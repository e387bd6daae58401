use std::sync::Arc;

use super::extensions::Extensions;
use super::messages::StoredMessage;
use super::protocol::Protocol;
use super::skills::{self, Root};
use super::tools::ToolFile;
use crate::agents::draft::Text;
use crate::prompt::Declared;
use crate::read::store::Store;
use crate::text::{Origin, Source, Traced};

/// A request for the prompt of an agent in a folder. Paths are absolute.
#[derive(Debug, Clone, Default)]
pub struct Request {
    pub cwd: String,
    pub agent_dir: String,
    pub home: String,
    pub model: Option<String>,
    /// The active tools by name; `None` for the default.
    pub tools: Option<Vec<Traced>>,
    /// Tools in addition to the built-in ones.
    pub tool_file: ToolFile,
    /// The base prompt, used instead of a file.
    pub system_prompt: Option<GivenText>,
    /// The text to append, used instead of a file.
    pub append: Option<GivenText>,
    pub docs_dir: Option<String>,
    pub skills: Vec<String>,
    pub no_skills: bool,
    pub no_context_files: bool,
    /// The date and time, as printed.
    pub date: String,
    pub extensions: Extensions,
    pub messages: Vec<StoredMessage>,
    pub prompt: Option<String>,
    /// The turn to show, from 1, after extensions have changed it; `None` for the state before any change.
    pub turn: Option<usize>,
}

#[derive(Debug, Clone)]
pub enum GivenText {
    Text(String),
    File(Arc<Source>),
}

impl Request {
    pub(super) fn skill_roots(&self, protocol: &Protocol, files: &dyn Store) -> Vec<Root> {
        let further: Vec<String> = self.skills.iter().chain(&self.extensions.skills).cloned().collect();
        let is_top = |above: &str| skills::is_top(above, files);
        skills::roots_up_to(&self.cwd, &self.agent_dir, &self.home, &protocol.folder, &further, is_top)
    }
}

impl GivenText {
    /// Where it stands: in a file, or behind its flag.
    pub(super) fn declared(&self, flag: &str) -> Declared {
        match self {
            Self::File(source) => Declared { by: source.path().to_string(), span: Some(source.whole()) },
            Self::Text(_) => Declared { by: flag.to_string(), span: None },
        }
    }

    /// The text, named after its flag or file.
    pub(super) fn text(&self, flag: &str) -> Text {
        match self {
            Self::File(source) => Text::of_file(source),
            Self::Text(text) => {
                Text::named(flag, Traced::of(text, Origin::Argument(flag.trim_start_matches('-').into())))
            }
        }
    }
}
