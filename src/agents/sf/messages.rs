//! The messages of a conversation: earlier ones, the user's and those of extensions.

use std::sync::Arc;

use serde::{Deserialize, Deserializer};
use strum::{EnumString, IntoStaticStr, VariantArray};

use super::extensions::Effect;
use crate::agents::draft::Draft;
use crate::agents::json::{entries, json_or_yaml, place};
use crate::prompt::{LayerKind, Message, Role, Slot};
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
        for (kept, node) in list.iter_mut().zip(entries(Some(&nodes))) {
            place(&mut kept.content, node.get("content"));
        }
    }
    list
}

fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Traced, D::Error> {
    Ok(Traced::of(&String::deserialize(deserializer)?, Origin::Argument("messages".into())))
}

#[derive(Debug, Clone)]
pub struct TurnMessage {
    slot: Slot,
    layer: LayerKind,
    /// Its kind, numbered if there may be several.
    pub name: String,
    role: Role,
    pub text: Traced,
}

impl TurnMessage {
    pub fn earlier(number: usize, kept: &StoredMessage) -> Self {
        let (role, text) = (kept.role.role(), kept.content.clone());
        let name = format!("{} {number}", kept.role.into_str());
        Self { slot: Slot::Earlier, layer: LayerKind::Message, name, role, text }
    }

    pub fn prompt(text: &str) -> Self {
        let text = Traced::of(text, Origin::Argument("PROMPT".into()));
        Self { slot: Slot::UserPrompt, layer: LayerKind::Prompt, name: "PROMPT".to_string(), role: Role::User, text }
    }

    /// A message that an extension adds next to the user's.
    pub fn injected_beside(extension: Option<&str>, text: &Traced) -> Self {
        let said = Self::injected(StoredRole::Custom, text);
        Self { name: extension.map_or(said.name, str::to_string), ..said }
    }

    pub fn injected(kind: StoredRole, text: &Traced) -> Self {
        let (role, text, name) = (kind.role(), text.clone(), kind.into_str().to_string());
        Self { slot: Slot::Injected, layer: LayerKind::Extension, name, role, text }
    }
}

impl Draft {
    pub fn change(&mut self, effect: &Effect) {
        let name = effect.extension();
        if let Some(text) = &effect.replace {
            self.clear();
            self.extend(name, text);
        }
        if let Some(text) = &effect.prepend {
            let old = std::mem::replace(self.system(), Message::new(Role::System));
            self.extend(name, text);
            for segment in old.segments() {
                self.system().push(&Traced::of(segment.text, segment.origin.clone()), segment.layer);
            }
        }
        if let Some(text) = &effect.append {
            self.extend(name, text);
        }
    }

    fn extend(&mut self, name: &str, text: &Traced) {
        self.part(Slot::SystemExtensions, LayerKind::Extension, name, text);
    }

    pub fn say(&mut self, said: &[TurnMessage]) {
        for TurnMessage { slot, layer, name, role, text } in said {
            self.message(*role);
            self.part(*slot, *layer, name, text);
        }
    }
}
