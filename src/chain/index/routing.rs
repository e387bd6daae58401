use super::Index;
use crate::assemble;
use crate::chain::graph::{Edge, EdgeKind};
use crate::condition::{self, LookupResult, Truth, ValueLookup};
use crate::item::Hook;
use crate::value::{Value, look_up, map};

/// A hook that sets or may set the parent of a directive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route {
    pub hook: usize,
    pub to: usize,
    /// Whether its condition holds for every prompt. An earlier hook may still win.
    pub holds: bool,
}

pub struct Router<'i> {
    node: usize,
    hook: &'i Hook,
    to: Option<usize>,
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

    /// The routing hooks in the order in which they are tried.
    pub fn routers(&self) -> Vec<Router<'_>> {
        let Some(rules) = self.protocol.routing else { return Vec::new() };
        let of_origin = |origin| {
            let all = self.hooks.iter().filter(move |indexed| indexed.hook.origin == origin);
            all.map(|indexed| (indexed.node, &indexed.hook))
        };
        let asked: Vec<(usize, &Hook)> = assemble::routing_hooks(of_origin, |(_, hook)| hook, rules.order);
        let target = |node| self.graph.edges.iter().find(|edge| edge.from == node && edge.kind == EdgeKind::Extends);
        asked.into_iter().map(|(node, hook)| Router { node, hook, to: target(node).map(|edge| edge.to) }).collect()
    }

    /// The hooks that set or may set the parent of a directive, in order, up to the first whose condition certainly
    /// holds.
    pub fn routes(&self, routers: &[Router<'_>], directive: usize) -> Vec<Route> {
        let mut routes = Vec::new();
        let Some(entry) = self.directives.get(directive) else { return routes };
        let category = entry.declared().and_then(|declared| declared.category.as_deref());
        let known = RoutingContext(Value::Map(map([
            ("directive", Value::from(entry.id.as_str())),
            ("has_extends", Value::from(entry.extends().is_some())),
            ("category", Value::from(category.unwrap_or_default())),
        ])));
        for &Router { node, hook, to } in routers {
            let truth = condition::judge(&hook.condition, &known).0.truth;
            let holds = truth == Some(Truth::True);
            if truth == Some(Truth::False) {
                continue;
            }
            routes.extend(to.map(|to| Route { hook: node, to, holds }));
            // The first hook whose condition holds decides; under some protocols, even if it sets no parent.
            let stops = to.is_some() || self.protocol.routing.is_some_and(|rules| rules.without_target_stops);
            if holds && stops {
                break;
            }
        }
        routes
    }
}

/// The part of the `resolve_extends` context that a directive's file determines.
struct RoutingContext(Value);

impl ValueLookup for RoutingContext {
    fn look_up(&self, path: &str) -> LookupResult<'_> {
        match path.split('.').next().unwrap_or_default() {
            // The whole context includes unknown values.
            "" | "inputs" | "model" => LookupResult::Unknown,
            _ => LookupResult::Known(look_up(&self.0, path).unwrap_or(&Value::Null)),
        }
    }
}
