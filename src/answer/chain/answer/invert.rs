use super::routing::Routing;
use super::{Subgraph, directive};
use crate::answer::chain::graph::{Direction, EdgeKind, Graph};
use crate::answer::chain::index::Index;
use crate::answer::chain::scope::{EdgeWord, GraphScope, Links};
use crate::diagnostic::Diagnostic;

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
