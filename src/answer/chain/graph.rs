use std::sync::Arc;
use strum::IntoStaticStr;

use crate::decide::request::Position;
use crate::read::store::ItemKind;
use crate::text::Span;

#[derive(Debug, Default)]
pub struct Graph {
    pub nodes: Vec<GraphNode>,
    pub edges: Vec<Edge>,
    /// The roots of a tree drawing, as indices into the nodes.
    pub roots: Vec<usize>,
    pub direction: Direction,
}

impl Graph {
    /// Adds a node, and returns its index.
    pub fn add(&mut self, node: GraphNode) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    pub fn link(&mut self, from: usize, to: usize, kind: EdgeKind, at: Option<&Span>, note: Option<String>) {
        self.edges.push(Edge { from, to, kind, at: at.cloned(), note });
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Direction {
    /// From a node to what it refers to, such as its parent and its items.
    #[default]
    Forward,
    /// From a node to what refers to it, such as the directives that extend it.
    Backward,
}

#[derive(Debug, Clone, Default)]
pub struct GraphNode {
    pub kind: NodeKind,
    /// The id, or the path of a file or folder that has no id.
    pub id: Arc<str>,
    /// The label of its tier; `None` if no tier has it.
    pub tier: Option<Arc<str>>,
    /// Relative to the folder that contains `.ai/`.
    pub path: Option<Arc<str>>,
    pub line: Option<usize>,
    /// Remarks such as `shadows the one in user`, `nothing injects it`, `no tier has it`.
    pub notes: Vec<String>,
    pub tokens: Option<usize>,
    pub left_out: Option<String>,
    /// The agents that use it, in the graph of several.
    pub agents: Vec<String>,
}

impl NodeKind {
    pub fn item(self) -> Option<ItemKind> {
        self.into_str().parse().ok()
    }
}

impl From<ItemKind> for NodeKind {
    fn from(kind: ItemKind) -> Self {
        match kind {
            ItemKind::Directive => Self::Directive,
            ItemKind::Knowledge => Self::Knowledge,
            ItemKind::Tool => Self::Tool,
        }
    }
}

impl GraphNode {
    pub fn new(kind: NodeKind, id: &str) -> Self {
        Self { kind, id: id.into(), ..Self::default() }
    }

    /// What is shown below it.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        let agents = (!self.agents.is_empty()).then(|| self.agents.join(", "));
        self.notes.iter().cloned().chain(agents)
    }

    /// The path, unless the id is the path.
    pub fn other_path(&self) -> Option<&str> {
        self.path.as_deref().filter(|path| *path != &*self.id)
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum NodeKind {
    #[default]
    Directive,
    Knowledge,
    Hook,
    Tool,
    Folder,
    Base,
    Append,
    Context,
    Skills,
    Skill,
}

#[derive(Debug, Clone)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub kind: EdgeKind,
    /// The declaration; `None` if no file declares it.
    pub at: Option<Span>,
    /// A remark such as `suppressed by deploy` or `if directive contains "deploy"`.
    pub note: Option<String>,
}

impl Edge {
    /// The node nearer the root, and the one below it.
    pub fn ends(&self, direction: Direction) -> (usize, usize) {
        match direction {
            Direction::Forward => (self.from, self.to),
            Direction::Backward => (self.to, self.from),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum EdgeKind {
    /// A directive extends its parent, or a hook routes it there.
    Extends,
    /// A directive places a knowledge item.
    Context(Position),
    /// A hook injects an item, or a directive declares a hook.
    Hook,
    Tool,
    /// A file is part of a folder's prompt, or a skill is in a folder of skills.
    Part,
    /// A file hides another from the prompt of a folder.
    Hides,
}

impl EdgeKind {
    pub fn position(self) -> Option<Position> {
        match self {
            Self::Context(position) => Some(position),
            _ => None,
        }
    }
}

/// The links of a graph, by the node at one end.
pub struct Links {
    first: Vec<usize>,
    edges: Vec<usize>,
}

impl Links {
    pub fn new(graph: &Graph, key: impl Fn(&Edge) -> usize) -> Self {
        let mut first = vec![0; graph.nodes.len() + 1];
        for edge in &graph.edges {
            first[key(edge) + 1] += 1;
        }
        for node in 1..first.len() {
            first[node] += first[node - 1];
        }
        let mut next = first.clone();
        let mut edges = vec![0; graph.edges.len()];
        for (index, edge) in graph.edges.iter().enumerate() {
            let from = key(edge);
            edges[next[from]] = index;
            next[from] += 1;
        }
        Self { first, edges }
    }

    pub fn of(&self, node: usize) -> &[usize] {
        &self.edges[self.first[node]..self.first[node + 1]]
    }
}

/// Marks everything that can be reached from some nodes, including these. What is already marked leads no further.
pub fn visit<I: Iterator<Item = usize>>(
    seen: &mut [bool],
    from: impl IntoIterator<Item = usize>,
    next: impl Fn(usize) -> I,
) {
    let mut to_visit: Vec<usize> = from.into_iter().collect();
    while let Some(node) = to_visit.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            to_visit.extend(next(node));
        }
    }
}
