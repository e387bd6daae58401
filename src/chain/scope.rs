use super::graph::{Direction, Edge, EdgeKind, Graph};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// How much of an answer is wanted.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// The links to follow; those that the question is about, if none is named.
    pub edges: Vec<EdgeWord>,
    /// How many links a tree may go from a root.
    pub max_depth: Option<usize>,
    /// Ids of items beyond which nothing is shown.
    pub prune: Vec<String>,
    /// Labels of the tiers whose items are shown; of all, if none is named.
    pub tiers: Vec<String>,
}

/// The word of a kind of links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray, Display, EnumString)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum EdgeWord {
    /// Parents, and hooks that set them.
    Extends,
    /// Knowledge that directives place.
    Context,
    /// What hooks inject or run, and the hooks that directives declare.
    Hook,
    /// Tools that are granted.
    Tool,
}

impl EdgeWord {
    /// The word of a link; none for those of a folder, of which there is no choice.
    pub fn of(kind: EdgeKind) -> Option<Self> {
        match kind {
            EdgeKind::Extends => Some(Self::Extends),
            EdgeKind::Context(_) => Some(Self::Context),
            EdgeKind::Hook => Some(Self::Hook),
            EdgeKind::Tool => Some(Self::Tool),
            EdgeKind::Part | EdgeKind::Hides => None,
        }
    }
}

impl Scope {
    /// Whether links of a kind are followed, where a question is about those of `usual`.
    pub(super) fn follows(&self, kind: EdgeKind, usual: &[EdgeWord]) -> bool {
        let words = if self.edges.is_empty() { usual } else { &self.edges };
        EdgeWord::of(kind).is_some_and(|word| words.contains(&word))
    }

    /// Whether links of a kind are wanted, where all are shown if none is named.
    pub(super) fn wants(&self, word: EdgeWord) -> bool {
        self.edges.is_empty() || self.edges.contains(&word)
    }

    /// Whether nothing is shown beyond an item.
    pub(super) fn prunes(&self, id: &str) -> bool {
        self.prune.iter().any(|pruned| pruned == id)
    }

    /// Whether a tier is one of those that are shown.
    pub(super) fn shows_tier(&self, label: &str) -> bool {
        let kind = label.split(':').next().unwrap_or(label);
        let is_named = |tier: &String| tier == label || tier == kind || (tier == "system" && label == "builtin");
        self.tiers.is_empty() || self.tiers.iter().any(is_named)
    }

    /// What is left of an answer. The roots stay, unless tiers are named and nothing of those hangs below one.
    ///
    /// An item of another tier stays where it leads on to one of a tier that is named: without what lies between, a
    /// tree would say that one extends the other.
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
        graph.edges.retain(|edge| goes_on(ends(edge, direction).0));

        let leads = self.leads_to_tier(&graph);
        if roots_stay {
            let roots: Vec<usize> = graph.roots.clone();
            let leads = |node: usize| leads[node] || roots.contains(&node);
            return kept(graph, leads);
        }
        graph.roots.retain(|&root| leads[root]);
        kept(graph, |node| leads[node])
    }

    /// Which nodes are of a tier that is named, or lead on to one.
    fn leads_to_tier(&self, graph: &Graph) -> Vec<bool> {
        let mut leads: Vec<bool> = match self.tiers.is_empty() {
            true => vec![true; graph.nodes.len()],
            false => graph
                .nodes
                .iter()
                .map(|node| node.tier.as_deref().is_some_and(|label| self.shows_tier(label)))
                .collect(),
        };
        let mut to_visit: Vec<usize> = (0..leads.len()).filter(|&node| leads[node]).collect();
        let back = Links::new(graph, |edge| {
            let (from, to) = ends(edge, graph.direction);
            (to, from)
        });
        while let Some(node) = to_visit.pop() {
            for &edge in back.of(node) {
                let (before, _) = ends(&graph.edges[edge], graph.direction);
                if !std::mem::replace(&mut leads[before], true) {
                    to_visit.push(before);
                }
            }
        }
        leads
    }
}

/// Where a link begins and ends for a tree that goes that way.
pub(super) fn ends(edge: &Edge, direction: Direction) -> (usize, usize) {
    match direction {
        Direction::Asked => (edge.from, edge.to),
        Direction::Askers => (edge.to, edge.from),
    }
}

/// The least number of links from a root to each node; none for what no root leads to.
fn depths(graph: &Graph, pruned: &[bool]) -> Vec<Option<usize>> {
    let links = Links::new(graph, |edge| ends(edge, graph.direction));
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
        level = beyond.map(|&edge| ends(&graph.edges[edge], graph.direction).1).collect();
        depth += 1;
    }
    depths
}

/// The links of a graph by the node that they are looked up from.
pub(super) struct Links {
    first: Vec<usize>,
    edges: Vec<usize>,
}

impl Links {
    /// `ends` says from which node a link is looked up; its second half does not count.
    pub(super) fn new(graph: &Graph, ends: impl Fn(&Edge) -> (usize, usize)) -> Self {
        let mut first = vec![0; graph.nodes.len() + 1];
        for edge in &graph.edges {
            first[ends(edge).0 + 1] += 1;
        }
        for node in 1..first.len() {
            first[node] += first[node - 1];
        }
        let mut next = first.clone();
        let mut edges = vec![0; graph.edges.len()];
        for (index, edge) in graph.edges.iter().enumerate() {
            let from = ends(edge).0;
            edges[next[from]] = index;
            next[from] += 1;
        }
        Self { first, edges }
    }

    /// The links of a node, in order.
    pub(super) fn of(&self, node: usize) -> &[usize] {
        &self.edges[self.first[node]..self.first[node + 1]]
    }
}

/// The part of a graph that its roots lead to through nodes that `stays` holds for.
fn kept(graph: Graph, stays: impl Fn(usize) -> bool) -> Graph {
    let links = Links::new(&graph, |edge| ends(edge, graph.direction));
    let mut reached = vec![false; graph.nodes.len()];
    let mut to_visit = graph.roots.clone();
    while let Some(node) = to_visit.pop() {
        if stays(node) && !std::mem::replace(&mut reached[node], true) {
            to_visit.extend(links.of(node).iter().map(|&edge| ends(&graph.edges[edge], graph.direction).1));
        }
    }
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
