use std::collections::HashMap;

use super::{Subgraph, directive};
use crate::answer::chain::graph::{Direction, Edge, EdgeKind, Graph, Links};
use crate::answer::chain::index::Index;
use crate::answer::chain::scope::{EdgeWord, GraphScope};
use crate::diagnostic::Diagnostic;
use crate::text::numbers::count;

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

#[derive(Default)]
pub(super) struct Routing {
    own: HashMap<usize, usize>,
    certain: HashMap<usize, Vec<usize>>,
    possible: HashMap<usize, usize>,
}

impl Routing {
    pub fn new(index: &Index<'_>) -> Self {
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
    pub fn note(&self, index: &Index<'_>, edge: &Edge) -> Option<String> {
        let hook = *self.own.get(&edge.from).filter(|_| edge.kind == EdgeKind::Extends)?;
        Some(format!("its own prompt is routed by hook {}", index.graph.nodes[hook].id))
    }

    /// Adds the directives that the hooks route, but not those that extend them, which are not routed themselves.
    pub fn add(&self, part: &mut Subgraph<'_, '_>) {
        let index = part.index;
        for indexed in &index.hooks {
            let Some(hook) = part.taken[indexed.node] else { continue };
            for &directive in self.certain.get(&indexed.node).into_iter().flatten() {
                let from = part.copy(directive);
                let note = Some(format!("routed by hook {}", indexed.hook.name()));
                let at = indexed.hook.span.clone();
                part.graph.edges.push(Edge { from, to: hook, kind: EdgeKind::Extends, at, note });
            }
            if let Some(&possible) = self.possible.get(&indexed.node) {
                let note = format!("may route {}, depending on the prompt", count(possible, "directive"));
                part.graph.nodes[hook].notes.push(note);
            }
        }
    }
}
