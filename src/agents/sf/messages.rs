//! Earlier messages of a conversation, and the form in which a model receives them.

use std::sync::Arc;
use strum::{EnumString, IntoStaticStr, VariantArray};

use serde::{Deserialize, Deserializer};

use super::places;
use crate::agents::json::json_or_yaml;
use crate::prompt::Role;
use crate::text::words::words;
use crate::text::{Origin, Source, Traced};

/// A message as the agent stores it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredMessage {
    pub role: StoredRole,
    #[serde(deserialize_with = "text")]
    pub content: Traced,
    /// Whether the user excluded it from the model's context; only commands can be excluded.
    #[serde(default)]
    pub excluded: bool,
}

/// The kinds of messages (The System Prompt Anatomy, "The Full Context Surface Area").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, IntoStaticStr, EnumString, VariantArray)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase", const_into_str)]
pub enum StoredRole {
    User,
    Assistant,
    ToolResult,
    /// A command that the user ran, with its output.
    BashExecution,
    Custom,
    CompactionSummary,
    BranchSummary,
}

impl StoredRole {
    pub fn words() -> String {
        words::<Self>().join(", ")
    }

    /// The role in which the model receives it.
    pub fn role(self) -> Role {
        match self {
            Self::Assistant => Role::Assistant,
            Self::ToolResult => Role::Tool,
            _ => Role::User,
        }
    }
}

impl StoredMessage {
    pub fn is_sent(&self) -> bool {
        !(self.excluded && self.role == StoredRole::BashExecution)
    }
}

pub fn placed(mut list: Vec<StoredMessage>, file: &Arc<Source>) -> Vec<StoredMessage> {
    if let Ok(nodes) = json_or_yaml(file) {
        for (kept, node) in list.iter_mut().zip(places::entries(Some(&nodes))) {
            places::place(&mut kept.content, node.get("content"));
        }
    }
    list
}

fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Traced, D::Error> {
    Ok(Traced::of(&String::deserialize(deserializer)?, Origin::Argument("messages".into())))
}
