use std::borrow::Borrow;

use crate::decide::condition::Truth;
use crate::read::item::{Hook, HookOrigin};
use crate::read::protocol::{Routing, RoutingOrder};

use super::KnownContext;

/// The hooks that may set a parent, in the order in which they are tried.
pub fn routing_hooks<T: Borrow<Hook>>(hooks: impl Iterator<Item = T>, order: RoutingOrder) -> Vec<T> {
    let mut hooks: Vec<T> = hooks.filter(|it| it.borrow().routes()).collect();
    hooks.sort_by_key(|it| HookOrigin::ROUTING.iter().position(|origin| *origin == it.borrow().origin));
    if order == RoutingOrder::Layer {
        // A stable sort: within a layer, the order of origins stays.
        hooks.sort_by(|left, right| left.borrow().effective_layer().total_cmp(&right.borrow().effective_layer()));
    }
    hooks
}

/// A hook that sets the parent of a directive in all of its prompts, or in some.
#[derive(Debug, Clone, Copy)]
pub struct Route<T> {
    pub hook: T,
    /// Whether its condition holds for every prompt; an earlier hook may still win.
    pub holds: bool,
}

/// The routes of all prompts of a directive, in the order in which they are tried.
pub struct Routes<T> {
    pub list: Vec<Route<T>>,
    /// Whether a hook decides in only some of the prompts.
    is_open: bool,
}

impl<T: Copy> Routes<T> {
    /// The hook that sets the parent in every prompt.
    pub fn certain(&self) -> Option<T> {
        self.list.last().filter(|route| route.holds && !self.is_open).map(|route| route.hook)
    }
}

/// Tries the hooks up to the first whose condition certainly holds (Directives, "Routing").
pub fn routes<T: Borrow<Hook>>(hooks: impl IntoIterator<Item = T>, rules: Routing, known: &KnownContext) -> Routes<T> {
    let mut routes = Routes { list: Vec::new(), is_open: false };
    for hook in hooks {
        let truth = known.truth(hook.borrow());
        if truth == Truth::False {
            continue;
        }
        let holds = truth == Truth::True;
        match hook.borrow().parent() {
            Some(_) => routes.list.push(Route { hook, holds }),
            None if rules.without_target_stops => {}
            None => continue,
        }
        if holds {
            break;
        }
        routes.is_open = true;
    }
    routes
}
