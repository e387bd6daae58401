//! Decides what takes effect in a prompt, and why the rest does not: for one directive or for all of a project.
//!
//! Rendering decides with every value known; `lint`, `chain` and `diff --all` decide for all prompts of a directive at
//! once, where a condition may be undecided.

pub(crate) mod completes;
pub mod condition;
mod index;
mod known;
mod placement;
pub mod request;
mod routing;

pub use index::{Chain, ChainEnd, DirectiveIndex, IndexedDirective, granting};
pub use known::KnownContext;
pub use placement::{Placement, placements};
pub use routing::{Route, Routes, routes, routing_hooks};
