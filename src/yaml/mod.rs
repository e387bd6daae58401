//! YAML with positions, read as PyYAML's safe loader reads it (Directives, "Knowledge").
//!
//! `events` makes the parser's events say where things are written, `compose` makes nodes of them, `scalar` decides
//! which text is which value, and `traced` tells where the bytes of a printed value stand.

mod binary;
mod bounds;
mod compose;
mod events;
mod key;
mod load;
mod node;
mod outline;
mod scalar;
mod tag;
mod time;
mod traced;
mod written;

pub use bounds::{OutOfBounds, check_bounds};
pub use key::key_place;
pub use load::{Key, Loaded, YamlLimits, load};
pub use node::{Data, Node};
pub use outline::Outline;
