use std::collections::HashMap;

use super::{Substitution, closing, name_end, substitute};
use crate::decide::request::Redact;
use crate::diagnostic::Diagnostic;
use crate::prompt::PromptInput;
use crate::read::value::{Value, python_str};
use crate::text::{InputFrom, Origin, Traced};

#[derive(Debug)]
pub(super) struct InputValues<'a> {
    pub(super) by_name: HashMap<&'a str, &'a PromptInput>,
    pub(super) redact: bool,
}

impl<'a> InputValues<'a> {
    pub(super) fn new(inputs: impl IntoIterator<Item = &'a PromptInput>, redact: Redact) -> Self {
        Self { by_name: inputs.into_iter().map(|input| (&*input.name, input)).collect(), redact: redact.inputs }
    }

    /// The inputs that were given: hook text sees no others.
    pub(super) fn given(inputs: &'a [PromptInput], redact: Redact) -> Self {
        let given = |input: &&PromptInput| !matches!(input.from, InputFrom::Default | InputFrom::Placeholder);
        Self::new(inputs.iter().filter(given), redact)
    }

    pub(super) fn print(&self, name: &str) -> Option<Traced> {
        self.print_part(name, &self.by_name.get(name)?.value)
    }

    /// Prints a value that is part of an input; `None` if the input does not exist.
    pub(super) fn print_part(&self, name: &str, part: &Value) -> Option<Traced> {
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
pub(super) fn replace_inputs(text: Traced, inputs: &InputValues<'_>) -> Result<Traced, Diagnostic> {
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
