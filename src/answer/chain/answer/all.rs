//! The directives below their parents, for `--all` and `--invert`.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use strum::VariantArray;

use super::Subgraph;
use crate::answer::chain::graph::{Direction, Edge, EdgeKind, Graph, GraphNode, Links, NodeKind, visit};
use crate::answer::chain::index::{Index, ItemLocation, find, list, put};
use crate::answer::chain::scope::{EdgeWord, GraphScope};
use crate::diagnostic::{Diagnostic, Failure, Problem};
use crate::fill::assemble::INSTRUCTION_ITEM;
use crate::fill::palette::capability::CapabilityPattern;
use crate::fill::palette::{self, DIRECTIVE_RETURN, Primary};
use crate::read::store::{ItemId, ItemKind};
use crate::text::numbers::count;

/// Every directive below its parent, then everything that is unreachable or shadows an item in another tier.
pub(super) fn all(index: &Index<'_>, scope: &GraphScope, diagnostics: &mut Vec<Diagnostic>) -> Result<Graph, Failure> {
    let cycles: Vec<_> = index.directives.cycles().iter().map(|&member| index.cycle(member)).collect();
    if !cycles.is_empty() {
        return Err(cycles.into());
    }
    let mut part = Subgraph::new(index);
    let listed = Listings::new(index, diagnostics)?;
    let routing = Routing::new(index);
    for directive in index.directives.positions() {
        part.node(directive);
    }
    for edge in index.graph.edges.iter().filter(|edge| scope.follows(edge.kind, &[EdgeWord::Extends])) {
        for end in [edge.from, edge.to].into_iter().filter(|&end| part.taken[end].is_none()).collect::<Vec<_>>() {
            let node = listed.placed(index, end);
            part.taken[end] = Some(part.graph.add(node));
        }
        part.link(edge, routing.note(index, edge));
    }
    if scope.follows(EdgeKind::Extends, &[EdgeWord::Extends]) {
        routing.add(&mut part);
    }
    listed.add_notable(&mut part);
    for indexed in index.hooks.iter().filter(|indexed| !index.graph.nodes[indexed.node].notes.is_empty()) {
        part.node(indexed.node);
    }
    part.graph.direction = Direction::Backward;
    part.graph.roots = roots(&part.graph);
    Ok(part.graph)
}

/// The nodes that refer to nothing, and the first of each cycle that none of them leads to.
fn roots(graph: &Graph) -> Vec<usize> {
    let mut asks = vec![false; graph.nodes.len()];
    graph.edges.iter().for_each(|edge| asks[edge.from] = true);
    let referrers = Links::new(graph, |edge| edge.to);
    let below = |node| referrers.of(node).iter().map(|&edge| graph.edges[edge].from);
    let mut seen = vec![false; graph.nodes.len()];
    let mut roots: Vec<usize> = (0..graph.nodes.len()).filter(|&node| !asks[node]).collect();
    visit(&mut seen, roots.iter().copied(), below);
    for first in 0..graph.nodes.len() {
        if !seen[first] {
            roots.push(first);
            visit(&mut seen, [first], below);
        }
    }
    roots.sort_by_key(|&root| graph.nodes[root].kind);
    roots
}

struct Listings {
    knowledge: Vec<(ItemId, ItemLocation)>,
    tools: Vec<(ItemId, ItemLocation)>,
}

impl Listings {
    fn new(index: &Index<'_>, diagnostics: &mut Vec<Diagnostic>) -> Result<Self, Diagnostic> {
        let excluded = palette::excluded(index.tiers)?;
        Ok(Self {
            knowledge: list(index.tiers, ItemKind::Knowledge, &HashSet::new(), diagnostics)?,
            tools: list(index.tiers, ItemKind::Tool, &excluded, diagnostics)?,
        })
    }

