//! The chain of one directive as a graph: its directives, their items and hooks, and the tools they are granted.

use std::collections::HashMap;
use std::sync::Arc;

use crate::answer::chain::graph::{Direction, EdgeKind, Graph, GraphNode, NodeKind};
use crate::prompt::{Decision, DecisionOutcome, ItemRef, Slot};
use crate::text::{Source, Span};

use super::{MemberView, OwnHook, OwnHookAction, Placed, ScopedChain, may_be_routed};

/// The graph of a prompt's chain, starting at the leaf.
pub fn graph(shown: &ScopedChain) -> Graph {
    let members = &shown.members;
    let mut builder = ChainGraphBuilder::default();
    // Node 0 is the leaf, node 1 its parent, and so on.
    for member in members {
        builder.member(member);
    }
    for (child, member) in members.iter().enumerate().take(members.len().saturating_sub(1)) {
        let by = member.listed.extends.as_ref();
        let note = by.filter(|_| member.is_routed()).map(|by| format!("routed by {}", by.by));
        builder.graph.link(child, child + 1, EdgeKind::Extends, by.and_then(|by| by.span.as_ref()), note);
    }
    for (index, member) in members.iter().enumerate() {
        for placed in &member.context {
            builder.placed(index, placed);
        }
        for own in &member.hooks {
            builder.hook(index, own);
        }
    }
    if shown.granted.is_some() {
        builder.tools(shown);
    }
    let roots = if members.is_empty() { Vec::new() } else { vec![0] };
    Graph { roots, direction: Direction::Forward, ..builder.graph }
}

#[derive(Default)]
struct ChainGraphBuilder {
    graph: Graph,
    known: HashMap<(NodeKind, String), usize>,
}

impl ChainGraphBuilder {
    fn member(&mut self, member: &MemberView) {
        let unusable = member.listed.directive.is_none().then(|| "cannot be parsed".to_string());
        let undecided = member.undecided.iter().map(|run| match &run.hook.span {
            Some(span) => {
                format!("{}, {} {}:{}", may_be_routed(run), span.source().tier(), span.source().path(), span.line())
            }
            None => may_be_routed(run),
        });
        let notes = unusable.into_iter().chain(undecided).collect();
        let node = node(NodeKind::Directive, member.id, Some(&member.listed.source));
        let at = self.graph.add(GraphNode { notes, ..node });
        self.known.insert((NodeKind::Directive, member.id.to_string()), at);
    }

    fn item(&mut self, kind: NodeKind, id: &str, source: Option<&Arc<Source>>) -> usize {
        let graph = &mut self.graph;
        let index = *self.known.entry((kind, id.to_string())).or_insert_with(|| graph.add(node(kind, id, None)));
        // An item may be suppressed in one position but found in another.
        if let (Some(source), None) = (source, &graph.nodes[index].path) {
            graph.nodes[index] = node(kind, id, Some(source));
        }
        index
    }

    fn placed(&mut self, member: usize, placed: &Placed) {
        let item = self.item(NodeKind::Knowledge, placed.id, placed.item.and_then(found));
        let note = placed.decision.and_then(left_out);
        self.graph.link(member, item, EdgeKind::Context(placed.position), Some(placed.source), note);
    }

    fn hook(&mut self, member: usize, own: &OwnHook) {
        let OwnHook { hook, actions, .. } = own;
        let span = hook.span.as_ref();
        let line = span.map(Span::line);
        let at = self.graph.add(GraphNode { line, ..node(NodeKind::Hook, hook.name(), span.map(Span::source)) });
        let note = actions.is_empty().then(|| "not considered".to_string());
        self.graph.link(member, at, EdgeKind::Hook, span, note);
        for OwnHookAction { item, decision, .. } in actions {
            let Some(item) = item else { continue };
            let item = self.item(item.kind.into(), &item.id, found(item));
            self.graph.link(at, item, EdgeKind::Hook, span, left_out(decision));
        }
    }

    /// The tools of the palette, and those over its budget.
    fn tools(&mut self, shown: &ScopedChain) {
        let prompt = shown.prompt;
        let sources: HashMap<&str, &Arc<Source>> =
            prompt.tools.iter().filter_map(|tool| Some((tool.item_id.as_str(), tool.source.as_ref()?))).collect();
        let granted = prompt.decisions.iter().filter(|decision| {
            decision.slot == Slot::Palette
                && matches!(decision.outcome, DecisionOutcome::Included | DecisionOutcome::OverBudget)
        });
        for decision in granted {
            let by = decision.declared_by.as_ref();
            let Some(member) = shown.declarer(by) else { continue };
            let named = decision.item.as_ref().and_then(found);
            let source = named.or_else(|| sources.get(decision.name.as_str()).copied());
            let tool = self.item(NodeKind::Tool, &decision.name, source);
            let is_by_member = by.is_some_and(|by| by.by == shown.members[member].id);
            let note = left_out(decision).or_else(|| match by {
                _ if is_by_member => None,
                Some(by) => Some(format!("granted by {}", by.by)),
                None => Some(decision.why.clone()),
            });
            self.graph.link(member, tool, EdgeKind::Tool, by.and_then(|by| by.span.as_ref()), note);
        }
    }
}

fn node(kind: NodeKind, id: &str, source: Option<&Arc<Source>>) -> GraphNode {
    GraphNode {
        tier: source.map(|source| source.tier().into()),
        path: source.map(|source| source.path().into()),
        ..GraphNode::new(kind, id)
    }
}

fn found(item: &ItemRef) -> Option<&Arc<Source>> {
    item.span.as_ref().map(Span::source)
}

/// Why something is left out; `None` if it is in the prompt.
fn left_out(decision: &Decision) -> Option<String> {
    (!decision.outcome.is_in_use()).then(|| decision.reason())
}
