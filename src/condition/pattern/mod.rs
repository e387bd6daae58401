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
mod weight;

use std::cell::RefCell;

use fancy_regex::{Error, Regex, RegexBuilder};

use super::Work;

use crate::limits;
use alphabet::Alphabet;
use translate::{Step, Translated, translate};

/// The most characters that one search may look at that goes back: a quarter of what there is for all.
const MAX_WORK: usize = limits::PATTERN_WORK;

/// What the first attempt at a search that goes back may look at, in characters.
const FIRST_WORK: usize = 1 << 12;

/// How many times as much each further attempt may look at.
const MORE: usize = 16;

/// The most steps back that a search may take, however short the text.
const MAX_STEPS: usize = 1_000_000;

/// Why it cannot be said whether a pattern matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatternError {
    /// Python refuses it, or it is over a limit.
    Invalid(String),
    /// It takes too long on this text.
    Backtracks,
    /// All patterns together take too long.
    Exhausted,
}

/// Whether the pattern matches anywhere in the text.
pub fn search(pattern: &str, text: &str, work: &Work) -> Result<bool, PatternError> {
    if pattern.len() > limits::PATTERN_BYTES {
        return Err(PatternError::Invalid(format!("it is longer than {} bytes", limits::PATTERN_BYTES)));
    }
    let translated =
        translate(pattern, Alphabet::of(text)).map_err(|reason| PatternError::Invalid(reason.to_string()))?;
    let per_step = match translated.step {
        Step::Free => {
            // A linear search keeps a state for each piece, and looks at a character for all of them.
            let cost = translated.pieces.saturating_mul(text.len());
            work.spend(cost).ok_or(PatternError::Exhausted)?;
            return attempt(&translated, text, MAX_STEPS, work);
        }
        Step::Length => text.len().max(1),
        Step::Square => text.len().max(1).saturating_mul(text.len()),
    };
    let most = (MAX_WORK / per_step).min(MAX_STEPS);
    if most == 0 {
        return Err(PatternError::Backtracks);
    }
    // The library does not say how many steps it took: few are tried first, since most patterns need no more.
    let mut steps = (FIRST_WORK / per_step).clamp(1, most);
    loop {
        work.spend(steps.saturating_mul(per_step)).ok_or(PatternError::Exhausted)?;
        match attempt(&translated, text, steps, work) {
            Err(PatternError::Backtracks) if steps < most => steps = steps.saturating_mul(MORE).min(most),
            outcome => return outcome,
        }
    }
}

/// A search of no more than so many steps back.
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

/// A pattern that was compiled.
struct Compiled {
    regex: String,
    steps: usize,
    compiled: Result<Regex, PatternError>,
}

thread_local! {
    /// The last one: what looks at many prompts asks the same of each. It counts as compiled all the same, so that nothing
    /// depends on the order.
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

/// About what it takes to compile a pattern: what ends at [`limits::COMPILED_BYTES`], and what does not.
fn cost_of_compiling(translated: &Translated) -> usize {
    const PATTERN: usize = 10_000;
    const CHARACTER: usize = 64;
    const FOLDED: usize = 16;
    const MOST: usize = 1 << 23;
    let whole = translated.weight.saturating_mul(CHARACTER).min(MOST);
    let [beside, folded] = [(translated.beside, CHARACTER), (translated.folded, FOLDED)].map(|(n, each)| n * each);
    PATTERN + whole + beside + folded
}

/// What it takes at least to look at a pattern, in characters; nothing of one that is refused before it is compiled.
pub fn cost(pattern: &str) -> usize {
    match pattern.len() <= limits::PATTERN_BYTES {
        true => translate(pattern, Alphabet::of("")).map_or(0, |translated| cost_of_compiling(&translated)),
        false => 0,
    }
}

/// Why a pattern is none, if it is none.
pub fn refusal(pattern: &str) -> Option<String> {
    match search(pattern, "", &Work::default()) {
        Err(PatternError::Invalid(reason)) => Some(reason),
        Ok(_) | Err(PatternError::Backtracks | PatternError::Exhausted) => None,
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
