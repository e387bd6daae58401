use super::graph::{Edge, EdgeKind, Graph, GraphNode, Links, visit};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// How much of an answer to show.
#[derive(Debug, Clone, Default)]
pub struct GraphScope {
    /// The links to follow; if empty, those that the question is about.
    pub edges: Vec<EdgeWord>,
    /// The maximum number of links between a root and a node.
    pub max_depth: Option<usize>,
    /// Ids of items beyond which nothing is shown.
    pub prune: Vec<String>,
    pub tiers: Vec<String>,
}

/// The kinds of links that can be selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum EdgeWord {
    /// Parents, and hooks that set them.
    Extends,
    /// Knowledge that directives place.
    Context,
    /// The items that hooks inject or run, and the hooks that directives declare.
    Hook,
    Tool,
}

impl EdgeWord {
    /// `None` for the links of a folder, which cannot be selected.
    pub fn of(kind: EdgeKind) -> Option<Self> {
        kind.into_str().parse().ok()
    }
}

impl GraphScope {
    /// Whether to follow links of a kind, for a question about the kinds in `usual`.
    pub(super) fn follows(&self, kind: EdgeKind, usual: &[EdgeWord]) -> bool {
        let words = if self.edges.is_empty() { usual } else { &self.edges };
        EdgeWord::of(kind).is_some_and(|word| words.contains(&word))
    }

    pub(super) fn wants(&self, word: EdgeWord) -> bool {
        self.edges.is_empty() || self.edges.contains(&word)
    }

    /// Whether to show nothing beyond an item.
    pub(super) fn prunes(&self, id: &str) -> bool {
        self.prune.iter().any(|pruned| pruned == id)
    }

    pub(super) fn shows_tier(&self, label: &str) -> bool {
        let kind = label.split(':').next().unwrap_or(label);
        let is_named = |tier: &String| tier == label || tier == kind || (tier == "system" && label == "builtin");
        self.tiers.is_empty() || self.tiers.iter().any(is_named)
    }

    /// Narrows an answer. Roots stay, unless `roots_stay` is false and none of their nodes is in a selected tier.
    ///
    /// An item in another tier stays if it leads to a selected one: without it, a tree would show the wrong parent.
    pub(super) fn narrow(&self, mut graph: Graph, roots_stay: bool) -> Graph {
        if self.max_depth.is_none() && self.prune.is_empty() && self.tiers.is_empty() {
            return graph;
        }
        let pruned: Vec<bool> = graph.nodes.iter().map(|node| self.prunes(&node.id)).collect();
        let depth = depths(&graph, &pruned);
        let goes_on = |node: usize| {
            !pruned[node] && depth[node].is_some_and(|depth| self.max_depth.is_none_or(|most| depth < most))
        };
        let direction = graph.direction;
        graph.edges.retain(|edge| goes_on(edge.ends(direction).0));

        let leads = self.leads_to_tier(&graph);
        if !roots_stay {
            graph.roots.retain(|&root| leads[root]);
        }
        let roots = graph.roots.clone();
        kept(graph, |node| leads[node] || roots.contains(&node))
    }

    fn leads_to_tier(&self, graph: &Graph) -> Vec<bool> {
        let is_shown =
            |node: &GraphNode| node.tier.as_deref().map_or(self.tiers.is_empty(), |label| self.shows_tier(label));
        let shown = (0..graph.nodes.len()).filter(|&node| is_shown(&graph.nodes[node]));
        let back = Links::new(graph, |edge| edge.ends(graph.direction).1);
        let before = |&edge: &usize| graph.edges[edge].ends(graph.direction).0;
        let mut leads = vec![false; graph.nodes.len()];
        visit(&mut leads, shown, |node| back.of(node).iter().map(before));
        leads
    }
}

/// The minimum number of links from a root to each node; `None` if unreachable.
fn depths(graph: &Graph, pruned: &[bool]) -> Vec<Option<usize>> {
    let links = Links::new(graph, |edge| edge.ends(graph.direction).0);
    let mut depths = vec![None; graph.nodes.len()];
    let mut level = graph.roots.clone();
    let mut depth = 0;
    while !level.is_empty() {
        level.retain(|&node| {
            let is_new = depths[node].is_none();
            depths[node].get_or_insert(depth);
            is_new
        });
        let beyond = level.iter().filter(|&&node| !pruned[node]).flat_map(|&node| links.of(node));
        level = beyond.map(|&edge| graph.edges[edge].ends(graph.direction).1).collect();
        depth += 1;
    }
    depths
}

fn kept(graph: Graph, stays: impl Fn(usize) -> bool) -> Graph {
    let links = Links::new(&graph, |edge| edge.ends(graph.direction).0);
    let next = |&edge: &usize| graph.edges[edge].ends(graph.direction).1;
    let mut reached = vec![false; graph.nodes.len()];
    let roots = graph.roots.iter().copied().filter(|&root| stays(root));
    visit(&mut reached, roots, |node| links.of(node).iter().map(next).filter(|&node| stays(node)));
    let mut place = vec![None; graph.nodes.len()];
    let mut nodes = Vec::new();
    for (index, node) in graph.nodes.into_iter().enumerate().filter(|(index, _)| reached[*index]) {
        place[index] = Some(nodes.len());
        nodes.push(node);
    }
    let at = |node: usize| place[node];
    let edges =
        graph.edges.into_iter().filter_map(|edge| Some(Edge { from: at(edge.from)?, to: at(edge.to)?, ..edge }));
    let edges = edges.collect();
    let roots = graph.roots.into_iter().filter_map(at).collect();
    Graph { nodes, edges, roots, direction: graph.direction }
}
