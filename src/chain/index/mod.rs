//! Every item of the tiers, and what asks for what.

mod build;
mod directives;
mod listing;
mod routing;

use std::collections::HashMap;
use std::sync::Arc;
use strum::VariantArray;

use super::graph::{Graph, Node, NodeKind};
use crate::assemble::Configuration;
use crate::diagnostic::Diagnostic;
use crate::item::Hook;
use crate::palette::Primary;
use crate::palette::capability::Pattern;
use crate::protocol::Protocol;
use crate::store::{ItemId, ItemKind, Tiers};

use directives::{Declared, Entry};
pub(super) use listing::{Place, list, locate};

/// What the directives and hooks of the tiers ask for.
pub(super) struct Index<'a> {
    pub tiers: &'a Tiers,
    pub protocol: &'a Protocol,
    /// The directives in byte order of ids. That of an index is the node of the same index.
    pub directives: Vec<Entry>,
    /// The hooks of the configuration, then those of directives.
    pub hooks: Vec<IndexedHook>,
    /// Everything that was met and every link, without roots. Knowledge and tools have no place in it: see
    /// [`Self::placed`].
    pub graph: Graph,
    /// The nodes that stand for all tools of a pattern.
    pub patterns: HashMap<usize, Pattern>,
    /// What was met besides known directives and hooks.
    named: HashMap<(NodeKind, String), usize>,
    /// Warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// A hook and its node.
pub(super) struct IndexedHook {
    pub node: usize,
    pub hook: Hook,
    /// The directive that declares it; none for one of the configuration.
    pub owner: Option<usize>,
}

impl<'a> Index<'a> {
    /// Reads every directive, each file once, and the configuration.
    pub fn read(tiers: &'a Tiers, protocol: &'a Protocol) -> Result<Self, Diagnostic> {
        let mut diagnostics = Vec::new();
        let configuration = Configuration::read(tiers, protocol, &mut diagnostics)?;
        let directives = directives::read(tiers, protocol, &mut diagnostics)?;
        diagnostics.extend(directives.iter().filter_map(Entry::warning));
        Ok(build::build(tiers, protocol, directives, Arc::unwrap_or_clone(configuration).hooks, diagnostics))
    }

    /// The node of an item that was met.
    pub fn node(&self, kind: NodeKind, id: &str) -> Option<usize> {
        let known = (kind == NodeKind::Directive).then(|| directives::find(&self.directives, id)).flatten();
        known.or_else(|| self.named.get(&(kind, id.to_string())).copied())
    }

    /// The hook of a node, if it is one.
    pub fn hook_of(&self, node: usize) -> Option<&IndexedHook> {
        self.hooks.binary_search_by_key(&node, |indexed| indexed.node).ok().map(|at| &self.hooks[at])
    }

    /// Whether a node stands for tools that one is among. The primaries wait for a grant of their own (Directives,
    /// "Tools").
    pub fn covers(&self, node: usize, tool: &str) -> bool {
        let is_primary = Primary::VARIANTS.iter().any(|primary| primary.tool_id() == tool);
        match self.patterns.get(&node) {
            Some(Pattern::All) => !is_primary,
            Some(Pattern::Below(folder)) => {
                !is_primary && tool.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'))
            }
            Some(Pattern::Exact(_)) | None => false,
        }
    }

    /// The nodes of the hooks of that id.
    pub fn hooks_named(&self, id: &str) -> impl Iterator<Item = usize> {
        self.hooks.iter().filter(move |indexed| indexed.hook.name() == id).map(|indexed| indexed.node)
    }

    /// A node with the place of its file.
    pub fn placed(&self, node: usize) -> Node {
        let mut placed = self.graph.nodes[node].clone();
        if !self.patterns.contains_key(&node) {
            self.place(&mut placed);
        }
        placed
    }

    /// Says where a knowledge item or a tool is; what else there is says it already.
    pub fn place(&self, node: &mut Node) {
        let kind = match node.kind {
            NodeKind::Knowledge => ItemKind::Knowledge,
            NodeKind::Tool => ItemKind::Tool,
            NodeKind::Directive
            | NodeKind::Hook
            | NodeKind::Folder
            | NodeKind::Base
            | NodeKind::Append
            | NodeKind::Context
            | NodeKind::Skills
            | NodeKind::Skill => return,
        };
        if is_filled_in(&node.id) {
            return;
        }
        match ItemId::parse(&node.id) {
            Err(reason) => node.notes.push(format!("no item id: {reason}")),
            Ok(id) => match locate(self.tiers, kind, &id) {
                Some(place) => self.put(node, place),
                None => node.notes.push("no tier has it".to_string()),
            },
        }
    }

    /// Says where an item is, and which copies it shadows.
    pub fn put(&self, node: &mut Node, place: Place) {
        build::put(node, place, self.tiers);
    }
}

/// Whether an id is known only when a hook runs.
pub(super) fn is_filled_in(id: &str) -> bool {
    id.contains("${")
}
