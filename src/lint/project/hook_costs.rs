use std::collections::HashMap;
use std::hash::Hash;
use std::ops::AddAssign;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::item::{Action, Hook};
use crate::lint::placeholders::{self, Shows};
use crate::protocol::Protocol;
use crate::store::ItemKind;

use super::{HookText, Project};

/// What hooks add to a prompt at most, told from the sizes of files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HookCosts {
    /// Bytes of all texts, before anything is filled in.
    pub bytes: usize,
    /// Bytes of the texts that stand after the directive.
    pub after: usize,
    /// Bytes of the largest text.
    pub largest: usize,
    /// What they show of the thread.
    pub shows: Shown,
}

/// How often a text may show what stands in the hook context. Inputs are not counted: a prompt without any shows nothing
/// for them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shown {
    /// The directive's own text.
    pub bodies: usize,
    /// All that the thread may do.
    pub capabilities: usize,
    /// Other values.
    pub values: usize,
}

impl AddAssign for Shown {
    fn add_assign(&mut self, other: Self) {
        self.bodies += other.bodies;
        self.capabilities += other.capabilities;
        self.values += other.values;
    }
}

impl Shown {
    /// Counts the placeholders of a text.
    fn of(text: &str, protocol: &Protocol) -> Self {
        let mut shown = Self::default();
        for placeholder in placeholders::of_hook(text, protocol) {
            let Shows::Paths(paths) = placeholder.shows else { continue };
            for path in &paths {
                match placeholders::first(path) {
                    // The whole context.
                    "" => shown += Self { bodies: 1, capabilities: 1, values: 1 },
                    "directive_body" => shown.bodies += 1,
                    "capabilities_summary" => shown.capabilities += 1,
                    "inputs" => {}
                    _ => shown.values += 1,
                }
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

/// The events of a fresh thread that shape its prompt.
const EVENTS: [&str; 2] = ["build_system_prompt", "thread_started"];

/// What the element around a text adds besides its id and its name.
const ELEMENT: usize = 60;

/// What is worked out once, as several rules ask for it, of each directive with hooks.
#[derive(Debug, Default)]
pub(super) struct Costs {
    configured: OnceLock<HookCosts>,
    /// By what an action asks for.
    texts: Mutex<HashMap<Key, Option<TextCosts>>>,
    /// The largest text below each beginning of an id.
    below: Mutex<HashMap<String, Option<TextCosts>>>,
}

/// The kind, the primary and the id of an action.
type Key = (Option<String>, Option<String>, String);

/// What one text adds.
#[derive(Debug, Clone, Copy)]
struct TextCosts {
    bytes: usize,
    /// What its name may add.
    name: usize,
    shows: Shown,
}

impl Project<'_> {
    /// What the hooks of the configuration add to any prompt at most; worked out once.
    pub fn configured_costs(&self) -> HookCosts {
        *self.costs.configured.get_or_init(|| self.hook_costs(self.configured_hooks()))
    }

    /// What hooks add to a prompt at most.
    pub fn hook_costs<'h>(&self, hooks: impl Iterator<Item = &'h Hook>) -> HookCosts {
        let mut all = HookCosts::default();
        for hook in hooks.filter(|hook| hook.shapes_a_fresh_thread()) {
            let ids = hook.actions.iter().filter_map(|action| action.item_id.as_ref());
            let id = ids.map(|id| id.as_str().len()).max().unwrap_or(0);
            for text in hook.actions.iter().filter_map(|action| self.text_costs(action)) {
                let bytes = text.bytes + ELEMENT + 3 * id + text.name;
                let after = if hook.stands_after() { bytes } else { 0 };
                all += HookCosts { bytes, after, largest: bytes, shows: text.shows };
            }
        }
        all
    }

    fn text_costs(&self, action: &Action) -> Option<TextCosts> {
        let id = action.item_id.as_ref()?.as_str();
        if let Some((beginning, _)) = id.split_once("${") {
            return once(&self.costs.below, beginning.to_string(), || self.largest_below(beginning));
        }
        let key = (action.item_type.clone(), action.primary.clone(), id.to_string());
        once(&self.costs.texts, key, || {
            let HookText { file, text, .. } = self.hook_text(action)?;
            let whole = file.source.as_ref().map_or(0, |source| source.text().len());
            // A name that is declared stands twice in the element.
            Some(self.costs_of(text.text(), 2 * whole.saturating_sub(text.len())))
        })
    }

    /// For an action whose item a value decides: the largest text that the project has for it.
    fn largest_below(&self, beginning: &str) -> Option<TextCosts> {
        let knowledge = self.files.iter().filter(|file| file.kind.item() == Some(ItemKind::Knowledge));
        let below = knowledge.filter(|file| file.id.starts_with(beginning));
        let texts = below.filter_map(|file| file.source.as_ref().map(|source| source.text()));
        texts.max_by_key(|text| text.len()).map(|text| self.costs_of(text, 0))
    }

    fn costs_of(&self, text: &str, name: usize) -> TextCosts {
        TextCosts { bytes: text.len(), name, shows: Shown::of(text, self.protocol) }
    }
}

/// What is kept under a key, worked out first where nothing is.
fn once<K: Eq + Hash, V: Copy>(kept: &Mutex<HashMap<K, V>>, key: K, work: impl FnOnce() -> V) -> V {
    let kept = || kept.lock().unwrap_or_else(PoisonError::into_inner);
    let known = kept().get(&key).copied();
    known.unwrap_or_else(|| {
        let value = work();
        kept().insert(key, value);
        value
    })
}

impl Hook {
    /// Whether it may add text to the prompt of a fresh thread.
    fn shapes_a_fresh_thread(&self) -> bool {
        EVENTS.contains(&self.event.as_str())
    }
}
