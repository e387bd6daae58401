//! The system message under construction, and the messages after it.

use super::extensions::Effect;
use super::messages::{StoredMessage, StoredRole};
use crate::agents::draft::Draft;
use crate::prompt::{LayerKind, Message, Role, Slot};
use crate::text::{Origin, Traced};

pub(super) const ENVIRONMENT: &str = "date and folder";

pub(super) const AVAILABLE_SKILLS: &str = "available_skills";

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
