use std::collections::HashMap;
use std::iter;
use strum::VariantArray;

use super::{KINDS, Subgraph, is_in_tier, unknown};
use super::{Suppressions, suppressed_by};
use crate::answer::chain::graph::{Edge, EdgeKind, Graph, GraphNode, Links, NodeKind, visit};
use crate::answer::chain::index::Index;
use crate::answer::chain::scope::{EdgeWord, GraphScope};
use crate::decide::granting;
use crate::diagnostic::Diagnostic;

/// All paths from one item to another, as one graph: there can be too many paths to print, but never too many nodes.
pub(super) fn why(index: &mut Index<'_>, from: &str, to: &str, scope: &GraphScope) -> Result<Graph, Diagnostic> {
    let starts: Vec<usize> = match index.node(NodeKind::Directive, from) {
        Some(directive) => vec![directive],
        None => index.hooks_named(from).collect(),
    };
    if starts.is_empty() {
        return Err(unknown(index, "directive or hook", from, &[NodeKind::Directive, NodeKind::Hook]));
    }
    let routed = starts.first().and_then(|&start| index.route(start));
    let index = &*index;
    let targets = Targets::new(index, to)?;
    let runs_into_cycle =
        |node: usize| index.directives.positions().contains(&node) && index.directives.is_circular(node);
    if let Some(&start) = starts.iter().find(|&&start| routed.is_none() && runs_into_cycle(start)) {
        return Err(index.cycle(start));
    }
    let steps = forward(index, &starts, scope);
    let leads = leading(index, steps.iter(), &targets);
    let on_the_way = steps.iter().filter(|step| leads[step.to.index()]).map(|step| step.to.node);
    if let Some(node) = on_the_way.into_iter().find(|&node| runs_into_cycle(node)) {
        return Err(index.cycle(node));
    }

    let mut part = Subgraph::new(index);
    // A directive may appear twice: as the start, and as a parent, whose hooks do not run.
    let mut places: Vec<Option<usize>> = vec![None; leads.len()];
    for start in starts.iter().map(|&node| PathNode { node, is_parent: false }) {
        places[start.index()] = Some(part.copy(start.node));
        part.graph.roots.extend(places[start.index()]);
    }
    let leaf = Leaf::new(index, &starts, routed);
    // Links that contribute come first, because a node is drawn in full only the first time.
    let counts = |step: &&PathStep| leaf.counts(index, &index.graph.edges[step.edge]);
    let leads_and_counts = leading(index, steps.iter().filter(counts), &targets);
    let (first, later): (Vec<_>, Vec<_>) =
        steps.iter().partition(|step| counts(step) && leads_and_counts[step.to.index()]);
    for step in first.into_iter().chain(later).filter(|step| leads[step.to.index()]) {
        let [from, to] =
            [step.from, step.to].map(|place| *places[place.index()].get_or_insert_with(|| part.copy(place.node)));
        let edge = &index.graph.edges[step.edge];
        part.between(from, to, edge, leaf.note(index, edge));
    }
    targets.close(&mut part, &places);
    let found = starts.iter().any(|&node| leads[PathNode { node, is_parent: false }.index()]);
    if !found {
        part.graph.roots.iter().for_each(|&root| part.graph.nodes[root].notes.push(format!("no path leads to {to}")));
    }
    Ok(part.graph)
}

struct Targets {
    id: String,
    is_target: Vec<bool>,
    covering: Vec<usize>,
}

impl Targets {
    fn new(index: &Index<'_>, id: &str) -> Result<Self, Diagnostic> {
        let mut is_target: Vec<bool> = index.graph.nodes.iter().map(|node| &*node.id == id).collect();
        let is_tool = is_in_tier(index.tiers, NodeKind::Tool, id);
        let covering: Vec<usize> = match is_tool {
            true => index.patterns.keys().copied().filter(|node| index.covers(*node, id)).collect(),
            false => Vec::new(),
        };
        covering.iter().for_each(|&node| is_target[node] = true);
        if !is_tool && !is_target.contains(&true) && !is_in_tier(index.tiers, NodeKind::Knowledge, id) {
            return Err(unknown(index, "item", id, &KINDS));
        }
        Ok(Self { id: id.to_string(), is_target, covering })
    }

    fn close(mut self, part: &mut Subgraph<'_, '_>, places: &[Option<usize>]) {
        self.covering.sort_unstable();
        let reached: Vec<usize> =
            self.covering.iter().filter_map(|&node| places[PathNode { node, is_parent: false }.index()]).collect();
        if reached.is_empty() {
            return;
        }
        let known = part.graph.nodes.iter().position(|node| node.kind == NodeKind::Tool && *node.id == *self.id);
        let tool = known.unwrap_or_else(|| {
            let mut node = GraphNode::new(NodeKind::Tool, &self.id);
            part.index.place(&mut node);
            part.graph.add(node)
        });
        for from in reached {
            part.graph.link(from, tool, EdgeKind::Tool, None, None);
        }
    }
}

