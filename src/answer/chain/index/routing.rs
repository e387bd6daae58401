use std::borrow::Borrow;

use super::{Index, IndexedHook};
use crate::answer::chain::graph::{Edge, EdgeKind, NodeKind};
use crate::decide::{self, KnownContext, routing_hooks};
use crate::read::item::Hook;

/// A hook that sets the parent of a directive, or may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    pub hook: usize,
    pub to: usize,
    /// Whether its condition holds for every prompt. An earlier hook may still win.
    pub holds: bool,
    /// Whether it sets the parent in every prompt.
    pub is_certain: bool,
}

impl Index<'_> {
    /// Links a directive to the hooks that may set its parent. Returns the parent if a hook certainly sets it.
    ///
    /// A condition on an input or the model is open: it depends on the prompt.
    pub fn route(&mut self, directive: usize) -> Option<usize> {
        let routes = self.routes(&self.routers(), directive);
        let routed = routes.last().filter(|route| route.holds).map(|route| route.to);
        if routed.is_some() {
            let own =
                self.graph.edges.iter_mut().filter(|edge| edge.from == directive && edge.kind == EdgeKind::Extends);
            own.for_each(|edge| edge.note = Some("not used: a hook routes it".to_string()));
        }
        for Route { hook, holds, .. } in routes {
            let at = self.hook_of(hook).and_then(|indexed| indexed.hook.span.clone());
            let note = Some(if holds { "routes it" } else { "may route it" }.to_string());
            self.graph.edges.push(Edge { from: directive, to: hook, kind: EdgeKind::Extends, at, note });
        }
        routed
    }

    /// The routing hooks, in the order in which they are tried.
    pub fn routers(&self) -> Vec<&IndexedHook> {
        let rules = self.protocol.routing;
        rules.map(|rules| routing_hooks(self.hooks.iter(), rules.order)).unwrap_or_default()
    }

    /// The hooks that set or may set the parent of a directive, in order.
    pub fn routes(&self, routers: &[&IndexedHook], directive: usize) -> Vec<Route> {
        let (Some(entry), Some(rules)) = (self.directives.get(directive), self.protocol.routing) else {
            return Vec::new();
        };
        let category = entry.declared().and_then(|declared| declared.category.as_deref());
        let known = KnownContext::new(&entry.id, entry.extends().is_some(), category.unwrap_or_default());
        let routes = decide::routes(routers.iter().copied(), rules, &known);
        let certain = routes.certain().map(|indexed| indexed.node);
        let route = |it: &decide::Route<&IndexedHook>| {
            let IndexedHook { node, hook, .. } = it.hook;
            let to = self.node(NodeKind::Directive, hook.parent()?.as_str())?;
            Some(Route { hook: *node, to, holds: it.holds, is_certain: certain == Some(*node) })
        };
        routes.list.iter().filter_map(route).collect()
    }
}

impl Borrow<Hook> for &IndexedHook {
    fn borrow(&self) -> &Hook {
        &self.hook
    }
}
