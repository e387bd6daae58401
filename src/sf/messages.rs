//! Earlier messages of a conversation, and what a model gets of them.

use std::sync::Arc;
use strum::{EnumString, IntoStaticStr, VariantArray};

use serde::{Deserialize, Deserializer};

use super::places;
use crate::prompt::Role;
use crate::text::{Origin, Source, Traced};
use crate::words::words;

/// A message as the agent keeps it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// What it is.
    pub role: Kind,
    /// Its text.
    #[serde(deserialize_with = "text")]
    pub content: Traced,
    /// Whether the user kept it from the model, which is so of commands alone.
    #[serde(default)]
    pub excluded: bool,
}

/// What a message is (The System Prompt Anatomy, "The Full Context Surface Area").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, IntoStaticStr, EnumString, VariantArray)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase", const_into_str)]
pub enum Kind {
    /// What the user said.
    User,
    /// What the model said.
    Assistant,
    /// What a tool answered.
    ToolResult,
    /// A command of the user and what it printed.
    BashExecution,
    /// What an extension added.
    Custom,
    /// What is left of a conversation that was made shorter.
    CompactionSummary,
    /// What is left of a branch of it.
    BranchSummary,
}

impl Kind {
    /// All words, for people.
    pub fn words() -> String {
        words::<Self>().join(", ")
    }

    /// Who says it to the model.
    pub fn role(self) -> Role {
        match self {
            Self::Assistant => Role::Assistant,
            Self::ToolResult => Role::Tool,
            _ => Role::User,
        }
    }
}

impl Kept {
    /// Whether the model gets it.
    pub fn is_sent(&self) -> bool {
        !(self.excluded && self.role == Kind::BashExecution)
    }
}

/// The messages of a file, each with the place at which the file holds its text.
pub fn placed(mut list: Vec<Kept>, file: &Arc<Source>) -> Vec<Kept> {
    if let Ok(nodes) = places::nodes(file) {
        for (kept, node) in list.iter_mut().zip(places::entries(Some(&nodes))) {
            places::place(&mut kept.content, node.get("content"));
        }
    }
    list
}

fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Traced, D::Error> {
    Ok(Traced::of(&String::deserialize(deserializer)?, Origin::Argument("messages".into())))
}
