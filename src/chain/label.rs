//! What a drawing writes to its nodes and edges.

use super::graph::{Edge, EdgeKind, Node};
use crate::layout::count;

/// The lines of a node: its id, where it stands, how large it is, and what a reader should know.
pub fn of_node(node: &Node) -> Vec<String> {
    let line = node.line.map_or(String::new(), |line| format!(":{line}"));
    let place = match (&node.tier, node.other_path()) {
        (Some(tier), Some(path)) => Some(format!("{tier} {path}{line}")),
        (tier, path) => tier.as_deref().or(path).map(str::to_string),
    };
    let tokens = node.tokens.map(|tokens| count(tokens, "token"));
    let left_out = node.left_out.iter().map(|why| format!("left out: {why}"));
    [node.id.clone()].into_iter().chain(place).chain(tokens).chain(left_out).chain(node.notes.iter().cloned()).collect()
}

/// The lines of an edge: how one asks for the other, and what a reader should know.
pub fn of_edge(edge: &Edge) -> Vec<String> {
    let word = match edge.kind {
        EdgeKind::Context(position) => position.into_str(),
        kind => kind.word(),
    };
    [word.to_string()].into_iter().chain(edge.note.clone()).collect()
}

/// `project .ai/directives/deploy.md:9`
pub fn declaration(edge: &Edge) -> Option<String> {
    let span = edge.at.as_ref()?;
    Some(format!("{} {}:{}", span.source().tier(), span.source().path(), span.line()))
}
