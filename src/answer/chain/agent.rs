//! The graph of what applies to the working folder of coding agents: each file that they look at.

use super::graph::{Edge, EdgeKind, Graph, GraphNode, NodeKind};
use crate::answer::list::{ListEntry, ListKind};

pub(super) fn graph(folder: &str, entries: Vec<ListEntry>) -> Graph {
    let mut graph = Graph::default();
    graph.nodes.push(GraphNode::new(NodeKind::Folder, folder));
    graph.roots.push(0);
    for ListEntry { kind, name, tier, path, tokens, left_out, agents, .. } in entries {
        let to = graph.nodes.len();
        graph.nodes.push(GraphNode {
            tier: Some(tier).filter(|tier| !tier.is_empty()),
            path: Some(path),
            tokens: left_out.is_none().then_some(tokens),
            left_out: left_out.map(|it| it.why),
            agents: agents.into_iter().map(|reader| reader.agent).collect(),
            ..GraphNode::new(kind.into(), &name)
        });
        graph.edges.push(Edge { from: 0, to, kind: EdgeKind::Part, at: None, note: None });
    }
    graph
}

impl From<ListKind> for NodeKind {
    fn from(kind: ListKind) -> Self {
        match kind {
            ListKind::Directive => Self::Directive,
            ListKind::Knowledge => Self::Knowledge,
            ListKind::Tool => Self::Tool,
            ListKind::Base => Self::Base,
            ListKind::Append => Self::Append,
            ListKind::Context => Self::Context,
            ListKind::Skill => Self::Skill,
        }
    }
}
