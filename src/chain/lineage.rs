use super::graph::NodeKind;
use super::index::Index;
use crate::diagnostic::{ChainLink, Diagnostic, Location, Problem};

/// The extends chains of all directives, each walked once and without recursion.
pub(super) struct Lineage {
    /// Each directive after its parent. In a cycle, any member may come first.
    pub root_first: Vec<usize>,
    pub circular: Vec<bool>,
    /// The first member of each cycle in byte order of ids.
    pub cycles: Vec<usize>,
}

impl Lineage {
    pub fn new(index: &Index<'_>) -> Self {
        let count = index.directives.len();
        let (mut root_first, mut circular, mut cycles) = (Vec::with_capacity(count), vec![false; count], Vec::new());
        let mut walk_of: Vec<Option<usize>> = vec![None; count];
        let mut walked = Vec::new();
        for start in 0..count {
            let mut next = Some(start);
            while let Some(at) = next.filter(|&at| walk_of[at].is_none()) {
                walk_of[at] = Some(start);
                walked.push(at);
                next = index.directives[at].parent;
            }
            // Reaching a node of the same walk closes a cycle, and its members are the last of the walk.
            let closes = next.filter(|&at| walk_of[at] == Some(start));
            if let Some(from) = closes.and_then(|at| walked.iter().position(|&member| member == at)) {
                cycles.extend(walked[from..].iter().min().copied());
            }
            let runs_into = closes.is_some() || next.is_some_and(|at| circular[at]);
            while let Some(at) = walked.pop() {
                circular[at] = runs_into;
                root_first.push(at);
            }
        }
        cycles.sort_unstable();
        Self { root_first, circular, cycles }
    }
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
    // A chain without a cycle is no longer than the list of directives.
    std::iter::successors(Some(start), next).take(index.directives.len())
}
