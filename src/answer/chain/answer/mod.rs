//! Answers questions about the graph of all items, each with a part of that graph.

mod all;
#[cfg(test)]
mod tests;
mod uses;
mod why;

use std::collections::HashMap;

use super::graph::{Edge, Graph, NodeKind};
use super::index::{Index, IndexedHook, locate};
use super::scope::GraphScope;
use crate::diagnostic::{Diagnostic, Failure, Problem};
use crate::prompt::Prompt;
use crate::read::item::{Hook, ROUTING_EVENT};
use crate::read::protocol::Protocol;
use crate::read::store::{ItemId, Tiers};
use crate::text::nearest::nearest;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// The directives that extend a directive, directly or not.
    Invert(String),
    /// The directives and hooks that inject a knowledge item.
    Uses(String),
    Why(String, String),
    All,
}

#[derive(Debug)]
pub struct GraphAnswer {
    pub graph: Graph,
    pub diagnostics: Vec<Diagnostic>,
}

/// Answers a question, reading each file of the tiers at most once.
///
/// # Errors
/// Returns all diagnostics if a file cannot be read, an id is unknown, or the answer runs into a cycle.
pub fn answer(
    question: &Question,
    scope: &GraphScope,
    tiers: &Tiers,
    protocol: &Protocol,
) -> Result<GraphAnswer, Failure> {
    let mut index = Index::read(tiers, protocol)?;
    let mut diagnostics = std::mem::take(&mut index.diagnostics);
    let mut find = || -> Result<Graph, Failure> {
        unknown_pruned(&index, scope)?;
        Ok(match question {
            Question::Invert(id) => all::invert(&index, id, scope)?,
            Question::Uses(id) => uses::uses(&index, id, scope)?,
            Question::Why(from, to) => why::why(&mut index, from, to, scope)?,
            Question::All => all::all(&index, scope, &mut diagnostics)?,
        })
    };
    let answered = match find() {
        Ok(graph) => Ok(GraphAnswer { graph: scope.narrow(graph, *question != Question::All), diagnostics }),
        Err(Failure(errors)) => {
            diagnostics.extend(errors);
            Err(Failure(diagnostics))
        }
    };
    // The program usually ends here, and exiting frees this memory faster than dropping it.
    std::mem::forget(index);
    answered
}

/// A copy of part of the index's graph.
struct Subgraph<'i, 'a> {
    index: &'i Index<'a>,
    graph: Graph,
    /// The new index of each copied node, by its index in the whole graph.
    taken: Vec<Option<usize>>,
}

impl<'i, 'a> Subgraph<'i, 'a> {
    fn new(index: &'i Index<'a>) -> Self {
        Self { index, graph: Graph::default(), taken: vec![None; index.graph.nodes.len()] }
    }

    fn node(&mut self, node: usize) -> usize {
        if let Some(taken) = self.taken[node] {
            return taken;
        }
        let at = self.copy(node);
        self.taken[node] = Some(at);
        at
    }

    fn copy(&mut self, node: usize) -> usize {
        self.graph.add(self.index.placed(node))
    }

    fn link(&mut self, edge: &Edge, note: Option<String>) {
        let (from, to) = (self.node(edge.from), self.node(edge.to));
        self.between(from, to, edge, note);
    }

    fn between(&mut self, from: usize, to: usize, edge: &Edge, note: Option<String>) {
        let note = match (edge.note.clone(), note) {
            (Some(own), Some(note)) => Some(format!("{own}; {note}")),
            (own, note) => own.or(note),
        };
        self.graph.link(from, to, edge.kind, edge.at.as_ref(), note);
    }
}

fn unknown(index: &Index<'_>, what: &'static str, id: &str, kinds: &[NodeKind]) -> Diagnostic {
    let met = index.graph.nodes.iter().filter(|node| kinds.contains(&node.kind)).map(|node| &*node.id);
    not_found(index.tiers, what, id, kinds, met)
}

/// `met` holds other known ids, which need not be in any tier.
fn not_found<'a>(
    tiers: &Tiers,
    what: &'static str,
    id: &str,
    kinds: &[NodeKind],
    met: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    let of_tiers = kinds.iter().filter_map(|kind| kind.item());
    let alike = ItemId::parse(id).ok();
    let mut candidates: Vec<String> =
        alike.iter().flat_map(|id| of_tiers.clone().filter_map(|kind| tiers.nearest_id(kind, id))).collect();
    candidates.extend(nearest(id, met));
    let nearest = nearest(id, candidates.iter().map(String::as_str));
    Diagnostic::new(Problem::ItemNotFound { what, id: id.to_string(), nearest })
}

