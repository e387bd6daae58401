//! Patterns of hook conditions: Python's `re.search` (Directives, "Configuration and hooks").
//!
//! A pattern is checked by Python's grammar and written anew for [`fancy_regex`], whose syntax and classes differ.
//! Patterns come from strangers: their length, compiled size and backtracking are limited.

mod alphabet;
mod class;
mod cursor;
mod escape;
mod flags;
mod frame;
mod translate;

use fancy_regex::{Error, RegexBuilder};

use alphabet::Alphabet;
use translate::{Step, Translated, translate};

/// Longer patterns, in bytes, are refused.
const MAX_PATTERN: usize = 2_000;

/// The most bytes that one compiled piece of a pattern may take.
const MAX_COMPILED: usize = 2 << 20;

/// The most instructions of a pattern that needs backtracking.
const MAX_PROGRAM: usize = 20_000;

/// The most characters that a search may look at, which takes a second or two.
const MAX_WORK: usize = 1 << 28;

/// The most steps back that a search may take, however short the text.
const MAX_STEPS: usize = 1_000_000;

/// Why it cannot be said whether a pattern matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatternError {
    /// Python refuses it, or it is over a limit.
    Invalid(String),
    /// It takes too long on this text.
    Backtracks,
}

/// Whether the pattern matches anywhere in the text.
pub fn search(pattern: &str, text: &str) -> Result<bool, PatternError> {
    if pattern.len() > MAX_PATTERN {
        return Err(PatternError::Invalid(format!("it is longer than {MAX_PATTERN} bytes")));
    }
    let Translated { regex, step } =
        translate(pattern, Alphabet::of(text)).map_err(|reason| PatternError::Invalid(reason.to_string()))?;
    let length = text.len().max(1);
    let steps = match step {
        Step::Free => MAX_STEPS,
        Step::Length => MAX_WORK / length,
        Step::Square => MAX_WORK / length.saturating_mul(length),
    };
    if steps == 0 {
        return Err(PatternError::Backtracks);
    }
    let regex = RegexBuilder::new(&regex)
        .delegate_size_limit(MAX_COMPILED)
        .max_prog_size(MAX_PROGRAM)
        .backtrack_limit(steps.min(MAX_STEPS))
        .build()
        .map_err(|error| PatternError::Invalid(reason(&error)))?;
    regex.is_match(text).map_err(|_| PatternError::Backtracks)
}

/// Why a pattern is none, if it is none.
pub fn refusal(pattern: &str) -> Option<String> {
    match search(pattern, "") {
        Err(PatternError::Invalid(reason)) => Some(reason),
        Ok(_) | Err(PatternError::Backtracks) => None,
    }
}

/// What the library says against a pattern that Python takes.
fn reason(error: &Error) -> String {
    match error {
        Error::ParseError(_, error) => error.to_string(),
        Error::CompileError(error) => match &**error {
            fancy_regex::CompileError::InnerError(_) | fancy_regex::CompileError::PatternTooComplex => {
                "it is too large".to_string()
            }
            error => error.to_string(),
        },
        error => error.to_string(),
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod vectors;
