use std::collections::HashSet;

use super::{Subgraph, is_in_tier, unknown};
use super::{Suppressions, suppressed_by};
use crate::answer::chain::graph::{Direction, Edge, EdgeKind, Graph, GraphNode, NodeKind};
use crate::answer::chain::index::Index;
use crate::answer::chain::scope::{EdgeWord, GraphScope};
use crate::diagnostic::Diagnostic;
use crate::fill::interpolate::hook::may_expand_to;
use crate::read::protocol;

/// The directives that place a knowledge item, the directives that inherit it, and the hooks that inject it.
///
/// A directive whose chain suppresses the item is included with a note.
pub(super) fn uses(index: &Index<'_>, id: &str, scope: &GraphScope) -> Result<Graph, Diagnostic> {
    let mut part = Subgraph::new(index);
    let item = index.node(NodeKind::Knowledge, id);
    let root = match item {
        Some(node) => part.node(node),
        None if is_in_tier(index.tiers, NodeKind::Knowledge, id) => {
            let mut node = GraphNode::new(NodeKind::Knowledge, id);
            index.place(&mut node);
            part.graph.add(node)
        }
        None => return Err(unknown(index, "knowledge item", id, &[NodeKind::Knowledge])),
    };
    part.graph.roots.push(root);
    part.graph.direction = Direction::Backward;
    if index.protocol.context == protocol::ContextScope::None {
        part.graph.nodes[root].notes.push(format!("{} injects nothing", index.protocol.name));
        return Ok(part.graph);
    }
    let usual = [EdgeWord::Extends, EdgeWord::Context, EdgeWord::Hook];
    let suppressions = Suppressions::new(index);
    let places = |edge: &&Edge| matches!(edge.kind, EdgeKind::Context(_)) && Some(edge.to) == item;
    let placing: Vec<&Edge> =
        index.graph.edges.iter().filter(|edge| scope.follows(edge.kind, &usual)).filter(places).collect();
    let inherits = inherited(index, id, &placing, &suppressions, scope.follows(EdgeKind::Extends, &usual), &mut part)?;
    if scope.follows(EdgeKind::Hook, &usual) {
        hooks(index, id, root, &inherits, &suppressions, &mut part);
    }
    if part.graph.edges.is_empty() && scope.edges.is_empty() {
        part.graph.nodes[root].notes.push("nothing injects it".to_string());
    }
    Ok(part.graph)
}

/// Copies the links that place the item, and the links to parents that have it. Returns which directives have it.
fn inherited(
    index: &Index<'_>,
    id: &str,
    placing: &[&Edge],
    suppressions: &Suppressions<'_>,
    inherit: bool,
    part: &mut Subgraph<'_, '_>,
) -> Result<Vec<bool>, Diagnostic> {
    if placing.is_empty() {
        return Ok(vec![false; index.directives.positions().len()]);
    }
    if let Some(edge) = placing.iter().find(|edge| index.directives.is_circular(edge.from)) {
        return Err(index.cycle(edge.from));
    }
    let places: HashSet<usize> = placing.iter().map(|edge| edge.from).collect();
    let has: Vec<bool> = match inherit {
        true => index.directives.have_in_chain(|at| places.contains(&at)),
        false => index.directives.positions().map(|at| places.contains(&at)).collect(),
    };
    let mut suppressed: Vec<Option<usize>> = vec![None; index.directives.positions().len()];
    suppressions.of_item(id).iter().for_each(|&by| suppressed[by] = Some(by));
    for &at in index.directives.root_first() {
        // The suppression nearest the root wins.
        suppressed[at] = index.directives.parent(at).and_then(|parent| suppressed[parent]).or(suppressed[at]);
    }
    let note = |at: usize| suppressed[at].map(|by| suppressed_by(index.directives.id(by)));
    for edge in placing {
        part.link(edge, note(edge.from));
    }
    if inherit {
        let of_parents = index.graph.edges.iter().filter(|edge| edge.kind == EdgeKind::Extends);
        let both = |edge: &&Edge| [edge.from, edge.to].iter().all(|&end| has.get(end) == Some(&true));
        for edge in of_parents.filter(both) {
            part.link(edge, note(edge.from));
        }
        routes(index, &has, part);
    }
    Ok(has)
}

fn routes(index: &Index<'_>, has: &[bool], part: &mut Subgraph<'_, '_>) {
    let is_hook = |edge: &&Edge| index.graph.nodes[edge.from].kind == NodeKind::Hook;
    let routing = index.graph.edges.iter().filter(|edge| edge.kind == EdgeKind::Extends).filter(is_hook);
    for edge in routing.filter(|edge| has.get(edge.to) == Some(&true)) {
        part.link(edge, None);
    }
}

/// Copies the hooks that inject the item, and the directives that declare them.
fn hooks(
    index: &Index<'_>,
    id: &str,
    root: usize,
    inherits: &[bool],
    suppressions: &Suppressions<'_>,
    part: &mut Subgraph<'_, '_>,
) {
    let is_hook = |edge: &Edge| edge.kind == EdgeKind::Hook && index.graph.nodes[edge.from].kind == NodeKind::Hook;
    let mut injecting: Vec<Option<usize>> = vec![None; index.graph.nodes.len()];
    for edge in index.graph.edges.iter().filter(|edge| is_hook(edge)) {
        let target = &index.graph.nodes[edge.to];
        if target.kind != NodeKind::Knowledge {
            continue;
        }
        let may = &*target.id != id && may_expand_to(&target.id, id);
        if &*target.id == id || may {
            let from = part.node(edge.from);
            injecting[edge.from] = Some(from);
            let suppressed = index.hook_of(edge.from).and_then(|indexed| suppressions.note(index, indexed));
            let named = may.then(|| format!("may refer to it: {}", target.id));
            let notes: Vec<String> = named.into_iter().chain(suppressed).collect();
            part.between(from, root, edge, (!notes.is_empty()).then(|| notes.join("; ")));
        }
    }
    for edge in index.graph.edges.iter().filter(|edge| edge.kind == EdgeKind::Hook && !is_hook(edge)) {
        if let Some(hook) = injecting[edge.to] {
            // Hooks run only for the leaf: children are drawn below this directive only if they inherit the item.
            let owner = if inherits[edge.from] { part.copy(edge.from) } else { part.node(edge.from) };
            part.between(owner, hook, edge, None);
        }
    }
}
