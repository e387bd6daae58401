//! YAML with positions, read as PyYAML's safe loader reads it (Directives, "Knowledge"), or by the core schema of YAML 1.2
//! (`sf`, "Skills").
//!
//! `events` makes the parser's events say where things are written, `compose` makes nodes of them, `scalar`
//! and `core_scalar` decide which text is which value, and `traced` tells where the bytes of a printed value stand.

mod binary;
mod bounds;
mod compose;
mod core_scalar;
mod events;
mod key;
mod load;
mod node;
mod outline;
mod own;
mod scalar;
mod tag;
mod time;
mod traced;
mod weight;
mod written;

pub use bounds::{OutOfBounds, check_bounds};
pub use key::key_place;
pub use load::{Key, Loaded, YamlLimits, load, load_core};
pub use node::{Data, Node};
pub use outline::Outline;
pub use own::{Unreadable, read_own};
