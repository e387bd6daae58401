//! Shell completion.
//!
//! ```text
//! shell → word list → partial line → candidates → shell
//! ```
//!
//! [`Completes`] says what an argument takes; the candidates come from the project that the line names. There are no
//! errors: if something cannot be read, fewer candidates are offered.

mod candidates;
mod partial_line;
mod shell;
mod word_list;

use clap::builder::ArgExt;

pub use candidates::{CompletionCandidateValue, CompletionContext, CompletionQuestion, candidates};
pub use partial_line::PartialLine;
pub use shell::{Offer, Reply, Shell};
pub use word_list::WordList;

/// The values of an argument, if clap does not know them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completes {
    /// An id or a file.
    Directive,
    /// A directive, with or without a revision.
    Side,
    DirectiveId,
    Knowledge,
    Hook,
    /// A hook or a knowledge item.
    Suppressed,
    /// An item or a hook, or a file that an agent reads in a folder.
    Item,
    /// The ends of a path: a directive or a hook, then an item or a hook.
    Ends,
    /// A position, `=` and a knowledge item.
    Context,
    /// The name of an input of the directive, and `=`.
    Input,
    /// The code or name of a rule, or a group.
    Rule,
    Protocol,
    Schema,
    /// A tier's kind or label.
    Tier,
}

impl ArgExt for Completes {}