    /// A node with its location, looked up in the listings if possible.
    fn placed(&self, index: &Index<'_>, at: usize) -> GraphNode {
        let node = &index.graph.nodes[at];
        let items = match node.kind {
            NodeKind::Knowledge => &self.knowledge,
            NodeKind::Tool if !index.patterns.contains_key(&at) => &self.tools,
            _ => return index.placed(at),
        };
        match find(items, &node.id) {
            Some(place) => {
                let mut node = node.clone();
                put(&mut node, place.clone(), index.tiers);
                node
            }
            None => index.placed(at),
        }
    }

    fn add_notable(&self, part: &mut Subgraph<'_, '_>) {
        let index = part.index;
        let reached = reached(index, &self.tools);
        let mut there: HashMap<(NodeKind, Arc<str>), usize> = HashMap::new();
        let is_item = |node: &GraphNode| matches!(node.kind, NodeKind::Knowledge | NodeKind::Tool);
        for (at, node) in part.graph.nodes.iter().enumerate().filter(|(_, node)| is_item(node)) {
            there.insert((node.kind, node.id.clone()), at);
        }
        for (kind, items, words) in [
            (NodeKind::Knowledge, &self.knowledge, "nothing injects it"),
            (NodeKind::Tool, &self.tools, "nothing grants it"),
        ] {
            for (id, place) in items {
                let is_reached = reached.contains(&(kind, id.as_str()));
                if is_reached && place.shadows.is_empty() {
                    continue;
                }
                let at = there.get(&(kind, id.as_str().into())).copied().unwrap_or_else(|| {
                    let mut node = GraphNode::new(kind, id.as_str());
                    put(&mut node, place.clone(), index.tiers);
                    part.graph.add(node)
                });
                if !is_reached {
                    part.graph.nodes[at].notes.push(words.to_string());
                }
            }
        }
    }
}

fn reached<'a>(index: &'a Index<'_>, tools: &'a [(ItemId, ItemLocation)]) -> HashSet<(NodeKind, &'a str)> {
    let mut items = HashSet::from([(NodeKind::Knowledge, INSTRUCTION_ITEM)]);
    if index.protocol.tools.is_some_and(|rules| rules.undeclared_primaries) {
        items.extend(Primary::VARIANTS.iter().copied().map(|primary| (NodeKind::Tool, primary.tool_id())));
    }
    let nodes = &index.graph.nodes;
    let mut is_reached = vec![false; nodes.len()];
    for Edge { from, to, .. } in &index.graph.edges {
        let never_fires = nodes[*from].kind == NodeKind::Hook && !nodes[*from].notes.is_empty();
        is_reached[*to] |= !never_fires && nodes[*to].kind != NodeKind::Directive;
    }
    items.extend(nodes.iter().zip(is_reached).filter(|(_, it)| *it).map(|(node, _)| (node.kind, &*node.id)));
    for &pattern in index.patterns.keys() {
        items.extend(covered(index, pattern, tools).map(|id| (NodeKind::Tool, id)));
    }
    if index.directives.entries().filter_map(|(_, entry)| entry.directive.as_ref()).any(|it| !it.outputs.is_empty()) {
        let id = DIRECTIVE_RETURN.trim_start_matches("rye.execute.tool.");
        let returns = tools.iter().find(|(tool, _)| tool.as_str().replace('/', ".") == id);
        items.extend(returns.map(|(tool, _)| (NodeKind::Tool, tool.as_str())));
    }
    items
}

/// The tools that a pattern covers. `tools` must be sorted by id.
fn covered<'t>(index: &Index<'_>, node: usize, tools: &'t [(ItemId, ItemLocation)]) -> impl Iterator<Item = &'t str> {
    let from = match index.patterns.get(&node) {
        Some(CapabilityPattern::Below(folder)) => {
            let below = format!("{folder}/");
            let first = tools.partition_point(|(id, _)| *id.as_str() < *below);
            let count = tools[first..].iter().take_while(|(id, _)| id.as_str().starts_with(&below)).count();
            &tools[first..first + count]
        }
        _ => tools,
    };
    from.iter().map(|(id, _)| id.as_str()).filter(move |id| index.covers(node, id))
}

