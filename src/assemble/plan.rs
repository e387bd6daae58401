use indexmap::IndexSet;

use crate::prompt::{Decision, Declared, ItemRef, LayerKind, Outcome, Slot};
use crate::text::Traced;

/// What was considered for one place of the prompt, and what became of it.
#[derive(Debug)]
pub(super) struct Entry {
    /// Hook id, or item id.
    pub name: String,
    pub slot: Slot,
    pub kind: LayerKind,
    pub outcome: Outcome,
    /// A sentence.
    pub why: String,
    /// What decided about it.
    pub by: Option<Declared>,
    /// What asked for it.
    pub declared_by: Option<Declared>,
    pub item: Option<ItemRef>,
    pub wrap: bool,
    /// What it adds; none where it was left out. An empty text still stands between its neighbours.
    pub text: Option<Traced>,
}

impl Entry {
    /// An entry that asks for an item and has no text yet.
    pub fn asked(name: impl Into<String>, slot: Slot, kind: LayerKind, declared_by: Declared) -> Self {
        Self {
            name: name.into(),
            slot,
            kind,
            outcome: Outcome::Missing,
            why: String::new(),
            by: None,
            declared_by: Some(declared_by),
            item: None,
            wrap: false,
            text: None,
        }
    }

    /// Left out, for a reason.
    pub fn left_out(mut self, outcome: Outcome, why: impl Into<String>) -> Self {
        self.outcome = outcome;
        self.why = why.into();
        self
    }

    /// What decided, where that is not what asked for it.
    pub fn decided_by(mut self, by: Declared) -> Self {
        self.by = Some(by);
        self
    }

    /// Included, with its text.
    pub fn included(mut self, text: Traced, why: impl Into<String>) -> Self {
        (self.outcome, self.why) = match text.is_empty() {
            true => (Outcome::Empty, "it has no text".to_string()),
            false => (Outcome::Included, why.into()),
        };
        self.text = Some(text);
        self
    }

    /// The decision that views show.
    pub fn decision(&self, layer: Option<usize>) -> Decision {
        Decision {
            name: self.name.clone(),
            slot: self.slot,
            outcome: self.outcome,
            why: self.why.clone(),
            by: self.by.clone().or_else(|| self.declared_by.clone()),
            declared_by: self.declared_by.clone(),
            item: self.item.clone(),
            layer,
        }
    }
}

/// Everything that was considered for the messages.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// In assembly order within each slot.
    pub entries: Vec<Entry>,
}

impl Plan {
    /// The entries of a slot that have a text, in order, as indices.
    pub fn included(&self, slot: Slot) -> impl Iterator<Item = usize> {
        let entries = self.entries.iter().enumerate();
        entries.filter(move |(_, entry)| entry.slot == slot && entry.text.is_some()).map(|(index, _)| index)
    }

    /// Whether anything was considered for a slot.
    pub fn has(&self, slot: Slot) -> bool {
        self.entries.iter().any(|entry| entry.slot == slot)
    }

    /// The names of what contributed to these slots, each once, in order.
    pub fn names(&self, slots: &[Slot]) -> Vec<String> {
        let mut names = IndexSet::new();
        for entry in slots.iter().flat_map(|&slot| self.included(slot)).map(|index| &self.entries[index]) {
            names.insert(entry.name.clone());
        }
        names.into_iter().collect()
    }
}
