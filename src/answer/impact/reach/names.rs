//! The names of items and tools in files and requests.

use crate::decide::request::Request;
use crate::fill::interpolate::hook::has_placeholder;
use crate::fill::palette::capability::{CapabilityPattern, Reach};
use crate::read::item::{Directive, Hook};
use crate::read::store::{ItemId, ItemKind};

/// A name that a render looks up.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum LookupName {
    Item(ItemKind, ItemId),
    /// All tools below a folder; an empty path means all tools.
    Tools(String),
    /// An id that depends on the prompt.
    Unknown,
}

/// The file of a directive, and the names in it.
#[derive(Debug, Default)]
pub(super) struct ReachedFile {
    pub differs: bool,
    /// For its own prompt only: the items of its hooks. Empty if the file differs.
    pub own: Vec<LookupName>,
    /// Also for the prompts of directives that extend it: its items, and the tools that it grants.
    pub shared: Vec<LookupName>,
}

impl ReachedFile {
    pub fn same(directive: &Directive) -> Self {
        let items = directive.context.items().filter_map(|field| item(ItemKind::Knowledge, field.as_str()));
        let tools = directive.permissions.iter().filter_map(|permission| tools(&permission.capability));
        Self {
            differs: false,
            own: directive.hooks.iter().flat_map(of_hook).collect(),
            shared: items.chain(tools).collect(),
        }
    }
}

pub(super) fn of_hook(hook: &Hook) -> impl Iterator<Item = LookupName> {
    hook.actions.iter().filter_map(|action| {
        let (kind, id) = action.item()?;
        match id.as_str() {
            id if has_placeholder(id) => Some(LookupName::Unknown),
            id => item(kind, id),
        }
    })
}

pub(super) fn parents_of_hook(hook: &Hook) -> impl Iterator<Item = ItemId> {
    hook.actions.iter().filter_map(|action| ItemId::parse(action.set_extends.as_ref()?.as_str()).ok())
}

/// The names in a request, and the parent that it sets.
pub(super) fn of_request(request: &Request) -> (Vec<LookupName>, Option<ItemId>) {
    let what_if = &request.what_if;
    let items = what_if.with_context.iter().filter_map(|(_, id)| item(ItemKind::Knowledge, id));
    let tools = request.parent_capabilities.iter().filter_map(|capability| tools(capability));
    let parent = what_if.set_extends.as_ref().and_then(|id| ItemId::parse(id).ok());
    (items.chain(tools).collect(), parent)
}

/// `None` for an invalid id, which no render looks up.
pub(super) fn item(kind: ItemKind, id: &str) -> Option<LookupName> {
    Some(LookupName::Item(kind, ItemId::parse(id).ok()?))
}

/// The tools that a capability may grant under any protocol.
fn tools(capability: &str) -> Option<LookupName> {
    match Reach::of(capability, true)?.pattern {
        CapabilityPattern::All => Some(LookupName::Tools(String::new())),
        CapabilityPattern::Below(folder) => Some(LookupName::Tools(folder)),
        CapabilityPattern::Exact(id) => item(ItemKind::Tool, &id),
    }
}