/// A node, and whether it was reached as a parent, whose own hooks are not inherited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PathNode {
    node: usize,
    is_parent: bool,
}

impl PathNode {
    fn index(self) -> usize {
        2 * self.node + usize::from(self.is_parent)
    }
}

struct PathStep {
    from: PathNode,
    to: PathNode,
    edge: usize,
}

fn forward(index: &Index<'_>, starts: &[usize], scope: &GraphScope) -> Vec<PathStep> {
    let graph = &index.graph;
    let asked = Links::new(graph, |edge| edge.from);
    let mut seen = vec![false; 2 * graph.nodes.len()];
    let mut level: Vec<PathNode> = starts.iter().map(|&node| PathNode { node, is_parent: false }).collect();
    level.iter().for_each(|place| seen[place.index()] = true);
    let mut steps = Vec::new();
    while !level.is_empty() {
        let mut next = Vec::new();
        for from in level {
            for &edge in asked.of(from.node) {
                let link = &graph.edges[edge];
                let is_own_hook = link.kind == EdgeKind::Hook && graph.nodes[from.node].kind == NodeKind::Directive;
                if !scope.follows(link.kind, EdgeWord::VARIANTS) || (is_own_hook && from.is_parent) {
                    continue;
                }
                let to = PathNode { node: link.to, is_parent: link.kind == EdgeKind::Extends };
                steps.push(PathStep { from, to, edge });
                if !std::mem::replace(&mut seen[to.index()], true) {
                    next.push(to);
                }
            }
        }
        level = next;
    }
    steps
}

fn leading<'s>(index: &Index<'_>, steps: impl Iterator<Item = &'s PathStep>, targets: &Targets) -> Vec<bool> {
    let mut leads = vec![false; 2 * index.graph.nodes.len()];
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); leads.len()];
    for step in steps {
        before[step.to.index()].push(step.from.index());
    }
    let ends = (0..leads.len()).filter(|end| targets.is_target[end / 2]);
    visit(&mut leads, ends, |place| before[place].iter().copied());
    leads
}

/// The directive whose prompt the question is about, if any; it decides what its chain suppresses and grants.
struct Leaf<'i> {
    /// The directive itself, if a hook sets its parent.
    routed: Option<usize>,
    distance: HashMap<usize, usize>,
    granter: Option<usize>,
    suppressions: Suppressions<'i>,
}

impl<'i> Leaf<'i> {
    /// `routed` is the parent that a hook sets in place of the directive's own.
    fn new(index: &'i Index<'_>, starts: &[usize], routed: Option<usize>) -> Self {
        let known = |node: &usize| index.directives.positions().contains(node);
        let chain: Vec<usize> = match starts {
            &[start] if known(&start) => {
                let parent = routed.or_else(|| index.directives.parent(start)).filter(known);
                let ancestors = parent.into_iter().flat_map(|parent| index.directives.members(parent));
                iter::once(start).chain(ancestors).collect()
            }
            _ => Vec::new(),
        };
        let declares =
            |at: &usize| index.directives[*at].directive.as_ref().is_some_and(|it| !it.permissions.is_empty());
        let granter = granting(chain.iter().copied(), declares);
        let distance = chain.into_iter().enumerate().map(|(distance, member)| (member, distance)).collect();
        let routed = starts.first().copied().filter(|_| routed.is_some());
        Self { routed, distance, granter, suppressions: Suppressions::new(index) }
    }

    fn farthest(&self, of: &[usize]) -> Option<usize> {
        of.iter().copied().filter_map(|at| Some((self.distance.get(&at)?, at))).max().map(|(_, at)| at)
    }

    /// Whether a link contributes to the prompt, as far as can be known without rendering it.
    fn counts(&self, index: &Index<'_>, edge: &Edge) -> bool {
        let is_overruled = self.routed.is_some_and(|directive| edge.from == directive)
            && edge.kind == EdgeKind::Extends
            && index.hook_of(edge.to).is_none();
        !is_overruled && self.note(index, edge).is_none()
    }

    fn note(&self, index: &Index<'_>, edge: &Edge) -> Option<String> {
        let id = |at: usize| index.directives.id(at);
        match edge.kind {
            EdgeKind::Context(_) if self.distance.contains_key(&edge.from) => {
                let by = self.suppressions.of_item(&index.graph.nodes[edge.to].id);
                Some(suppressed_by(id(self.farthest(by)?)))
            }
            EdgeKind::Tool if self.distance.contains_key(&edge.from) => {
                let granter = self.granter.filter(|&granter| granter != edge.from)?;
                Some(format!("not used: the permissions of {} apply", id(granter)))
            }
            EdgeKind::Hook => {
                let indexed = index.hook_of(edge.from)?;
                match indexed.owner {
                    Some(_) => self.suppressions.note(index, indexed),
                    None => {
                        let by = self.suppressions.of_hook(&indexed.hook);
                        Some(suppressed_by(id(self.farthest(&by)?)))
                    }
                }
            }
            _ => None,
        }
    }
}
