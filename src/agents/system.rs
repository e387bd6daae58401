//! The system message under construction, and the messages after it.

use std::sync::Arc;

use super::extensions::Effect;
use super::messages::{StoredMessage, StoredRole};
use super::skills::Listing;
use crate::prompt::{Layer, LayerIds, LayerKind, Message, Role, SectionSource, Slot, SystemSection};
use crate::text::{Origin, Source, Traced};

pub(super) const ENVIRONMENT: &str = "date and folder";

pub(super) const AVAILABLE_SKILLS: &str = "available_skills";

pub(super) struct Text {
    pub text: Traced,
    /// The path of its file, or a fixed name if there is none.
    pub name: String,
    pub source: SectionSource,
}

impl Text {
    pub fn of_file(source: &Arc<Source>) -> Self {
        let path = source.path().to_string();
        Self { text: Traced::raw(&source.whole()), name: path.clone(), source: SectionSource::One(path) }
    }
}

#[derive(Debug, Clone)]
pub(super) struct TurnMessage {
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

/// The system message so far, and the messages after it.
#[derive(Clone)]
pub(super) struct System {
    pub message: Message,
    layers: Vec<Layer>,
    pub sections: Vec<SystemSection>,
    others: Vec<Message>,
    ids: LayerIds,
}

impl System {
    pub fn new() -> Self {
        let (layers, sections, others, ids) = (Vec::new(), Vec::new(), Vec::new(), LayerIds::default());
        Self { message: Message::new(Role::System), layers, sections, others, ids }
    }

    pub fn separate(&mut self, text: &str) {
        self.message.push(&Traced::protocol(text), None);
    }

    pub fn section(&mut self, kind: &'static str, slot: Slot, layer: LayerKind, text: Text) {
        self.part(slot, layer, &text.name, &text.text);
        self.sections.push(SystemSection { kind, source: text.source });
    }

    /// Adds the skills section, which has several layers.
    pub fn listing(&mut self, Listing { head, skills, tail }: &Listing<'_>) {
        self.part(Slot::SystemSkills, LayerKind::Skills, AVAILABLE_SKILLS, head);
        for (skill, entry) in skills {
            self.part(Slot::SystemSkills, LayerKind::Skill, skill.name.text(), entry);
        }
        self.message.push(tail, None);
        let paths = skills.iter().map(|(skill, _)| skill.path.clone());
        self.sections.push(SystemSection { kind: "skills", source: SectionSource::Several(paths.collect()) });
    }

    fn part(&mut self, slot: Slot, kind: LayerKind, name: &str, text: &Traced) {
        let index = self.layer(slot, kind, name, 0, text.len());
        self.message.push(text, Some(index));
    }

    fn layer(&mut self, slot: Slot, kind: LayerKind, name: &str, message: usize, bytes: usize) -> usize {
        let id = self.ids.next(slot, name);
        let name = name.to_string();
        self.layers.push(Layer { id, message, slot, kind, name, item: None, declared_by: None, wrap: false, bytes });
        self.layers.len() - 1
    }

    pub fn change(&mut self, effect: &Effect) {
        let name = effect.extension();
        if let Some(text) = &effect.replace {
            (self.message, self.layers) = (Message::new(Role::System), Vec::new());
            self.sections.clear();
            self.extend(name, text);
        }
        if let Some(text) = &effect.prepend {
            let old = std::mem::replace(&mut self.message, Message::new(Role::System));
            self.extend(name, text);
            for segment in old.segments() {
                self.message.push(&Traced::of(segment.text, segment.origin.clone()), segment.layer);
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
            let index = self.layer(*slot, *layer, name, self.others.len() + 1, text.len());
            let mut message = Message::new(*role);
            message.push(text, Some(index));
            self.others.push(message);
        }
    }

    pub fn bytes(&self) -> u64 {
        let messages = std::iter::once(&self.message).chain(&self.others);
        messages.map(|message| message.text().len() as u64).sum()
    }

    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    pub fn parts(self) -> (Vec<Message>, Vec<Layer>) {
        (std::iter::once(self.message).chain(self.others).collect(), self.layers)
    }
}
