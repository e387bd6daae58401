//! Shell completion.
//!
//! ```text
//! shell → word list → partial line → candidates → shell
//! ```
//!
//! `Completes` says what an argument takes; the candidates come from the project that the line names. There are no
//! errors: if something cannot be read, fewer candidates are offered.

mod candidates;
mod partial_line;
mod shell;
mod word_list;

pub use candidates::{CompletionCandidateValue, CompletionContext, CompletionQuestion, candidates};
pub use partial_line::PartialLine;
pub use shell::{Offer, Reply, Shell};
pub use word_list::WordList;
