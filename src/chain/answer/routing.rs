use std::collections::HashMap;

use super::Part;
use crate::chain::graph::{Edge, EdgeKind};
use crate::chain::index::Index;
use crate::layout::count;

/// What hooks do to directives.
#[derive(Default)]
pub(super) struct Routing {
    /// The hook that sets the parent of a directive for certain.
    own: HashMap<usize, usize>,
    /// The directives for which a hook does that.
    certain: HashMap<usize, Vec<usize>>,
    /// For how many directives a hook may do that.
    possible: HashMap<usize, usize>,
}

impl Routing {
    /// Asks every hook that may set a parent about every directive.
    pub fn new(index: &Index<'_>) -> Self {
        let mut routing = Self::default();
        let routers = index.routers();
        if routers.is_empty() {
            return routing;
        }
        for directive in 0..index.directives.len() {
            let routes = index.routes(&routers, directive);
            for route in routes.iter().filter(|route| route.to != directive) {
                // One that is asked after another that may hold is not certain.
                if route.holds && routes.len() == 1 {
                    routing.own.insert(directive, route.hook);
                    routing.certain.entry(route.hook).or_default().push(directive);
                } else {
                    *routing.possible.entry(route.hook).or_default() += 1;
                }
            }
        }
        routing
    }

    /// That a hook sets another parent for the prompt of a directive, whatever extends it in turn.
    pub fn note(&self, index: &Index<'_>, edge: &Edge) -> Option<String> {
        let hook = *self.own.get(&edge.from).filter(|_| edge.kind == EdgeKind::Extends)?;
        Some(format!("its own prompt is routed by hook {}", index.graph.nodes[hook].id))
    }

    /// Adds what the hooks of a part route. Such a directive has nothing below it: what extends it is not routed.
    pub fn add(&self, part: &mut Part<'_, '_>) {
        let index = part.index;
        for indexed in &index.hooks {
            let Some(hook) = part.taken[indexed.node] else { continue };
            for &directive in self.certain.get(&indexed.node).into_iter().flatten() {
                let from = part.copy(directive);
                let note = Some(format!("routed by hook {}", indexed.hook.name()));
                let at = indexed.hook.span.clone();
                part.graph.edges.push(Edge { from, to: hook, kind: EdgeKind::Extends, at, note });
            }
            if let Some(&possible) = self.possible.get(&indexed.node) {
                let note = format!("may route {}, which a prompt decides", count(possible, "directive"));
                part.graph.nodes[hook].notes.push(note);
            }
        }
    }
}
