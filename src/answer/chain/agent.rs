//! The graph of what applies to a coding agent's working folder: each file that it looks at.

use std::sync::Arc;

use super::graph::{Edge, EdgeKind, Graph, GraphNode, NodeKind};
use crate::prompt::{Decision, LayerKind, Prompt};
use crate::text::tokens::Tokenizer;

pub(super) fn graph(prompt: &Prompt) -> Graph {
    let mut graph = Graph::default();
    graph.nodes.push(GraphNode::new(NodeKind::Folder, prompt.subject.name()));
    graph.roots.push(0);
    let parts = prompt.layer_parts();
    for decision in &prompt.decisions {
        let layer = decision.layer.and_then(|index| prompt.layers.get(index));
        let part = decision.layer.and_then(|index| parts.get(index)?.as_ref());
        let source = layer.and_then(|layer| layer.taken_from(part));
        // Text of the agent itself is in no file.
        let Some(kind) = kind(decision).filter(|_| layer.is_none() || source.is_some()) else { continue };
        let to = graph.nodes.len();
        let skill = layer.filter(|layer| layer.kind == LayerKind::Skill);
        let id = skill.map_or(&decision.name, |layer| &layer.name);
        graph.nodes.push(GraphNode {
            tier: source.as_ref().map(|span| Arc::from(span.source().tier())),
            path: Some(decision.name.clone()),
            tokens: part.and_then(|part| part.known()).map(|text| Tokenizer::Chars4.count(&text)),
            left_out: (!decision.outcome.is_in_use()).then(|| decision.reason()),
            ..GraphNode::new(kind, id)
        });
        graph.edges.push(Edge { from: 0, to, kind: EdgeKind::Part, at: None, note: None });
    }
    graph
}

fn kind(decision: &Decision) -> Option<NodeKind> {
    match decision.slot.place() {
        "base" => Some(NodeKind::Base),
        "append" | "instructions" => Some(NodeKind::Append),
        "context" => Some(NodeKind::Context),
        "skills" => Some(NodeKind::Skill),
        _ => None,
    }
}
