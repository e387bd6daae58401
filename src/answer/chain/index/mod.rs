//! All items of the tiers and their links.

mod files;

use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rayon::prelude::*;

use crate::answer::chain::graph::{Edge, EdgeKind, Graph, GraphNode, NodeKind};
use crate::decide::request::Position;
use crate::decide::{self, DirectiveIndex, KnownContext, Routes, condition, routing_hooks};
use crate::diagnostic::{ChainLink, Diagnostic, Problem};
use crate::fill::assemble::Configuration;
use crate::fill::palette::Primary;
use crate::fill::palette::capability::{CapabilityPattern, Reach, shown};
use crate::read::item::{Directive, Hook, ItemField, ROUTING_EVENT};
use crate::read::protocol::Protocol;
use crate::read::store::{ItemId, ItemKind, Tiers};
use files::DirectiveFile;

pub(super) use files::{ItemLocation, find, list, locate};

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
    named: HashMap<NodeKind, HashMap<Arc<str>, usize>>,
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
        let directives = files::read(tiers, protocol, &mut diagnostics)?;
        diagnostics
            .extend(directives.entries().filter_map(|(id, entry)| Some(entry.file.unusable.as_ref()?.warning(id))));
        Ok(build(tiers, protocol, directives, Arc::unwrap_or_clone(configuration).hooks, diagnostics))
    }

    pub fn node(&self, kind: NodeKind, id: &str) -> Option<usize> {
        let known = (kind == NodeKind::Directive).then(|| self.directives.find(id)).flatten();
        known.or_else(|| self.named.get(&kind)?.get(id).copied())
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

    /// Links a directive to the hooks that may set its parent. Returns the parent if a hook is certain to set it.
    ///
    /// A condition on an input or the model is open: it depends on the prompt.
    pub fn route(&mut self, directive: usize) -> Option<usize> {
        let routes = self.routes(&self.routers(), directive)?.list;
        let routed = routes.last().filter(|route| route.holds).and_then(|route| route.hook.parent);
        let link = |route: &decide::Route<&IndexedHook>| {
            let note = if route.holds { "routes it" } else { "may route it" };
            let (to, at) = (route.hook.node, route.hook.hook.span.clone());
            Edge { from: directive, to, kind: EdgeKind::Extends, at, note: Some(note.to_string()) }
        };
        let links: Vec<Edge> = routes.iter().map(link).collect();
        if routed.is_some() {
            let own =
                self.graph.edges.iter_mut().filter(|edge| edge.from == directive && edge.kind == EdgeKind::Extends);
            own.for_each(|edge| edge.note = Some("not used: a hook routes it".to_string()));
        }
        self.graph.edges.extend(links);
        routed
    }

    /// The routing hooks, in the order in which they are tried.
    pub fn routers(&self) -> Vec<&IndexedHook> {
        let rules = self.protocol.routing;
        rules.map(|rules| routing_hooks(self.hooks.iter(), rules.order)).unwrap_or_default()
    }

    /// The hooks that set or may set the parent of a directive; `None` for other nodes and under other protocols.
    pub fn routes<'h>(&self, routers: &[&'h IndexedHook], directive: usize) -> Option<Routes<&'h IndexedHook>> {
        let rules = self.protocol.routing.filter(|_| self.directives.positions().contains(&directive))?;
        let (id, read) = (self.directives.id(directive), self.directives[directive].directive.as_ref());
        let known = read.map_or_else(|| KnownContext::new(id, false, ""), |directive| KnownContext::of(id, directive));
        Some(decide::routes(routers.iter().copied(), rules, &known))
    }
}

impl Borrow<Hook> for &IndexedHook {
    fn borrow(&self) -> &Hook {
        &self.hook
    }
}

/// Whether an id is known only when a hook runs.
fn is_filled_in(id: &str) -> bool {
    id.contains("${")
}

fn build<'a>(
    tiers: &'a Tiers,
    protocol: &'a Protocol,
    directives: DirectiveIndex<DirectiveFile>,
    configured: Vec<Hook>,
    diagnostics: Vec<Diagnostic>,
) -> Index<'a> {
    let node = |at| directive_node(directives.id(at), &directives[at].file, tiers);
    let nodes = directives.positions().into_par_iter().map(node).collect();
    let graph = Graph { nodes, ..Graph::default() };
    let mut builder =
        IndexBuilder { protocol, graph, directives: &directives, named: HashMap::new(), patterns: HashMap::new() };
    let mut hooks = Vec::new();
    for hook in configured {
        hooks.push(builder.hook(hook, None));
    }
    for (at, (_, entry)) in directives.entries().enumerate() {
        if let Some(field) = entry.extends() {
            let to = directives.parent(at).unwrap_or_else(|| builder.directive(field.as_str()));
            builder.graph.link(at, to, EdgeKind::Extends, Some(&field.span), None);
        }
        let Some(directive) = &entry.directive else { continue };
        builder.context(at, directive);
        builder.permissions(at, directive);
        for hook in &directive.hooks {
            let indexed = builder.hook(hook.clone(), Some(at));
            builder.graph.link(at, indexed.node, EdgeKind::Hook, hook.span.as_ref(), None);
            hooks.push(indexed);
        }
    }
    let IndexBuilder { graph, named, patterns, .. } = builder;
    Index { tiers, protocol, directives, hooks, graph, patterns, named, diagnostics }
}

