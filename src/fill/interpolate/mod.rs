//! Placeholders and their values (Directives, "Inputs and interpolation").
//!
//! Text keeps its origins: a placeholder may straddle origins, and its value becomes one segment with its own origin.

pub mod directive;
pub mod hook;
mod pipes;
mod sources;

use std::collections::HashMap;

use crate::decide::request::Redact;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::PromptInput;
use crate::read::limits;
use crate::read::value::{Value, python_str};
use crate::text::{InputFrom, Origin, Traced, python};

pub(crate) use pipes::{piped_placeholders, pipes_outside_hook, split_pipes, unknown_pipes, would_print_null};
pub use sources::{ValueSources, as_value};

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

#[derive(Debug)]
struct InputValues<'a> {
    by_name: HashMap<&'a str, &'a PromptInput>,
    redact: bool,
}

impl<'a> InputValues<'a> {
    fn new(inputs: impl IntoIterator<Item = &'a PromptInput>, redact: Redact) -> Self {
        Self { by_name: inputs.into_iter().map(|input| (&*input.name, input)).collect(), redact: redact.inputs }
    }

    /// The inputs that were given: hook text sees no others.
    fn given(inputs: &'a [PromptInput], redact: Redact) -> Self {
        let given = |input: &&PromptInput| !matches!(input.from, InputFrom::Default | InputFrom::Placeholder);
        Self::new(inputs.iter().filter(given), redact)
    }

    fn print(&self, name: &str) -> Option<Traced> {
        self.print_part(name, &self.by_name.get(name)?.value)
    }

    /// Prints a value that is part of an input; `None` if the input does not exist.
    fn print_part(&self, name: &str, part: &Value) -> Option<Traced> {
        let input = self.by_name.get(name)?;
        // Placeholders are not values, so they are never hidden.
        let text = if self.redact && input.from != InputFrom::Placeholder {
            redacted_input(&input.name)
        } else {
            python_str(part)
        };
        let origin = Origin::Input { name: input.name.clone(), from: input.from, source: input.default_span.clone() };
        Some(Traced::of(&text, origin))
    }
}

/// The text that replaces the value of a hidden input.
pub fn redacted_input(name: &str) -> String {
    format!("‹input:{name}›")
}

/// `{input:x}`, `{input:x?}`, `{input:x:default}` and `{input:x|default}`
fn replace_inputs(text: Traced, inputs: &InputValues<'_>) -> Result<Traced, Diagnostic> {
    substitute(text, "{input:", |text, start| {
        let plain = text.text();
        let name_end = name_end(plain, start)?;
        let value = inputs.print(&plain[start..name_end]);
        let (end, unset) = match plain.as_bytes().get(name_end)? {
            b'}' => (name_end, None),
            b'?' if plain.as_bytes().get(name_end + 1) == Some(&b'}') => (name_end + 1, Some(Traced::new())),
            b':' | b'|' => {
                let end = closing(plain, name_end + 1)?;
                (end, value.is_none().then(|| text.slice(name_end + 1..end)))
            }
            _ => return None,
        };
        Some(Substitution { end: end + 1, value: value.or(unset) })
    })
}
