use std::borrow::Borrow;

use super::{Index, IndexedHook};
use crate::answer::chain::graph::{Edge, EdgeKind};
use crate::decide::{self, KnownContext, Routes, routing_hooks};
use crate::read::item::Hook;

impl Index<'_> {
    /// Links a directive to the hooks that may set its parent. Returns the parent if a hook is certain to set it.
    ///
    /// A condition on an input or the model is open: it depends on the prompt.
    pub fn route(&mut self, directive: usize) -> Option<usize> {
        let routes = self.routes(&self.routers(), directive)?.list;
        let routed = routes.last().filter(|route| route.holds).and_then(|route| route.hook.parent);
        let link = |route: &decide::Route<&IndexedHook>| {
            let note = if route.holds { "routes it" } else { "may route it" };
            let (to, at) = (route.hook.node, route.hook.hook.span.clone());
            Edge { from: directive, to, kind: EdgeKind::Extends, at, note: Some(note.to_string()) }
        };
        let links: Vec<Edge> = routes.iter().map(link).collect();
        if routed.is_some() {
            let own =
                self.graph.edges.iter_mut().filter(|edge| edge.from == directive && edge.kind == EdgeKind::Extends);
            own.for_each(|edge| edge.note = Some("not used: a hook routes it".to_string()));
        }
        self.graph.edges.extend(links);
        routed
    }

    /// The routing hooks, in the order in which they are tried.
    pub fn routers(&self) -> Vec<&IndexedHook> {
        let rules = self.protocol.routing;
        rules.map(|rules| routing_hooks(self.hooks.iter(), rules.order)).unwrap_or_default()
    }

    /// The hooks that set or may set the parent of a directive; `None` for other nodes and under other protocols.
    pub fn routes<'h>(&self, routers: &[&'h IndexedHook], directive: usize) -> Option<Routes<&'h IndexedHook>> {
        let rules = self.protocol.routing.filter(|_| self.directives.positions().contains(&directive))?;
        let (id, read) = (self.directives.id(directive), self.directives[directive].directive.as_ref());
        let known = read.map_or_else(|| KnownContext::new(id, false, ""), |directive| KnownContext::of(id, directive));
        Some(decide::routes(routers.iter().copied(), rules, &known))
    }
}

impl Borrow<Hook> for &IndexedHook {
    fn borrow(&self) -> &Hook {
        &self.hook
    }
}
