//! Diagnostics as data: a [`Problem`] from the table in `problem.rs`, and its place.

mod details;
mod problem;

use std::sync::Arc;
use std::{io, iter};

use crate::system;
use crate::text::visible::one_line;
use crate::text::{Position, Source, Span};

pub use details::{ChainLink, InputProblems, NoXmlBlock, TierFault};
pub use problem::{KNOWLEDGE_PREFIX, Problem};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub enum Severity {
    Note,
    Warning,
    Error,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Location {
    Span(Span),
    /// A file that could not be read or decoded.
    File {
        /// The tier's label; empty for a file named on the command line.
        tier: Arc<str>,
        /// Relative to the folder that holds `.ai/`, or as given on the command line.
        path: String,
        /// As typed; `None` for a file on disk.
        revision: Option<Arc<str>>,
        position: Option<Position>,
    },
}

impl Location {
    pub fn file(tier: impl Into<Arc<str>>, path: impl Into<String>) -> Self {
        Self::File { tier: tier.into(), path: path.into(), revision: None, position: None }
    }

    /// A place in a source, without its text.
    pub fn without_text(source: &Source, position: Option<Position>) -> Self {
        let revision = source.revision().map(Into::into);
        Self::File { tier: source.tier().into(), path: source.path().to_string(), revision, position }
    }

    pub fn tier(&self) -> &str {
        match self {
            Self::Span(span) => span.source().tier(),
            Self::File { tier, .. } => tier,
        }
    }

    pub fn path(&self) -> &str {
        match self {
            Self::Span(span) => span.source().path(),
            Self::File { path, .. } => path,
        }
    }

    /// Where the place begins; `None` for a whole file.
    pub fn position(&self) -> Option<Position> {
        match self {
            Self::Span(span) => Some(span.source().position(span.range().start)),
            Self::File { position, .. } => *position,
        }
    }

    /// `:9:5`; empty for a whole file.
    pub fn line_and_column(&self) -> String {
        self.position().map(|at| format!(":{}:{}", at.line, at.column)).unwrap_or_default()
    }
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

#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    pub problem: Problem,
    pub at: Option<Location>,
}

impl Diagnostic {
    pub fn new(problem: Problem) -> Self {
        Self { problem, at: None }
    }

    /// An argument, setting or file of the command line that cannot be used, and what to do instead; empty if nobody knows.
    pub fn invalid(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::new(Problem::invalid(what, help))
    }

    pub fn at(problem: Problem, at: impl Into<Location>) -> Self {
        Self { problem, at: Some(at.into()) }
    }

    pub fn code(&self) -> &'static str {
        self.problem.into_str()
    }

    pub fn severity(&self) -> Severity {
        self.problem.severity()
    }

    /// A sentence without the location, plus one line per link for a chain. Names cannot add lines to it.
    pub fn message(&self) -> String {
        let chain = details::chain_lines(self.problem.chain().unwrap_or_default());
        let lines: Vec<String> = iter::once(self.problem.sentence()).chain(chain).collect();
        lines.iter().map(|line| one_line(line)).collect::<Vec<_>>().join("\n")
    }

    pub fn help(&self) -> Option<String> {
        Some(one_line(&self.problem.help()).into_owned()).filter(|help| !help.is_empty())
    }
}

/// Why something failed: at least one error, and warnings that belong to it.
#[derive(Debug)]
pub struct Failure(pub(crate) Vec<Diagnostic>);

impl Failure {
    /// The code of each error, such as `directive_not_found`.
    pub fn codes(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(Diagnostic::code)
    }
}

impl From<Diagnostic> for Failure {
    fn from(error: Diagnostic) -> Self {
        Self(vec![error])
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(errors: Vec<Diagnostic>) -> Self {
        Self(errors)
    }
}

/// Only the errors; those without a place get `place`.
pub fn errors_at(found: Vec<Diagnostic>, place: &Location) -> Vec<Diagnostic> {
    let errors = found.into_iter().filter(|diagnostic| diagnostic.severity() == Severity::Error);
    errors.map(|Diagnostic { problem, at }| Diagnostic { problem, at: at.or_else(|| Some(place.clone())) }).collect()
}

/// A parser's sentence without its place, which is shown separately.
pub fn without_place(sentence: &str) -> &str {
    sentence.split(" at line ").next().unwrap_or(sentence)
}

/// The operating system's reason without its number: `No such file or directory`.
pub fn system_reason(error: &io::Error) -> String {
    // Each C library has words of its own for this.
    if system::is_link_loop(error) {
        return "Too many levels of symbolic links".to_string();
    }
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_string()
}
