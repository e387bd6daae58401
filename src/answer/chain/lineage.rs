use super::graph::NodeKind;
use super::index::Index;
use crate::decide::Lineage;
use crate::diagnostic::{ChainLink, Diagnostic, Location, Problem};

/// The extends chains of all directives.
pub(super) fn lineage(index: &Index<'_>) -> Lineage {
    Lineage::new(&index.directives.iter().map(|entry| entry.parent).collect::<Vec<_>>())
}

/// The error from rendering `start`, whose chain ends in a cycle.
pub(super) fn cycle(index: &Index<'_>, start: usize) -> Diagnostic {
    let mut chain: Vec<ChainLink> = Vec::new();
    let mut seen = vec![false; index.directives.len()];
    let (mut at, mut place) = (start, None);
    loop {
        let entry = &index.directives[at];
        if std::mem::replace(&mut seen[at], true) {
            chain.push(ChainLink { id: entry.id.clone(), tier: String::new(), place: String::new() });
            break;
        }
        let (Some(parent), Some(field)) = (entry.parent, entry.extends()) else { break };
        let span = &field.span;
        let shown = format!("{}:{}", span.source().path(), span.line());
        chain.push(ChainLink { id: entry.id.clone(), tier: span.source().tier().to_string(), place: shown });
        place = Some(Location::Span(span.clone()));
        at = parent;
    }
    Diagnostic { problem: Problem::CircularExtends { chain }, at: place }
}

/// A directive and its ancestors up to the root. In a cycle, they repeat.
pub(super) fn above<'i>(index: &'i Index<'_>, start: usize) -> impl Iterator<Item = usize> + 'i {
    debug_assert_eq!(index.graph.nodes[start].kind, NodeKind::Directive);
    let next = |at: &usize| index.directives[*at].parent;
    // The number of directives limits the length of a chain, unless it is circular.
    std::iter::successors(Some(start), next).take(index.directives.len())
}
