//! Placeholders and their values (Directives, "Inputs and interpolation").
//!
//! Text keeps its origins: a placeholder may straddle origins, and its value becomes one segment with its own origin.

pub mod directive;
pub mod hook;
mod input;
mod pipes;
mod sources;

pub use input::redacted_input;
pub(crate) use pipes::{piped_placeholders, pipes_outside_hook, split_pipes, unknown_pipes, would_print_null};
pub use sources::{ValueSources, as_value};

use crate::diagnostic::{Diagnostic, Problem};
use crate::read::limits;
use crate::text::{Traced, python};

struct Substitution {
    /// One past its last byte.
    end: usize,
    value: Option<Traced>,
}

/// Replaces every placeholder that starts with `opener` and ends with `}`.
///
/// `read` receives the text and the offset after an opener; it returns `None` if this is not a placeholder. Linear if
/// `read` looks no further than the next `}`, since openers after the last `}` are not tried.
fn substitute(
    text: Traced,
    opener: &str,
    read: impl Fn(&Traced, usize) -> Option<Substitution>,
) -> Result<Traced, Diagnostic> {
    let plain = text.text();
    let Some(last) = plain.rfind('}') else { return Ok(text) };
    let mut out = Traced::new();
    let (mut done, mut at, mut filled) = (0, 0, 0);
    while let Some(found) = plain[at..last].find(opener) {
        let start = at + found;
        at = start + opener.len();
        let Some(Substitution { end, value }) = read(&text, at) else { continue };
        at = end;
        if let Some(value) = value {
            out.push_range(&text, done..start);
            out.push(&value);
            done = end;
            check_length(out.len())?;
            filled += 1;
            if filled > limits::PLACEHOLDERS {
                let unit = "placeholders that are filled in";
                return Err(Diagnostic::new(Problem::OverLimit { limit: limits::PLACEHOLDERS as u64, unit }));
            }
        }
        if at > last {
            break;
        }
    }
    if done == 0 {
        return Ok(text);
    }
    out.push_range(&text, done..text.len());
    check_length(out.len())?;
    Ok(out)
}

fn check_length(length: usize) -> Result<(), Diagnostic> {
    if length > limits::FILLED_BYTES {
        let limit = limits::FILLED_BYTES as u64;
        return Err(Diagnostic::new(Problem::TooLarge { size: None, limit, raise_with: None }));
    }
    Ok(())
}

/// One past the `\w+` at `start`; `None` if it would be empty.
fn name_end(text: &str, start: usize) -> Option<usize> {
    let rest = &text[start..];
    let length = python::word(rest);
    (length > 0).then_some(start + length)
}

fn closing(text: &str, start: usize) -> Option<usize> {
    text[start..].find('}').map(|found| start + found)
}
