//! Findings, fixes and answers for editors, over the Language Server Protocol.
//!
//! ```text
//! wire → server → answers → about → hover, places, lens, completion, findings
//!          └────▶ workspace ◀──┘
//! ```
//!
//! After each edit, the findings are those of `lint` for the open documents, with their unsaved text. One thread answers
//! in the order of the messages, so that each answer is about the text that the editor had when it asked.

mod abilities;
mod about;
mod agent_settings;
mod answers;
mod completion;
mod findings;
mod hover;
mod lens;
mod linked;
mod names;
mod places;
mod position;
mod server;
mod wire;
mod workspace;

pub use server::{Ended, serve};
pub use workspace::{Home, Opened, Opener, Unsaved};
