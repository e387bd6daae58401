//! Everything there is: the items of all tiers, or what an agent reads in a folder, each with its tier, its size, whether
//! it counts, and what its signature is worth.

mod folder;
mod items;
mod json;
pub mod shape;
mod text;

use std::io;
use std::sync::Arc;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::diagnostic::Diagnostic;
use crate::theme::Theme;
use crate::tokens::Tokenizer;
use crate::trust::Trust;

pub use folder::of_folder;
pub use items::of_tiers;

/// What there is.
#[derive(Debug)]
pub struct List {
    /// The name of the protocol.
    pub protocol: String,
    /// The folder in which an agent works; none of items of tiers.
    pub folder: Option<String>,
    /// The kinds that are listed, in order.
    pub kinds: Vec<Kind>,
    /// What there is, by kinds in that order. Of items in byte order of ids, each followed by its copies that do not count;
    /// of a folder in the order of the prompt.
    pub entries: Vec<Entry>,
    /// Warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
}

/// Something that may come into a prompt.
#[derive(Debug)]
pub struct Entry {
    /// What it is.
    pub kind: Kind,
    /// Its id; of a file of a folder its path, of a skill its name.
    pub name: String,
    /// What it says of itself, if it does.
    pub about: Option<String>,
    /// Its tier.
    pub tier: Arc<str>,
    /// Its file, as the tier calls it.
    pub path: String,
    /// The bytes of its file as it lies on disk; 0 without one, and of one that cannot be read.
    pub bytes: usize,
    /// The tokens that it adds to a prompt: of a directive its own text, of a knowledge item its text, of a tool its
    /// definition, of a skill its entry in the list.
    pub tokens: usize,
    /// Why it is not in use, if so, a clause: a copy of another tier counts, or it cannot be read.
    pub left_out: Option<LeftOut>,
    /// What is known of its signature; none where nothing is signed, and of what cannot be read.
    pub trust: Option<Trust>,
}

/// Why something is not in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The label of the tier whose copy counts, if that is why.
    pub shadowed_by: Option<String>,
    /// A clause.
    pub why: String,
}

/// What there may be.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr, VariantArray, Display, EnumString,
)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Kind {
    /// A directive.
    Directive,
    /// A knowledge item.
    Knowledge,
    /// A tool.
    Tool,
    /// The base of the prompt of a folder.
    Base,
    /// What is appended to it.
    Append,
    /// A file of instructions.
    Context,
    /// A skill.
    Skill,
}

impl Kind {
    /// Those of tiers.
    pub const OF_TIERS: [Self; 3] = [Self::Directive, Self::Knowledge, Self::Tool];

    /// Those of folders.
    pub const OF_FOLDERS: [Self; 4] = [Self::Base, Self::Append, Self::Context, Self::Skill];

    /// What several are called.
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

/// The forms of a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// One object with everything.
    Json,
    /// The names of what is in use, one a line.
    Names,
}

/// How a list is shown.
#[derive(Debug, Clone, Copy)]
pub struct View {
    /// In which form.
    pub format: Format,
    /// How tokens were counted.
    pub tokenizer: Tokenizer,
    /// Colours (text).
    pub theme: Theme,
    /// Columns (text).
    pub width: usize,
}

/// Writes a list. What stands in it is made visible by the text view; a JSON string shows nothing by itself.
pub fn write(list: &List, view: &View, out: &mut dyn io::Write) -> io::Result<()> {
    match view.format {
        Format::Text => text::write(list, view, out),
        Format::Json => json::write(list, view, out),
        Format::Names => {
            let in_use = list.entries.iter().filter(|entry| entry.left_out.is_none());
            in_use.map(|entry| &entry.name).try_for_each(|name| writeln!(out, "{name}"))
        }
    }
}
