//! YAML with positions, read as PyYAML's safe loader does (Directives, "Knowledge"), or by YAML 1.2's core schema
//! (`sf`, "Skills"). `events` adds positions to the parser's events, `compose` builds nodes, `scalar` and `core_scalar`
//! convert text to values, and `traced` gives the origins of a printed value.

mod binary;
mod bounded;
mod compose;
mod core_scalar;
mod document;
mod events;
mod key;
mod load;
mod node;
mod outline;
mod scalar;
mod tag;
mod time;
mod traced;
mod weight;
mod written;

pub use bounded::{Unreadable, read_lenient, read_own};
pub use document::{DocumentKey, Loaded, YamlLimits};
pub use key::key_place;
pub use load::{load, load_core, load_within};
pub use node::{NodeMap, YamlData, YamlNode};
pub use outline::Outline;
