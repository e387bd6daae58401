//! What a drawing writes to its nodes and edges.

use super::graph::{Edge, EdgeKind, Node};

/// The lines of a node: its id, where it stands, and what a reader should know.
pub fn of_node(node: &Node) -> Vec<String> {
    let line = node.line.map_or(String::new(), |line| format!(":{line}"));
    let place = match (&node.tier, &node.path) {
        (Some(tier), Some(path)) => Some(format!("{tier} {path}{line}")),
        (tier, path) => tier.as_deref().or(path.as_deref()).map(str::to_string),
    };
    [node.id.clone()].into_iter().chain(place).chain(node.notes.iter().cloned()).collect()
}

/// The lines of an edge: how one asks for the other, and what a reader should know.
pub fn of_edge(edge: &Edge) -> Vec<String> {
    let word = match edge.kind {
        EdgeKind::Context(position) => position.tag(),
        kind => kind.word(),
    };
    [word.to_string()].into_iter().chain(edge.note.clone()).collect()
}

/// `project .ai/directives/deploy.md:9`
pub fn declaration(edge: &Edge) -> Option<String> {
    let span = edge.at.as_ref()?;
    Some(format!("{} {}:{}", span.source().tier(), span.source().path(), span.line()))
}
