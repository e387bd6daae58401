//! Patterns of hook conditions: Python's `re.search` (Directives, "Configuration and hooks").
//!
//! A pattern is checked against Python's grammar and rewritten for [`fancy_regex`], whose syntax and classes differ.
//! Patterns are untrusted: their length, compiled size and backtracking are limited.

mod alphabet;
mod class;
mod escape;
mod flags;
mod frame;
mod translate;
mod weight;

use std::cell::RefCell;

use fancy_regex::{CompileError, Error, Regex, RegexBuilder};

use super::Work;

use crate::read::limits;
use alphabet::Alphabet;
use translate::{StepCost, Translated, translate};

/// The work that one backtracking search may take, in characters: a quarter of the total budget.
const MAX_WORK: usize = limits::PATTERN_WORK;

/// The work that the first attempt of a backtracking search may take, in characters.
const FIRST_WORK: usize = 1 << 12;

const MORE: usize = 16;

/// The maximum number of backtracking steps of a search, even in a short text.
const MAX_STEPS: usize = 1_000_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatternError {
    Invalid(String),
    Backtracks,
    Exhausted,
}

pub fn search(pattern: &str, text: &str, work: &Work) -> Result<bool, PatternError> {
    if pattern.len() > limits::PATTERN_BYTES {
        return Err(PatternError::Invalid(format!("it is longer than {} bytes", limits::PATTERN_BYTES)));
    }
    let translated =
        translate(pattern, Alphabet::of(text)).map_err(|reason| PatternError::Invalid(reason.to_string()))?;
    let per_step = match translated.step {
        StepCost::Free => {
            // A linear search keeps a state for each piece, and feeds every character to all of them.
            let cost = translated.pieces.saturating_mul(text.len());
            work.spend(cost).ok_or(PatternError::Exhausted)?;
            return attempt(&translated, text, MAX_STEPS, work);
        }
        StepCost::Length => text.len().max(1),
        StepCost::Square => text.len().max(1).saturating_mul(text.len()),
    };
    let most = (MAX_WORK / per_step).min(MAX_STEPS);
    if most == 0 {
        return Err(PatternError::Backtracks);
    }
    // The library does not report how many steps it took, so a small limit is tried first: most patterns need no more.
    let mut steps = (FIRST_WORK / per_step).clamp(1, most);
    loop {
        work.spend(steps.saturating_mul(per_step)).ok_or(PatternError::Exhausted)?;
        match attempt(&translated, text, steps, work) {
            Err(PatternError::Backtracks) if steps < most => steps = steps.saturating_mul(MORE).min(most),
            outcome => return outcome,
        }
    }
}

fn attempt(translated: &Translated, text: &str, steps: usize, work: &Work) -> Result<bool, PatternError> {
    work.spend(cost_of_compiling(translated)).ok_or(PatternError::Exhausted)?;
    let matches = |regex: &Regex| regex.is_match(text).map_err(|_| PatternError::Backtracks);
    LAST.with_borrow_mut(|last| {
        if let Some(known) = last.as_ref().filter(|known| known.regex == translated.regex && known.steps == steps) {
            return known.compiled.as_ref().map_err(Clone::clone).and_then(matches);
        }
        let compiled = compile(&translated.regex, steps);
        let outcome = compiled.as_ref().map_err(Clone::clone).and_then(matches);
        *last = Some(Compiled { regex: translated.regex.clone(), steps, compiled });
        outcome
    })
}

struct Compiled {
    regex: String,
    steps: usize,
    compiled: Result<Regex, PatternError>,
}

thread_local! {
    /// Rendering many prompts uses the same pattern again and again. The cost of a cached pattern is still counted, so
    /// results do not depend on the order.
    static LAST: RefCell<Option<Compiled>> = const { RefCell::new(None) };
}

fn compile(regex: &str, steps: usize) -> Result<Regex, PatternError> {
    RegexBuilder::new(regex)
        .delegate_size_limit(limits::COMPILED_BYTES)
        .max_prog_size(limits::PATTERN_INSTRUCTIONS)
        .backtrack_limit(steps)
        .build()
        .map_err(|error| PatternError::Invalid(reason(&error)))
}

/// The approximate cost of compiling a pattern: the part bounded by [`limits::COMPILED_BYTES`], and the rest.
fn cost_of_compiling(translated: &Translated) -> usize {
    const PATTERN: usize = 10_000;
    const CHARACTER: usize = 64;
    const FOLDED: usize = 16;
    const MOST: usize = 1 << 23;
    let whole = translated.weight.saturating_mul(CHARACTER).min(MOST);
    let [beside, folded] = [(translated.beside, CHARACTER), (translated.folded, FOLDED)].map(|(n, each)| n * each);
    PATTERN + whole + beside + folded
}

/// The minimum cost of a pattern, in characters; zero if it is refused before it is compiled.
pub fn cost(pattern: &str) -> usize {
    match pattern.len() <= limits::PATTERN_BYTES {
        true => translate(pattern, Alphabet::of("")).map_or(0, |translated| cost_of_compiling(&translated)),
        false => 0,
    }
}

/// Why a pattern is invalid, if it is.
pub fn refusal(pattern: &str) -> Option<String> {
    match search(pattern, "", &Work::default()) {
        Err(PatternError::Invalid(reason)) => Some(reason),
        Ok(_) | Err(PatternError::Backtracks | PatternError::Exhausted) => None,
    }
}

fn reason(error: &Error) -> String {
    match error {
        Error::ParseError(_, error) => error.to_string(),
        Error::CompileError(error)
            if matches!(**error, CompileError::InnerError(_) | CompileError::PatternTooComplex) =>
        {
            "it is too large".to_string()
        }
        Error::CompileError(error) => error.to_string(),
        error => error.to_string(),
    }
}

#[cfg(test)]
mod tests;
