//! What is wrong, as data: a [`Problem`] and where it is. `words.rs` turns it into sentences, and gives it a code of
//! `code.rs`.

mod code;
mod print;
mod problem;
mod words;

use std::io;
use std::sync::Arc;
use strum::IntoStaticStr;

use crate::text::{Position, Span};

pub use code::Code;
pub use print::{Notice, file_name, print};
pub use problem::{ChainLink, InputProblems, NoXmlBlock, Problem, TierFault};

/// How bad a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Likely not what the author meant.
    Warning,
    /// No prompt can be shown.
    Error,
}

/// Where a problem is.
#[derive(Debug, Clone, PartialEq)]
pub enum Location {
    /// A range of a file that was read.
    Span(Span),
    /// A file that could not be read, or not as text.
    File {
        /// The tier's label; empty for a file named on the command line.
        tier: Arc<str>,
        /// Relative to the folder that holds `.ai/`, or as given on the command line.
        path: String,
        /// The revision that it was read at, as typed; none for what lies on disk.
        revision: Option<Arc<str>>,
        /// Where in the file, if that is known.
        position: Option<Position>,
    },
}

impl From<Span> for Location {
    fn from(span: Span) -> Self {
        Self::Span(span)
    }
}

impl From<&Span> for Location {
    fn from(span: &Span) -> Self {
        Self::Span(span.clone())
    }
}

/// A problem and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// What is wrong.
    pub problem: Problem,
    /// Where, if it is in a file.
    pub at: Option<Location>,
}

impl Diagnostic {
    /// A problem without a place.
    pub fn new(problem: Problem) -> Self {
        Self { problem, at: None }
    }

    /// A problem at a place.
    pub fn at(problem: Problem, at: impl Into<Location>) -> Self {
        Self { problem, at: Some(at.into()) }
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        words::describe(&self.problem).code.into_str()
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        words::describe(&self.problem).severity
    }

    /// What is wrong, without its place: one sentence, and for a chain a line for each link.
    pub fn message(&self) -> String {
        words::describe(&self.problem).message
    }

    /// What to do next.
    pub fn help(&self) -> Option<String> {
        words::describe(&self.problem).help
    }
}

/// The errors among what was found, each with a place, if only that one. The warnings on the way count no more.
pub fn errors_at(found: Vec<Diagnostic>, place: &Location) -> Vec<Diagnostic> {
    let errors = found.into_iter().filter(|diagnostic| diagnostic.severity() == Severity::Error);
    let placed = errors.map(|error| match error.at {
        Some(_) => error,
        None => Diagnostic { at: Some(place.clone()), ..error },
    });
    placed.collect()
}

/// A parser's sentence up to the place, which is shown apart from it.
pub fn without_place(sentence: &str) -> &str {
    sentence.split(" at line ").next().unwrap_or(sentence)
}

/// The system's reason without its number: `No such file or directory`.
pub fn system_reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((reason, _)) => reason.to_string(),
        None => text,
    }
}
