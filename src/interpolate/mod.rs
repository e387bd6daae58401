//! Placeholders and their values (Directives, "Inputs and interpolation").
//!
//! Everything here works on text with origins: a placeholder is found in the joined text, so that it may straddle
//! origins, and its value goes in as one segment with an origin of its own.

pub mod directive;
pub mod hook;
mod input;

use std::collections::HashMap;

pub use input::redacted_input;

use crate::diagnostic::{Diagnostic, Problem};
use crate::limits;
use crate::text::{Traced, python};

/// The environment that `{env:…}` sees.
pub type Environment = HashMap<String, String>;

/// Which values are shown as `‹env:NAME›` and `‹input:name›`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Redact {
    /// Values of environment variables.
    pub env: bool,
    /// Likewise variables that are not set, where no default stands in for them: the text is then the same whatever the
    /// environment holds.
    pub unset_env: bool,
    /// Values of inputs.
    pub inputs: bool,
}

/// A placeholder that was found.
struct Placeholder {
    /// One past its last byte.
    end: usize,
    /// What stands in its place; none keeps it as written.
    value: Option<Traced>,
}

/// Replaces every placeholder that begins with `opener` and ends with `}`.
///
/// `read` gets the text and the offset after an opener, and says what stands there, none if that is no placeholder.
/// Linear as long as `read` looks no further than the next `}`: nothing is asked about behind the last one.
fn substitute(
    text: Traced,
    opener: &str,
    read: impl Fn(&Traced, usize) -> Option<Placeholder>,
) -> Result<Traced, Diagnostic> {
    let plain = text.text();
    let Some(last) = plain.rfind('}') else { return Ok(text) };
    let mut out = Traced::new();
    let (mut done, mut at, mut filled) = (0, 0, 0);
    while let Some(found) = plain[at..last].find(opener) {
        let start = at + found;
        at = start + opener.len();
        let Some(Placeholder { end, value }) = read(&text, at) else { continue };
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
        return Err(Diagnostic::new(Problem::TooLarge {
            size: None,
            limit: limits::FILLED_BYTES as u64,
            raise_with: None,
        }));
    }
    Ok(())
}

/// One past the `\w+` that begins at `start`; none if there is no such character.
fn name_end(text: &str, start: usize) -> Option<usize> {
    let rest = &text[start..];
    let length = rest.find(|c| !python::is_word(c)).unwrap_or(rest.len());
    (length > 0).then_some(start + length)
}

/// The offset of the first `}` at or after `start`.
fn closing(text: &str, start: usize) -> Option<usize> {
    text[start..].find('}').map(|found| start + found)
}
