use crate::condition::Truth;
use crate::item::{Hook, HookOrigin, ItemField};
use crate::protocol::{Routing, RoutingOrder};

use super::KnownContext;

/// The hooks that may set a parent, in the order in which they are tried.
pub fn routing_hooks<T: Copy, Hooks: IntoIterator<Item = T>>(
    of_origin: impl Fn(HookOrigin) -> Hooks,
    hook: impl Fn(&T) -> &Hook,
    order: RoutingOrder,
) -> Vec<T> {
    let mut hooks: Vec<T> =
        HookOrigin::ROUTING.into_iter().flat_map(of_origin).filter(|it| hook(it).routes()).collect();
    if order == RoutingOrder::Layer {
        hooks.sort_by(|left, right| hook(left).effective_layer().total_cmp(&hook(right).effective_layer()));
    }
    hooks
}

/// What a routing hook does if its condition holds.
pub enum RouteEffect<'h> {
    Sets(&'h ItemField),
    /// Sets no parent. If `stops` is true, no later hook is tried.
    Nothing {
        stops: bool,
    },
}

impl<'h> RouteEffect<'h> {
    pub fn of(hook: &'h Hook, rules: Routing) -> Self {
        hook.parent().map_or(Self::Nothing { stops: rules.without_target_stops }, Self::Sets)
    }
}

/// A hook that sets the parent of a directive in all of its prompts, or in some.
#[derive(Debug, Clone, Copy)]
pub struct Route<'h, T> {
    pub hook: T,
    pub target: &'h ItemField,
    /// Whether its condition holds for every prompt; an earlier hook may still win.
    pub holds: bool,
}

/// The routes of all prompts of a directive, in the order in which they are tried.
pub struct Routes<'h, T> {
    pub list: Vec<Route<'h, T>>,
    /// Whether a hook decides in some prompts only.
    is_open: bool,
}

impl<'h, T: Copy> Routes<'h, T> {
    /// The route of every prompt.
    pub fn certain(&self) -> Option<Route<'h, T>> {
        self.list.last().copied().filter(|route| route.holds && !self.is_open)
    }
}

/// Tries the hooks up to the first whose condition certainly holds (Directives, "Routing").
pub fn routes<'h, T: Copy>(
    hooks: impl IntoIterator<Item = T>,
    hook: impl Fn(T) -> &'h Hook,
    rules: Routing,
    known: &KnownContext,
) -> Routes<'h, T> {
    let mut routes = Routes { list: Vec::new(), is_open: false };
    for tried in hooks {
        let (truth, effect) = (known.truth(hook(tried)), RouteEffect::of(hook(tried), rules));
        if truth == Truth::False {
            continue;
        }
        let holds = truth == Truth::True;
        match effect {
            RouteEffect::Sets(target) => routes.list.push(Route { hook: tried, target, holds }),
            RouteEffect::Nothing { stops: true } => {}
            RouteEffect::Nothing { stops: false } => continue,
        }
        if holds {
            break;
        }
        routes.is_open = true;
    }
    routes
}