fn directive_node(id: &str, file: &DirectiveFile, tiers: &Tiers) -> GraphNode {
    let mut node = GraphNode::new(NodeKind::Directive, id);
    put(&mut node, file.place.clone(), tiers);
    if let Some(unusable) = &file.unusable {
        node.notes.push(format!("cannot be used: {}", unusable.reason.lines().next().unwrap_or_default()));
    }
    node
}

pub(super) fn put(node: &mut GraphNode, place: ItemLocation, tiers: &Tiers) {
    node.tier = Some(Arc::clone(&tiers.list()[place.tier].label));
    node.path = Some(place.path);
    if !place.shadows.is_empty() {
        node.notes.push(format!("shadows the one in {}", place.shadows.join(" and ")));
    }
}

struct IndexBuilder<'a> {
    protocol: &'a Protocol,
    directives: &'a DirectiveIndex<DirectiveFile>,
    graph: Graph,
    named: HashMap<NodeKind, HashMap<Arc<str>, usize>>,
    patterns: HashMap<usize, CapabilityPattern>,
}

impl IndexBuilder<'_> {
    /// The node of an item that is not a known directive.
    fn named(&mut self, kind: NodeKind, id: &str) -> usize {
        if let Some(&node) = self.named.get(&kind).and_then(|named| named.get(id)) {
            return node;
        }
        let mut node = GraphNode::new(kind, id);
        if is_filled_in(id) {
            node.notes.push("resolved when the hook runs".to_string());
        }
        let id = Arc::clone(&node.id);
        let node = self.graph.add(node);
        self.named.entry(kind).or_default().insert(id, node);
        node
    }

    fn directive(&mut self, id: &str) -> usize {
        if let Some(known) = self.directives.find(id) {
            return known;
        }
        let node = self.named(NodeKind::Directive, id);
        let notes = &mut self.graph.nodes[node].notes;
        if notes.is_empty() {
            notes.push(match ItemId::parse(id) {
                Ok(_) => "no tier has it".to_string(),
                Err(reason) => format!("not a valid item id: {reason}"),
            });
        }
        node
    }

    fn context(&mut self, from: usize, directive: &Directive) {
        for (position, field) in Position::all_items(&directive.context) {
            let to = self.named(NodeKind::Knowledge, field.as_str());
            self.graph.link(from, to, EdgeKind::Context(position), Some(&field.span), None);
        }
    }

    fn permissions(&mut self, from: usize, directive: &Directive) {
        let star_is_all = self.protocol.tools.is_none_or(|rules| rules.star_is_all);
        let mut granted: HashSet<usize> = HashSet::new();
        for permission in &directive.permissions {
            let Some(reach) = Reach::of(&permission.capability, star_is_all) else { continue };
            let mut tools: Vec<usize> =
                reach.actions.iter().map(|primary| self.named(NodeKind::Tool, primary.tool_id())).collect();
            if reach.actions.contains(&Primary::Execute) {
                match (reach.kind, reach.pattern) {
                    (Some(ItemKind::Tool), CapabilityPattern::Exact(id)) => tools.push(self.named(NodeKind::Tool, &id)),
                    (Some(ItemKind::Tool), pattern @ CapabilityPattern::Below(_)) => {
                        tools.push(self.pattern(shown(&permission.capability), pattern));
                    }
                    (Some(ItemKind::Tool) | None, CapabilityPattern::All) if star_is_all => {
                        tools.push(self.pattern("*", CapabilityPattern::All))
                    }
                    _ => {}
                }
            }
            for to in tools {
                if granted.insert(to) {
                    self.graph.link(from, to, EdgeKind::Tool, Some(&permission.span), None);
                }
            }
        }
    }

    fn pattern(&mut self, id: &str, pattern: CapabilityPattern) -> usize {
        let node = self.named(NodeKind::Tool, id);
        self.patterns.entry(node).or_insert(pattern);
        node
    }

    fn hook(&mut self, hook: Hook, owner: Option<usize>) -> IndexedHook {
        let mut node = GraphNode::new(NodeKind::Hook, hook.name());
        if let Some(span) = &hook.span {
            node.tier = Some(span.source().tier().into());
            node.path = Some(span.source().path().into());
            node.line = Some(span.line());
        }
        let routes = hook.event == ROUTING_EVENT;
        if !hook.fires() || (routes && self.protocol.routing.is_none()) {
            node.notes.push(format!("never fires: there is no event `{}`", hook.event));
        }
        let node = self.graph.add(node);
        for action in &hook.actions {
            let Some((kind, id)) = action.item() else { continue };
            let to = match kind {
                ItemKind::Directive => self.directive(id.as_str()),
                _ => self.named(kind.into(), id.as_str()),
            };
            let runs = kind != ItemKind::Knowledge && action.primary.as_deref() == Some("execute");
            let note = format!("{}{}", if runs { "runs it " } else { "" }, when(&hook));
            self.graph.link(node, to, EdgeKind::Hook, Some(&id.span), Some(note));
        }
        let target = hook.parent().filter(|_| hook.routes() && self.protocol.routing.is_some());
        let parent = target.map(|target| {
            let to = self.directive(target.as_str());
            let note = condition::words(&hook.condition).map_or("always".to_string(), |words| format!("if {words}"));
            self.graph.link(node, to, EdgeKind::Extends, Some(&target.span), Some(note));
            to
        });
        IndexedHook { node, hook, parent, owner }
    }
}

/// `on thread_started if directive contains "deploy"`
fn when(hook: &Hook) -> String {
    match condition::words(&hook.condition) {
        Some(words) => format!("on {} if {words}", hook.event),
        None => format!("on {}", hook.event),
    }
}
