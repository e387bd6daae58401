//! All items of the tiers and their links.

mod build;
mod directives;
mod listing;
mod routing;

use std::collections::HashMap;
use std::sync::Arc;
use strum::VariantArray;

use super::graph::{Graph, GraphNode, NodeKind};
use crate::diagnostic::Diagnostic;
use crate::fill::assemble::Configuration;
use crate::fill::palette::Primary;
use crate::fill::palette::capability::CapabilityPattern;
use crate::read::item::Hook;
use crate::read::protocol::Protocol;
use crate::read::store::{ItemId, ItemKind, Tiers};

pub(super) use build::put;
use directives::{DirectiveDeclarations, IndexedDirective};
pub(super) use listing::{ItemLocation, list, locate};

/// The links that the directives and hooks of the tiers declare.
pub(super) struct Index<'a> {
    pub tiers: &'a Tiers,
    pub protocol: &'a Protocol,
    /// Sorted by id. Each directive has the same index here and among the nodes.
    pub directives: Vec<IndexedDirective>,
    /// The hooks of the configuration, then those of directives.
    pub hooks: Vec<IndexedHook>,
    /// All nodes and links, without roots. Knowledge and tools have no location here: see [`Self::placed`].
    pub graph: Graph,
    pub patterns: HashMap<usize, CapabilityPattern>,
    named: HashMap<(NodeKind, String), usize>,
    pub diagnostics: Vec<Diagnostic>,
}

pub(super) struct IndexedHook {
    pub node: usize,
    pub hook: Hook,
    /// The directive that declares it; `None` for a configured hook.
    pub owner: Option<usize>,
}

impl<'a> Index<'a> {
    pub fn read(tiers: &'a Tiers, protocol: &'a Protocol) -> Result<Self, Diagnostic> {
        let mut diagnostics = Vec::new();
        let configuration = Configuration::read(tiers, protocol, &mut diagnostics)?;
        let directives = directives::read(tiers, protocol, &mut diagnostics)?;
        diagnostics.extend(directives.iter().filter_map(IndexedDirective::warning));
        Ok(build::build(tiers, protocol, directives, Arc::unwrap_or_clone(configuration).hooks, diagnostics))
    }

    pub fn node(&self, kind: NodeKind, id: &str) -> Option<usize> {
        let known = (kind == NodeKind::Directive).then(|| directives::find(&self.directives, id)).flatten();
        known.or_else(|| self.named.get(&(kind, id.to_string())).copied())
    }

    pub fn hook_of(&self, node: usize) -> Option<&IndexedHook> {
        self.hooks.binary_search_by_key(&node, |indexed| indexed.node).ok().map(|at| &self.hooks[at])
    }

    /// Whether a pattern covers a tool. Patterns never grant the primaries (Directives, "Tools").
    pub fn covers(&self, node: usize, tool: &str) -> bool {
        let is_primary = Primary::VARIANTS.iter().any(|primary| primary.tool_id() == tool);
        match self.patterns.get(&node) {
            Some(CapabilityPattern::All) => !is_primary,
            Some(CapabilityPattern::Below(folder)) => {
                !is_primary && tool.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'))
            }
            Some(CapabilityPattern::Exact(_)) | None => false,
        }
    }

    pub fn hooks_named(&self, id: &str) -> impl Iterator<Item = usize> {
        self.hooks.iter().filter(move |indexed| indexed.hook.name() == id).map(|indexed| indexed.node)
    }

    pub fn placed(&self, node: usize) -> GraphNode {
        let mut placed = self.graph.nodes[node].clone();
        if !self.patterns.contains_key(&node) {
            self.place(&mut placed);
        }
        placed
    }

    /// Adds the location of a knowledge item or a tool; other nodes already have one.
    pub fn place(&self, node: &mut GraphNode) {
        let kind = match node.kind.item() {
            Some(kind @ (ItemKind::Knowledge | ItemKind::Tool)) if !is_filled_in(&node.id) => kind,
            _ => return,
        };
        match ItemId::parse(&node.id) {
            Err(reason) => node.notes.push(format!("not a valid item id: {reason}")),
            Ok(id) => match locate(self.tiers, kind, &id) {
                Some(place) => put(node, place, self.tiers),
                None => node.notes.push("no tier has it".to_string()),
            },
        }
    }
}

/// Whether an id is known only when a hook runs.
pub(super) fn is_filled_in(id: &str) -> bool {
    id.contains("${")
}
