//! A prompt under construction: its messages, layers and named sections.

use std::sync::Arc;

use crate::prompt::{Layer, LayerIds, LayerKind, Message, Role, SectionSource, Slot, SystemSection, TouchedFile};
use crate::text::{Source, Traced};

/// The text of a section.
#[derive(Clone)]
pub struct Text {
    pub text: Traced,
    /// The path of its file, or a fixed name if there is none.
    pub name: String,
    pub source: SectionSource,
}

impl Text {
    /// A text that is named after its source.
    pub fn named(name: &str, text: Traced) -> Self {
        Self { text, name: name.to_string(), source: SectionSource::One(name.to_string()) }
    }

    pub fn of_file(source: &Arc<Source>) -> Self {
        Self::named(source.path(), Traced::raw(&source.whole()))
    }
}

#[derive(Debug, Clone, Default)]
pub struct Draft {
    messages: Vec<Message>,
    layers: Vec<Layer>,
    touched: Vec<TouchedFile>,
    pub sections: Vec<SystemSection>,
    ids: LayerIds,
}

impl Draft {
    /// Starts a message; what follows is added to it.
    pub fn message(&mut self, role: Role) {
        self.messages.push(Message::new(role));
        if let Some(touched) = self.touched.last_mut() {
            touched.messages.end = self.messages.len();
        }
    }

    /// Ends the first request, or what joins because of the file before. The messages that follow join when the agent
    /// reads this file.
    pub fn touch(&mut self, file: &str) {
        let end = self.messages.len();
        self.touched.push(TouchedFile { file: file.to_string(), messages: end..end });
    }

    /// Adds text between layers.
    pub fn separate(&mut self, text: &str) {
        self.between(&Traced::protocol(text));
    }

    /// Adds text between layers that has an origin.
    pub fn between(&mut self, text: &Traced) {
        self.last().push(text, None);
    }

    /// Adds a named section and returns the index of its layer.
    pub fn section(&mut self, kind: &'static str, slot: Slot, layer: LayerKind, text: Text) -> usize {
        self.sections.push(SystemSection { kind, source: text.source });
        self.part(slot, layer, &text.name, &text.text)
    }

    /// Adds a layer and returns its index.
    pub fn part(&mut self, slot: Slot, kind: LayerKind, name: &str, text: &Traced) -> usize {
        let (id, name, index) = (self.ids.next(slot, name), name.to_string(), self.layers.len());
        self.last().push(text, Some(index));
        let (message, bytes) = (self.messages.len() - 1, text.len());
        self.layers.push(Layer { id, message, slot, kind, name, item: None, declared_by: None, wrap: false, bytes });
        index
    }

    fn last(&mut self) -> &mut Message {
        if self.messages.is_empty() {
            self.message(Role::System);
        }
        let last = self.messages.len() - 1;
        &mut self.messages[last]
    }

    /// The first message.
    pub fn system(&mut self) -> &mut Message {
        self.last();
        &mut self.messages[0]
    }

    /// Removes everything but the ids, which stay in use.
    pub fn clear(&mut self) {
        (self.messages, self.layers) = (vec![Message::new(Role::System)], Vec::new());
        self.sections.clear();
    }

    pub fn bytes(&self) -> u64 {
        self.messages.iter().map(|message| message.text().len() as u64).sum()
    }

    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    pub fn touched(&self) -> &[TouchedFile] {
        &self.touched
    }

    pub fn parts(self) -> (Vec<Message>, Vec<Layer>) {
        (self.messages, self.layers)
    }
}
