//! Everything available, with tier, size, use and trust: items of all tiers, or what an agent reads in a folder.

mod folder;
mod items;
pub mod json;
mod text;

use serde::Serialize;
use std::io;
use std::sync::Arc;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::diagnostic::Diagnostic;
use crate::read::trust::Trust;
use crate::text::tokens::Tokenizer;
use crate::write::screen::{Escaping, Screen};

pub use folder::{entries_of_agent, of_agent, of_agents, of_folder};
pub use items::of_tiers;

#[derive(Debug, Default)]
pub struct ListResult {
    /// Its name, or the agents with their releases.
    pub protocol: String,
    /// The agent's folder; `None` for the items of tiers.
    pub folder: Option<String>,
    pub kinds: Vec<ListKind>,
    /// By kind; items sorted by id, each followed by its shadowed copies; the parts of a folder in the order of
    /// the prompt.
    pub entries: Vec<ListEntry>,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Default)]
pub struct ListEntry {
    pub kind: ListKind,
    /// The id; the path of a folder's file; the name of a skill.
    pub name: String,
    pub about: Option<String>,
    pub tier: Arc<str>,
    pub path: String,
    /// The size of its file; 0 if there is none or it cannot be read.
    pub bytes: usize,
    /// The tokens that it adds to a prompt: a directive's own text, a knowledge item's text, a tool's definition, a
    /// skill's entry in the list.
    pub tokens: usize,
    pub left_out: Option<ListExclusion>,
    /// The agents that use it, if the list is that of several.
    pub agents: Vec<ListReader>,
    /// The state of its signature; `None` if it cannot be read, and in folders, where nothing is signed.
    pub trust: Option<Trust>,
}

/// An agent that uses a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Reader"))]
pub struct ListReader {
    pub agent: String,
    /// The tokens that the file adds to its prompt.
    pub tokens: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListExclusion {
    pub shadowed_by: Option<String>,
    pub why: String,
}

#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr, VariantArray, Display, EnumString,
)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum ListKind {
    #[default]
    Directive,
    Knowledge,
    Tool,
    Base,
    Append,
    Context,
    Skill,
}

impl ListKind {
    pub const OF_TIERS: [Self; 3] = [Self::Directive, Self::Knowledge, Self::Tool];

    pub const OF_FOLDERS: [Self; 4] = [Self::Base, Self::Append, Self::Context, Self::Skill];

    /// The heading of a kind.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Directive => "directives",
            Self::Knowledge => "knowledge",
            Self::Tool => "tools",
            Self::Base => "base",
            Self::Append => "append",
            Self::Context => "context",
            Self::Skill => "skills",
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum ListFormat {
    #[default]
    Text,
    Json,
    /// One entry per line.
    Jsonl,
    Names,
}

#[derive(Debug, Clone, Copy)]
pub struct ListView {
    pub format: ListFormat,
    pub tokenizer: Tokenizer,
    pub screen: Screen,
}

pub fn write(list: &ListResult, view: &ListView, out: &mut dyn io::Write) -> io::Result<()> {
    let escaping = match view.format {
        ListFormat::Text => Escaping::Itself,
        ListFormat::Json | ListFormat::Jsonl => Escaping::Json,
        ListFormat::Names => Escaping::Text,
    };
    view.screen.write_escaped(escaping, out, |out| match view.format {
        ListFormat::Text => text::write(list, view, out),
        ListFormat::Json => json::write(list, view, out),
        ListFormat::Jsonl => json::write_lines(list, out),
        ListFormat::Names => {
            let in_use = list.entries.iter().filter(|entry| entry.left_out.is_none());
            in_use.map(|entry| &entry.name).try_for_each(|name| writeln!(out, "{name}"))
        }
    })
}
