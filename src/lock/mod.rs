//! The prompt lock: digests and token counts of all prompts in one file, and what is not as the file says.
//!
//! `file` writes and reads it; `check` compares; `text` and `json` show what came of that.

mod check;
mod file;
mod json;
pub mod shape;
#[cfg(test)]
mod testing;
mod text;

use std::collections::BTreeMap;
use std::io;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::digest;
use crate::prompt::{Prompt, ToolEntry, tool_tokens};
use crate::render::WriteError;
use crate::theme::Theme;
use crate::tokens::Tokenizer;

pub use check::{Change, Check, Difference};
pub use file::{is_lock, read, write};

/// The first line of the file: its kind and version.
pub const FORMAT: &str = "rye-render.lock/1";

/// The file's name, unless another one is chosen.
pub const NAME: &str = "rye-render.lock";

/// All prompts of a project, each by its digests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lock {
    /// The name of the protocol.
    pub protocol: String,
    /// How tokens were counted.
    pub tokenizer: Tokenizer,
    /// The labels of the tiers in search order.
    pub tiers: Vec<String>,
    /// Everything else that decides the prompts, as it is typed: `--model sonnet`.
    pub flags: Vec<String>,
    /// The prompts by the ids of their directives.
    pub prompts: BTreeMap<String, Locked>,
}

/// A prompt by its digests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locked {
    /// The messages.
    pub messages: Digest,
    /// The tools; none where there are no tools.
    pub tools: Option<Digest>,
}

/// A digest and a size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digest {
    /// SHA-256 in lower-case hex digits.
    pub sha256: String,
    /// How many tokens it is.
    pub tokens: usize,
}

impl Locked {
    /// What is locked of a prompt.
    pub fn new(prompt: &Prompt, tokenizer: Tokenizer) -> Self {
        let tokens = prompt.messages.iter().map(|message| tokenizer.count(message.text())).sum();
        let messages = Digest { sha256: digest::sha256(&prompt.messages), tokens };
        let tools = (!prompt.tools.is_empty()).then(|| Digest {
            sha256: digest::sha256_of_tools(&prompt.tools),
            tokens: tool_tokens(prompt.tools.iter().map(ToolEntry::text), tokenizer),
        });
        Self { messages, tools }
    }

    /// Messages and tools together.
    pub fn tokens(&self) -> usize {
        self.messages.tokens + self.tools.as_ref().map_or(0, |tools| tools.tokens)
    }
}

/// The forms in which a check can be written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// One object with everything.
    Json,
}

/// How to write a check.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// In which form.
    pub format: Format,
    /// What to call the file.
    pub file: &'a str,
    /// Colours (text).
    pub theme: Theme,
    /// Columns (text).
    pub width: usize,
}

/// Writes what is not as locked, in many small writes: give it a buffer.
pub fn write_check(check: &Check, view: &View<'_>, out: &mut dyn io::Write) -> Result<(), WriteError> {
    match view.format {
        Format::Text => Ok(text::write(check, view, out)?),
        Format::Json => Ok(json::write(check, view, out)?),
    }
}
