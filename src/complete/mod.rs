//! What there is to complete at a place of the command line, and how shells ask for it.
//!
//! ```text
//! shell → words → line → candidates → shell
//! ```
//!
//! A flag says what it takes with [`Completes`]; what there is of that comes from the project that the line names. No
//! question of a shell is an error: where something cannot be read, less is offered.

mod candidates;
mod line;
mod shell;
mod words;

use clap::builder::ArgExt;

pub use candidates::{Asked, Candidate, Project, candidates};
pub use line::Line;
pub use shell::{Answer, Kind, Shell};
pub use words::Words;

/// What the value of an argument may be, where clap does not know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completes {
    /// A directive: its id, or a file.
    Directive,
    /// A side of a comparison: a directive, at a revision or not.
    Side,
    /// The id of a directive, and no file.
    DirectiveId,
    /// The id of a knowledge item.
    Knowledge,
    /// The id of a hook.
    Hook,
    /// What can be suppressed: a hook, or an item that a chain injects.
    Suppressed,
    /// Anything that can be in a prompt: an item or a hook, or what an agent reads in a folder.
    Item,
    /// Two ends of a path: a directive or a hook, and an item or a hook.
    Ends,
    /// A position, `=` and the id of a knowledge item.
    Context,
    /// The name of an input of the directive in the line, and `=`.
    Input,
    /// A rule, by code or name; a group of them.
    Rule,
    /// The name of a protocol.
    Protocol,
    /// The name of a schema.
    Schema,
    /// A tier, by kind or label.
    Tier,
}

impl ArgExt for Completes {}
