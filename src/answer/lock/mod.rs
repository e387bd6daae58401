//! The prompt lock: a file with digests and token counts of all prompts, and the check against it.

mod check;
mod file;
mod json;
pub mod shape;
#[cfg(test)]
mod testing;
mod text;

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::answer::render::WriteError;
use crate::prompt::digest;
use crate::prompt::{Prompt, ToolEntry, tool_tokens};
use crate::text::tokens::Tokenizer;
use crate::write::theme::Theme;

pub use check::{Check, LockChange, LockDifference};
pub use file::{is_lock, read, write};

/// The first line of the file.
pub const FORMAT: &str = "rye-render.lock/1";

/// The default name of the file.
pub const NAME: &str = "rye-render.lock";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lock {
    pub protocol: String,
    pub tokenizer: Tokenizer,
    /// The labels of the tiers in search order.
    pub tiers: Vec<String>,
    /// All other flags that affect the prompts, as typed: `--model sonnet`.
    pub flags: Vec<String>,
    /// By directive id.
    pub prompts: BTreeMap<String, Locked>,
}

/// The digests of the messages and of the tools of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Locked {
    #[serde(flatten)]
    pub messages: Digest,
    /// Null if there are no tools. The digest covers the list of `[name, description, input_schema]`.
    pub tools: Option<Digest>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Digest {
    /// SHA-256 of the JSON, in lower-case hex digits.
    pub sha256: String,
    pub tokens: usize,
}

impl Locked {
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

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum LockFormat {
    #[default]
    Text,
    Json,
}

#[derive(Debug, Clone, Copy)]
pub struct LockView<'a> {
    pub format: LockFormat,
    /// The name of the lock file.
    pub file: &'a str,
    pub theme: Theme,
    /// In columns.
    pub width: usize,
}

/// Writes the differences. Makes many small writes, so `out` should be buffered.
pub fn write_check(check: &Check, view: &LockView<'_>, out: &mut dyn io::Write) -> Result<(), WriteError> {
    match view.format {
        LockFormat::Text => Ok(text::write(check, view, out)?),
        LockFormat::Json => Ok(json::write(check, view, out)?),
    }
}
