//! The prompt lock: a file with digests and token counts of all prompts, and the check against it.

mod check;
mod file;
mod folder;
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
    pub setup: LockSetup,
    pub tokenizer: Tokenizer,
    /// All other flags that affect the prompts, as typed: `--model sonnet`.
    pub flags: Vec<String>,
    /// By directive id, or by agent and folder: `codex services/api`, `codex .`
    pub prompts: BTreeMap<String, Locked>,
}

/// Whose prompts a lock holds, and what determines them besides the files of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LockSetup {
    Directives {
        protocol: String,
        /// The labels of the tiers in search order.
        tiers: Vec<String>,
    },
    /// The agents with the releases whose rules apply, sorted: `codex@0.169.0`, `sf`.
    Agents(Vec<String>),
}

impl LockSetup {
    pub fn protocol(&self) -> Option<&str> {
        match self {
            Self::Directives { protocol, .. } => Some(protocol),
            Self::Agents(_) => None,
        }
    }

    pub fn tiers(&self) -> &[String] {
        match self {
            Self::Directives { tiers, .. } => tiers,
            Self::Agents(_) => &[],
        }
    }

    pub fn agents(&self) -> &[String] {
        match self {
            Self::Directives { .. } => &[],
            Self::Agents(agents) => agents,
        }
    }

    /// The part that may differ between a lock and a check, with its key in the file.
    fn listed(&self) -> (&'static str, &[String]) {
        match self {
            Self::Directives { tiers, .. } => ("tiers", tiers),
            Self::Agents(agents) => ("agents", agents),
        }
    }
}

/// The digests of the messages, tools and files of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Locked {
    #[serde(flatten)]
    pub messages: Digest,
    /// Null if there are no tools. The digest covers the list of `[name, description, input_schema]`.
    pub tools: Option<Digest>,
    /// Null for directives. The digest covers the list of `[path, state, why, at, sha256]` of the files that the agent
    /// looks at. `sha256` is that of a file that joins later, whose tokens count here, and null for other files.
    pub files: Option<Digest>,
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
        Self { messages, tools, files: None }
    }

    /// All parts together.
    pub fn tokens(&self) -> usize {
        self.messages.tokens + [&self.tools, &self.files].into_iter().flatten().map(|part| part.tokens).sum::<usize>()
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