/// The directives that extend a directive, directly or not, and the hooks that route others to it.
pub(super) fn invert(index: &Index<'_>, id: &str, scope: &GraphScope) -> Result<Graph, Diagnostic> {
    let root = directive(index, id)?;
    // Only a member of a cycle extends itself; a directive that leads into a cycle does not.
    let directives = &index.directives;
    let is_known = directives.positions().contains(&root);
    if is_known && directives.members(root).last().and_then(|last| directives.parent(last)) == Some(root) {
        return Err(index.cycle(root));
    }
    let routing = Routing::new(index);
    let referrers = Links::new(&index.graph, |edge| edge.to);
    let mut part = Subgraph::new(index);
    let own = part.node(root);
    part.graph.roots.push(own);
    let mut to_visit = vec![root];
    while let Some(node) = to_visit.pop() {
        for edge in referrers.of(node).iter().map(|&edge| &index.graph.edges[edge]) {
            if scope.follows(edge.kind, &[EdgeWord::Extends]) {
                if part.taken[edge.from].is_none() {
                    to_visit.push(edge.from);
                }
                part.link(edge, routing.note(index, edge));
            }
        }
    }
    if scope.follows(EdgeKind::Extends, &[EdgeWord::Extends]) {
        routing.add(&mut part);
    }
    part.graph.direction = Direction::Backward;
    Ok(part.graph)
}

fn directive(index: &Index<'_>, id: &str) -> Result<usize, Diagnostic> {
    if let Some(node) = index.node(NodeKind::Directive, id) {
        return Ok(node);
    }
    let searched = index.tiers.list().iter().map(|tier| tier.label.to_string()).collect();
    let nearest = ItemId::parse(id).ok().and_then(|id| index.tiers.nearest_id(ItemKind::Directive, &id));
    Err(Diagnostic::new(Problem::DirectiveNotFound { id: id.to_string(), searched, nearest }))
}

#[derive(Default)]
struct Routing {
    own: HashMap<usize, usize>,
    certain: HashMap<usize, Vec<usize>>,
    possible: HashMap<usize, usize>,
}

impl Routing {
    fn new(index: &Index<'_>) -> Self {
        let mut routing = Self::default();
        let routers = index.routers();
        if routers.is_empty() {
            return routing;
        }
        for directive in index.directives.positions() {
            let Some(routes) = index.routes(&routers, directive) else { continue };
            // A later hook might not be reached, because an earlier hook's condition might hold.
            let certain = routes.certain().map(|hook| hook.node);
            for hook in routes.list.iter().map(|route| route.hook).filter(|hook| hook.parent != Some(directive)) {
                if certain == Some(hook.node) {
                    routing.own.insert(directive, hook.node);
                    routing.certain.entry(hook.node).or_default().push(directive);
                } else {
                    *routing.possible.entry(hook.node).or_default() += 1;
                }
            }
        }
        routing
    }

    /// Notes that a hook overrides `extends` for a directive's own prompt. Its children still inherit through
    /// `extends`.
    fn note(&self, index: &Index<'_>, edge: &Edge) -> Option<String> {
        let hook = *self.own.get(&edge.from).filter(|_| edge.kind == EdgeKind::Extends)?;
        Some(format!("its own prompt is routed by hook {}", index.graph.nodes[hook].id))
    }

    /// Adds the directives that the hooks route, but not those that extend them, which are not routed themselves.
    fn add(&self, part: &mut Subgraph<'_, '_>) {
        let index = part.index;
        for indexed in &index.hooks {
            let Some(hook) = part.taken[indexed.node] else { continue };
            for &directive in self.certain.get(&indexed.node).into_iter().flatten() {
                let from = part.copy(directive);
                let note = Some(format!("routed by hook {}", indexed.hook.name()));
                part.graph.link(from, hook, EdgeKind::Extends, indexed.hook.span.as_ref(), note);
            }
            if let Some(&possible) = self.possible.get(&indexed.node) {
                let note = format!("may route {}, depending on the prompt", count(possible, "directive"));
                part.graph.nodes[hook].notes.push(note);
            }
        }
    }
}
