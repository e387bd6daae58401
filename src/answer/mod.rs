//! One folder per answer, with a file or folder for each format. None assembles a prompt.

pub mod agents;
pub mod chain;
pub mod diff;
pub mod explain;
pub(crate) mod impact;
pub(crate) mod list;
pub(crate) mod lock;
pub mod recordings;
pub mod render;
pub mod schema;
