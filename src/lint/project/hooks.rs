use std::ops::AddAssign;
use std::sync::OnceLock;

use crate::fill::assemble::TakenText;
use crate::lint::placeholders;
use crate::read::item::{Hook, HookAction, ItemField};
use crate::read::protocol::{KnowledgeText, Protocol};
use crate::read::store::ItemKind;
use crate::text::Traced;

use super::{Cache, LintFile, Project};

#[derive(Debug)]
pub struct HookText<'p> {
    /// As the hook names it.
    pub id: &'p ItemField,
    pub file: &'p LintFile,
    /// Before interpolation.
    pub text: Traced,
}

impl Project<'_> {
    /// The texts that a hook inserts from existing items whose ids contain no placeholder (Directives, "Knowledge").
    pub fn hook_texts<'p>(&'p self, hook: &'p Hook) -> Vec<HookText<'p>> {
        hook.actions.iter().filter_map(|action| self.hook_text(action)).collect()
    }

    pub(super) fn hook_text<'p>(&'p self, action: &'p HookAction) -> Option<HookText<'p>> {
        let id = action.item_id.as_ref().filter(|id| !id.as_str().contains("${"))?;
        let file = self.inserted(action)?;
        let is_run = action.executes();
        let is_knowledge = file.kind.item() == Some(ItemKind::Knowledge);
        let takes_text = is_knowledge && (is_run || self.protocol.knowledge == KnowledgeText::Body);
        let text = match takes_text {
            true => TakenText::of(&file.id, file.knowledge()?, self.protocol.hook_text).text.ok()?,
            false => whole(file)?,
        };
        Some(HookText { id, file, text })
    }

    /// The item whose text an action inserts; `None` for an action that runs a tool, since `lint` runs no tools.
    pub fn inserted(&self, action: &HookAction) -> Option<&LintFile> {
        let (kind, id) = action.item()?;
        let is_inserted = action.adds_text() && (kind == ItemKind::Knowledge || !action.executes());
        self.find(kind, id.as_str()).filter(|_| is_inserted)
    }
}

fn whole(file: &LintFile) -> Option<Traced> {
    let source = file.source.as_ref()?;
    Some(Traced::file(&source.whole().trim()))
}

/// An upper bound on what hooks add to a prompt, computed from file sizes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HookCosts {
    /// Of all texts, before interpolation.
    pub bytes: usize,
    /// Of the texts placed after the directive.
    pub after: usize,
    pub largest: usize,
    /// Values of the thread that they insert.
    pub shows: InsertedValues,
}

/// How often texts insert values of the hook context, except inputs: a prompt without inputs inserts nothing for them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InsertedValues {
    pub bodies: usize,
    /// The summary of the thread's capabilities.
    pub capabilities: usize,
    pub values: usize,
}

impl AddAssign for InsertedValues {
    fn add_assign(&mut self, other: Self) {
        self.bodies += other.bodies;
        self.capabilities += other.capabilities;
        self.values += other.values;
    }
}

impl InsertedValues {
    fn of(text: &str, protocol: &Protocol) -> Self {
        let mut shown = Self::default();
        for path in placeholders::of_hook(text, protocol).flat_map(|placeholder| placeholder.paths) {
            match placeholders::first(&path) {
                "" => shown += Self { bodies: 1, capabilities: 1, values: 1 },
                "directive_body" => shown.bodies += 1,
                "capabilities_summary" => shown.capabilities += 1,
                "inputs" => {}
                _ => shown.values += 1,
            }
        }
        shown
    }
}

impl AddAssign for HookCosts {
    fn add_assign(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.after += other.after;
        self.largest = self.largest.max(other.largest);
        self.shows += other.shows;
    }
}

/// Bytes of the element that wraps inserted text, without its id and name.
const ELEMENT: usize = 60;

/// Cached, because several rules need the costs of each directive with hooks.
#[derive(Debug, Default)]
pub(super) struct HookCostCache {
    configured: OnceLock<HookCosts>,
    /// By kind, primary and id of an action.
    texts: Cache<(Option<ItemKind>, Option<String>, String), Option<TextCosts>>,
    /// By prefix: the largest text of an item whose id begins with it.
    below: Cache<String, Option<TextCosts>>,
}

#[derive(Debug, Clone, Copy)]
struct TextCosts {
    bytes: usize,
    name: usize,
    shows: InsertedValues,
}

impl Project<'_> {
    pub fn configured_costs(&self) -> HookCosts {
        *self.cached.hook_costs.configured.get_or_init(|| self.hook_costs(self.configured_hooks()))
    }

    pub fn hook_costs<'h>(&self, hooks: impl Iterator<Item = &'h Hook>) -> HookCosts {
        let mut all = HookCosts::default();
        for hook in hooks.filter(|hook| hook.shapes_a_fresh_thread()) {
            let ids = hook.actions.iter().filter_map(|action| action.item_id.as_ref());
            let id = ids.map(|id| id.as_str().len()).max().unwrap_or(0);
            for text in hook.actions.iter().filter_map(|action| self.text_costs(action)) {
                let bytes = text.bytes + ELEMENT + 3 * id + text.name;
                let after = if hook.is_after() { bytes } else { 0 };
                all += HookCosts { bytes, after, largest: bytes, shows: text.shows };
            }
        }
        all
    }

    fn text_costs(&self, action: &HookAction) -> Option<TextCosts> {
        let id = action.item_id.as_ref()?.as_str();
        if let Some((beginning, _)) = id.split_once("${") {
            return self.cached.hook_costs.below.get_or_set(beginning.to_string(), || self.largest_below(beginning));
        }
        let key = (action.kind(), action.primary.clone(), id.to_string());
        self.cached.hook_costs.texts.get_or_set(key, || {
            let HookText { file, text, .. } = self.hook_text(action)?;
            let whole = file.source.as_ref().map_or(0, |source| source.text().len());
            // A declared name appears in the element twice.
            Some(self.costs_of(text.text(), 2 * whole.saturating_sub(text.len())))
        })
    }

    /// The largest text of a knowledge item whose id has this prefix, for an action whose id contains a placeholder.
    fn largest_below(&self, beginning: &str) -> Option<TextCosts> {
        let knowledge = self.files.iter().filter(|file| file.kind.item() == Some(ItemKind::Knowledge));
        let below = knowledge.filter(|file| file.id.starts_with(beginning));
        let texts = below.filter_map(|file| file.source.as_ref().map(|source| source.text()));
        texts.max_by_key(|text| text.len()).map(|text| self.costs_of(text, 0))
    }

    fn costs_of(&self, text: &str, name: usize) -> TextCosts {
        TextCosts { bytes: text.len(), name, shows: InsertedValues::of(text, self.protocol) }
    }
}

impl Hook {
    /// Whether its event builds messages for a new thread.
    pub(in crate::lint) fn shapes_a_fresh_thread(&self) -> bool {
        matches!(self.event.as_str(), "build_system_prompt" | "thread_started")
    }
}
