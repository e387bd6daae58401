use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::directives::DirectiveFile;
use super::{Index, IndexedHook, ItemLocation, is_filled_in};
use crate::answer::chain::graph::{Edge, EdgeKind, Graph, GraphNode, NodeKind};
use crate::decide::DirectiveIndex;
use crate::decide::condition;
use crate::decide::request::Position;
use crate::diagnostic::Diagnostic;
use crate::fill::palette::Primary;
use crate::fill::palette::capability::{CapabilityPattern, Reach, shown};
use crate::read::item::{Directive, Hook, ROUTING_EVENT};
use crate::read::protocol::Protocol;
use crate::read::store::{ItemId, ItemKind, Tiers};
use crate::text::Span;

pub(super) fn build<'a>(
    tiers: &'a Tiers,
    protocol: &'a Protocol,
    directives: DirectiveIndex<DirectiveFile>,
    configured: Vec<Hook>,
    diagnostics: Vec<Diagnostic>,
) -> Index<'a> {
    let nodes = directives.entries().map(|(id, entry)| directive_node(id, &entry.file, tiers)).collect();
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
            builder.link(at, to, EdgeKind::Extends, Some(&field.span), None);
        }
        let Some(directive) = &entry.directive else { continue };
        builder.context(at, directive);
        builder.permissions(at, directive);
        for hook in &directive.hooks {
            let indexed = builder.hook(hook.clone(), Some(at));
            builder.link(at, indexed.node, EdgeKind::Hook, hook.span.as_ref(), None);
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

pub(in crate::answer::chain) fn put(node: &mut GraphNode, place: ItemLocation, tiers: &Tiers) {
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
    named: HashMap<(NodeKind, String), usize>,
    patterns: HashMap<usize, CapabilityPattern>,
}

impl IndexBuilder<'_> {
    fn link(&mut self, from: usize, to: usize, kind: EdgeKind, at: Option<&Span>, note: Option<String>) {
        self.graph.edges.push(Edge { from, to, kind, at: at.cloned(), note });
    }

    fn add(&mut self, node: GraphNode) -> usize {
        self.graph.nodes.push(node);
        self.graph.nodes.len() - 1
    }

    /// The node of an item that is not a known directive.
    fn named(&mut self, kind: NodeKind, id: &str) -> usize {
        let key = (kind, id.to_string());
        if let Some(&node) = self.named.get(&key) {
            return node;
        }
        let mut node = GraphNode::new(kind, id);
        if is_filled_in(id) {
            node.notes.push("resolved when the hook runs".to_string());
        }
        let node = self.add(node);
        self.named.insert(key, node);
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
            self.link(from, to, EdgeKind::Context(position), Some(&field.span), None);
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
                    self.link(from, to, EdgeKind::Tool, Some(&permission.span), None);
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
            node.path = Some(span.source().path().to_string());
            node.line = Some(span.line());
        }
        let routes = hook.event == ROUTING_EVENT;
        if !hook.fires() || (routes && self.protocol.routing.is_none()) {
            node.notes.push(format!("never fires: there is no event `{}`", hook.event));
        }
        let node = self.add(node);
        for action in &hook.actions {
            let Some((kind, id)) = action.item() else { continue };
            let to = match kind {
                ItemKind::Directive => self.directive(id.as_str()),
                _ => self.named(kind.into(), id.as_str()),
            };
            let runs = kind != ItemKind::Knowledge && action.primary.as_deref() == Some("execute");
            let note = format!("{}{}", if runs { "runs it " } else { "" }, when(&hook));
            self.link(node, to, EdgeKind::Hook, Some(&id.span), Some(note));
        }
        let target = hook.parent().filter(|_| hook.routes() && self.protocol.routing.is_some());
        let parent = target.map(|target| {
            let to = self.directive(target.as_str());
            let note = condition::words(&hook.condition).map_or("always".to_string(), |words| format!("if {words}"));
            self.link(node, to, EdgeKind::Extends, Some(&target.span), Some(note));
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
