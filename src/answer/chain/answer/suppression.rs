use std::collections::HashMap;

use crate::answer::chain::index::{Index, IndexedHook};
use crate::read::item::{Hook, ROUTING_EVENT};
use crate::read::protocol::Protocol;

/// The maximum number of ids that a note names.
const NAMED: usize = 3;

/// The directives that suppress something, by the name they suppress.
pub(super) struct Suppressions<'i> {
    by_name: HashMap<&'i str, Vec<usize>>,
    protocol: &'i Protocol,
}

impl<'i> Suppressions<'i> {
    pub fn new(index: &'i Index<'_>) -> Self {
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, (_, entry)) in index.directives.entries().enumerate() {
            for field in entry.directive.iter().flat_map(|directive| &directive.context.suppress) {
                by_name.entry(field.as_str()).or_default().push(at);
            }
        }
        Self { by_name, protocol: index.protocol }
    }

    pub fn of_item(&self, id: &str) -> &[usize] {
        let of_item = self.by_name.get(id).filter(|_| self.protocol.suppresses_items());
        of_item.map_or(&[], Vec::as_slice)
    }

    /// In the chain of `leaf`, the directive nearest the root that suppresses a hook.
    pub fn of_hook_in_chain(&self, index: &Index<'_>, leaf: usize, hook: &Hook) -> Option<usize> {
        let by = self.of_hook(hook);
        let members = index.directives.members(leaf).filter(|_| !by.is_empty());
        members.filter(|member| by.binary_search(member).is_ok()).last()
    }

    /// The directives that suppress a hook, in order: by its id, or by the item of its only action (Directives,
    /// "Configuration and hooks").
    pub fn of_hook(&self, hook: &Hook) -> Vec<usize> {
        if !self.protocol.suppresses_hooks() || !hook.fires() || hook.event == ROUTING_EVENT {
            return Vec::new();
        }
        let mut by: Vec<usize> =
            hook.suppressible_names().filter_map(|name| self.by_name.get(name)).flatten().copied().collect();
        by.sort_unstable();
        by.dedup();
        by
    }

    /// Notes what suppresses a hook: any directive for a configured hook, a member of the chain for a directive's hook.
    pub fn note(&self, index: &Index<'_>, indexed: &IndexedHook) -> Option<String> {
        match indexed.owner {
            Some(owner) => {
                self.of_hook_in_chain(index, owner, &indexed.hook).map(|by| suppressed_by(index.directives.id(by)))
            }
            None => {
                let by = self.of_hook(&indexed.hook);
                let mut names: Vec<String> =
                    by.iter().take(NAMED).map(|&by| index.directives.id(by).to_string()).collect();
                if by.len() > NAMED {
                    names.push(format!("{} more", by.len() - NAMED));
                }
                (!names.is_empty()).then(|| suppressed_by(&names.join(", ")))
            }
        }
    }
}

pub(super) fn suppressed_by(id: &str) -> String {
    format!("suppressed by {id}")
}
