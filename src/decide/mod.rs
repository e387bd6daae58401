//! Decides what takes effect in a prompt, and why the rest does not: for one directive or for all of a project.
//!
//! Rendering decides with every value known; `lint`, `chain` and `diff --all` decide for all prompts of a directive at
//! once, where a condition may be undecided.

mod ancestors;
pub(crate) mod completes;
pub mod condition;
mod known;
mod lineage;
mod placement;
pub mod request;
mod routing;

pub use ancestors::{granting, with_parents};
pub use known::KnownContext;
pub use lineage::Lineage;
pub use placement::{Placement, placements};
pub use routing::{Route, RouteEffect, routes, routing_hooks};