fn is_in_tier(tiers: &Tiers, kind: NodeKind, id: &str) -> bool {
    let item = kind.item().zip(ItemId::parse(id).ok());
    item.is_some_and(|(kind, id)| locate(tiers, kind, &id).is_some())
}

const KINDS: [NodeKind; 4] = [NodeKind::Directive, NodeKind::Knowledge, NodeKind::Hook, NodeKind::Tool];

fn unknown_pruned(index: &Index<'_>, scope: &GraphScope) -> Result<(), Diagnostic> {
    let is_known = |id: &&String| {
        KINDS.into_iter().any(|kind| match kind {
            NodeKind::Hook => index.hooks_named(id).next().is_some(),
            _ => index.node(kind, id).is_some() || is_in_tier(index.tiers, kind, id),
        })
    };
    scope.prune.iter().find(|id| !is_known(id)).map_or(Ok(()), |id| Err(unknown(index, "item", id, &KINDS)))
}

/// Checks `--prune` for the chain of one directive, against the tiers and the prompt.
pub fn check_pruned(scope: &GraphScope, prompt: &Prompt, tiers: &Tiers) -> Result<(), Diagnostic> {
    let members = prompt.chain.iter();
    let own_hooks = members.clone().flat_map(|member| member.directive.iter()).flat_map(|it| &it.hooks).map(Hook::name);
    let named = prompt.decisions.iter().map(|decision| decision.name.as_str());
    let met = members.map(|member| member.id.as_str()).chain(own_hooks).chain(named);
    let is_known = |id: &&String| {
        met.clone().any(|known| known == *id) || KINDS.into_iter().any(|kind| is_in_tier(tiers, kind, id))
    };
    let unknown = scope.prune.iter().find(|id| !is_known(id));
    unknown.map_or(Ok(()), |id| Err(not_found(tiers, "item", id, &KINDS, met)))
}

/// The maximum number of ids that a note names.
const NAMED: usize = 3;

/// The directives that suppress something, by the name they suppress.
pub(super) struct Suppressions<'i> {
    by_name: HashMap<&'i str, Vec<usize>>,
    protocol: &'i Protocol,
}

impl<'i> Suppressions<'i> {
    pub fn new(index: &'i Index<'_>) -> Self {
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, (_, entry)) in index.directives.entries().enumerate() {
            for field in entry.directive.iter().flat_map(|directive| &directive.context.suppress) {
                by_name.entry(field.as_str()).or_default().push(at);
            }
        }
        Self { by_name, protocol: index.protocol }
    }

    pub fn of_item(&self, id: &str) -> &[usize] {
        let of_item = self.by_name.get(id).filter(|_| self.protocol.suppresses_items());
        of_item.map_or(&[], Vec::as_slice)
    }

    /// In the chain of `leaf`, the directive nearest the root that suppresses a hook.
    pub fn of_hook_in_chain(&self, index: &Index<'_>, leaf: usize, hook: &Hook) -> Option<usize> {
        let by = self.of_hook(hook);
        let members = index.directives.members(leaf).filter(|_| !by.is_empty());
        members.filter(|member| by.binary_search(member).is_ok()).last()
    }

    /// The directives that suppress a hook, in order: by its id, or by the item of its only action (Directives,
    /// "Configuration and hooks").
    pub fn of_hook(&self, hook: &Hook) -> Vec<usize> {
        if !self.protocol.suppresses_hooks() || !hook.fires() || hook.event == ROUTING_EVENT {
            return Vec::new();
        }
        let mut by: Vec<usize> =
            hook.suppressible_names().filter_map(|name| self.by_name.get(name)).flatten().copied().collect();
        by.sort_unstable();
        by.dedup();
        by
    }

    /// Notes what suppresses a hook: any directive for a configured hook, a member of the chain for a directive's hook.
    pub fn note(&self, index: &Index<'_>, indexed: &IndexedHook) -> Option<String> {
        match indexed.owner {
            Some(owner) => {
                self.of_hook_in_chain(index, owner, &indexed.hook).map(|by| suppressed_by(index.directives.id(by)))
            }
            None => {
                let by = self.of_hook(&indexed.hook);
                let mut names: Vec<String> =
                    by.iter().take(NAMED).map(|&by| index.directives.id(by).to_string()).collect();
                if by.len() > NAMED {
                    names.push(format!("{} more", by.len() - NAMED));
                }
                (!names.is_empty()).then(|| suppressed_by(&names.join(", ")))
            }
        }
    }
}

pub(super) fn suppressed_by(id: &str) -> String {
    format!("suppressed by {id}")
}
