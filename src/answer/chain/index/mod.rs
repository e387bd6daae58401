//! All items of the tiers and their links.

mod build;
mod directives;
mod listing;
mod routing;

use std::collections::HashMap;
use std::sync::Arc;

use super::graph::{Graph, GraphNode, NodeKind};
use crate::decide::DirectiveIndex;
use crate::diagnostic::{ChainLink, Diagnostic, Problem};
use crate::fill::assemble::Configuration;
use crate::fill::palette::Primary;
use crate::fill::palette::capability::CapabilityPattern;
use crate::read::item::{Hook, ItemField};
use crate::read::protocol::Protocol;
use crate::read::store::{ItemId, ItemKind, Tiers};

pub(super) use build::put;
use directives::DirectiveFile;
pub(super) use listing::{ItemLocation, find, list, locate};

pub(super) struct Index<'a> {
    pub tiers: &'a Tiers,
    pub protocol: &'a Protocol,
    /// Sorted by id. Each directive has the same index here and among the nodes.
    pub directives: DirectiveIndex<DirectiveFile>,
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
    /// The node of the parent that it sets.
    pub parent: Option<usize>,
    /// The directive that declares it; `None` for a configured hook.
    pub owner: Option<usize>,
}

impl<'a> Index<'a> {
    pub fn read(tiers: &'a Tiers, protocol: &'a Protocol) -> Result<Self, Diagnostic> {
        let mut diagnostics = Vec::new();
        let configuration = Configuration::read(tiers, protocol, &mut diagnostics)?;
        let directives = directives::read(tiers, protocol, &mut diagnostics)?;
        diagnostics
            .extend(directives.entries().filter_map(|(id, entry)| Some(entry.file.unusable.as_ref()?.warning(id))));
        Ok(build::build(tiers, protocol, directives, Arc::unwrap_or_clone(configuration).hooks, diagnostics))
    }

    pub fn node(&self, kind: NodeKind, id: &str) -> Option<usize> {
        let known = (kind == NodeKind::Directive).then(|| self.directives.find(id)).flatten();
        known.or_else(|| self.named.get(&(kind, id.to_string())).copied())
    }

    /// The error from rendering a directive whose chain ends in a cycle.
    pub fn cycle(&self, start: usize) -> Diagnostic {
        let members = self.directives.members(start);
        let steps: Vec<_> = members.filter_map(|at| Some((at, self.directives[at].extends()?))).collect();
        let link = |&(at, field): &(usize, &ItemField)| {
            let (id, source) = (self.directives.id(at).to_string(), field.span.source());
            let place = format!("{}:{}", source.path(), field.span.line());
            ChainLink { id, tier: source.tier().to_string(), place }
        };
        let again = steps.last().map(|(_, field)| *field);
        let chain = steps.iter().map(link).chain(again.map(|again| ChainLink::end(again.as_str()))).collect();
        Diagnostic { problem: Problem::CircularExtends { chain }, at: again.map(|again| (&again.span).into()) }
    }

    pub fn hook_of(&self, node: usize) -> Option<&IndexedHook> {
        self.hooks.binary_search_by_key(&node, |indexed| indexed.node).ok().map(|at| &self.hooks[at])
    }

    /// Whether a pattern covers a tool. Patterns never grant the primaries (Directives, "Tools").
    pub fn covers(&self, node: usize, tool: &str) -> bool {
        !Primary::is_primary(tool) && self.patterns.get(&node).is_some_and(|pattern| pattern.covers(tool))
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
fn is_filled_in(id: &str) -> bool {
    id.contains("${")
}
