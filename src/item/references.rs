//! What directives and hooks name: the items that a prompt asks for beside the text of a directive.

use super::{Action, Context, Directive, Field, Hook};
use crate::store::ItemKind;

impl Context {
    /// The knowledge items that it places: `<system>`, `<before>`, `<after>`.
    pub fn items(&self) -> impl Iterator<Item = &Field> {
        [&self.system, &self.before, &self.after].into_iter().flatten()
    }
}

impl Directive {
    /// Every item that it names, those of its hooks included.
    pub fn references(&self) -> impl Iterator<Item = (ItemKind, &Field)> {
        self.references_handed_on().chain(self.hooks.iter().flat_map(Hook::references))
    }

    /// The items that it names for itself and for its children: its parent, and those of its context.
    pub fn references_handed_on(&self) -> impl Iterator<Item = (ItemKind, &Field)> {
        let parent = self.extends.iter().map(|id| (ItemKind::Directive, id));
        parent.chain(self.context.items().map(|id| (ItemKind::Knowledge, id)))
    }
}

impl Hook {
    /// Every item that its actions name, those with ids that are known only when it runs included.
    pub fn references(&self) -> impl Iterator<Item = (ItemKind, &Field)> {
        self.actions.iter().flat_map(|action| {
            let parent = action.set_extends.as_ref().map(|id| (ItemKind::Directive, id));
            action.item().into_iter().chain(parent)
        })
    }

    /// The parent that it sets for a directive: that of its first action which has one. An empty id sets none.
    pub fn parent(&self) -> Option<&Field> {
        let first = self.actions.iter().find_map(|action| action.set_extends.as_ref());
        first.filter(|id| !id.text.is_empty())
    }
}

impl Action {
    /// The kind of its item; none where that is missing or no kind at all.
    pub fn kind(&self) -> Option<ItemKind> {
        self.item_type.as_deref().and_then(ItemKind::from_word)
    }

    /// The item that it executes, fetches or loads; none where it does not say which.
    pub fn item(&self) -> Option<(ItemKind, &Field)> {
        Some((self.kind()?, self.item_id.as_ref()?))
    }
}
