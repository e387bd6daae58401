//! The placeholders of a text as it is written, before anything is filled in (Directives, "Inputs and interpolation").

use std::ops::Range;

use crate::protocol::Protocol;
use crate::text::python;

/// A placeholder of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placeholder {
    /// From the first to the last byte of it.
    pub range: Range<usize>,
    /// What it may show.
    pub shows: Shows,
}

/// What a placeholder may show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shows {
    /// The value of an input, of that name.
    Input(String),
    /// The value of a variable of the environment, of that name.
    Environment(String),
    /// What stands at a path of the hook context, or the first of several that is not null.
    Paths(Vec<String>),
}

impl Placeholder {
    /// Whether it shows the value of an input.
    pub fn is_input(&self) -> bool {
        match &self.shows {
            Shows::Input(_) => true,
            Shows::Environment(_) => false,
            // A blank path is the whole context.
            Shows::Paths(paths) => paths.iter().any(|path| path.is_empty() || first(path) == "inputs"),
        }
    }

    /// Whether what it shows differs from one run of a directive to the next: inputs, and what a thread has of its own.
    pub fn changes(&self) -> bool {
        match &self.shows {
            Shows::Input(_) | Shows::Environment(_) => true,
            Shows::Paths(paths) => self.is_input() || paths.iter().any(|path| is_of_thread(path)),
        }
    }
}

/// Whether a path of the hook context leads to what each thread has of its own.
pub fn is_of_thread(path: &str) -> bool {
    matches!(path, "parent_thread_id" | "previous_thread_id" | "depth")
}

/// The first part of a path.
pub fn first(path: &str) -> &str {
    path.split('.').next().unwrap_or_default()
}

/// The placeholders of hook text, in order: `${path}` and `{input:…}`.
pub fn of_hook<'t>(text: &'t str, protocol: &Protocol) -> impl Iterator<Item = Placeholder> + use<'t> {
    let falls_back = protocol.fallback_operator;
    openings(text).filter_map(move |at| {
        let rest = &text[at..];
        if let Some(inside) = rest.strip_prefix("${") {
            let end = inside.find('}').filter(|&end| end > 0)?;
            let expression = &inside[..end];
            let paths = match falls_back {
                true => expression.split("||").map(|path| python::trim(path).to_string()).collect(),
                false => vec![python::trim(expression).to_string()],
            };
            return Some(Placeholder { range: at..at + "${".len() + end + 1, shows: Shows::Paths(paths) });
        }
        input(rest, at)
    })
}

/// The placeholders of a directive's body and content, in order: `{env:…}`, `{input:…}` and `${inputs.x}`.
pub fn of_directive(text: &str) -> impl Iterator<Item = Placeholder> + use<'_> {
    openings(text).filter_map(|at| {
        let rest = &text[at..];
        if let Some(inside) = rest.strip_prefix("${inputs.") {
            let name = word(inside)?;
            let end = "${inputs.".len() + name.len();
            return rest[end..].starts_with('}').then(|| shows(at, end + 1, Shows::Input(name.to_string())));
        }
        if let Some(inside) = rest.strip_prefix("{env:") {
            let name = word(inside)?;
            let end = closed(&inside[name.len()..], false)?;
            return Some(shows(at, "{env:".len() + name.len() + end, Shows::Environment(name.to_string())));
        }
        input(rest, at)
    })
}

fn shows(at: usize, length: usize, shows: Shows) -> Placeholder {
    Placeholder { range: at..at + length, shows }
}

/// `{input:x}`, `{input:x?}`, `{input:x:default}`, `{input:x|default}`
fn input(rest: &str, at: usize) -> Option<Placeholder> {
    let inside = rest.strip_prefix("{input:")?;
    let name = word(inside)?;
    let end = closed(&inside[name.len()..], true)?;
    Some(shows(at, "{input:".len() + name.len() + end, Shows::Input(name.to_string())))
}

/// How many bytes close a placeholder behind its name.
fn closed(rest: &str, is_input: bool) -> Option<usize> {
    match rest.as_bytes() {
        [b'}', ..] => Some(1),
        [b'?', b'}', ..] if is_input => Some(2),
        [b':', ..] => rest.find('}').map(|end| end + 1),
        [b'|', ..] if is_input => rest.find('}').map(|end| end + 1),
        _ => None,
    }
}

/// The name that comes first.
fn word(text: &str) -> Option<&str> {
    let length = text.find(|c| !python::is_word(c)).unwrap_or(text.len());
    (length > 0).then(|| &text[..length])
}

/// Where placeholders may begin. There is none behind the last closing brace, so that none is looked for twice.
fn openings(text: &str) -> impl Iterator<Item = usize> + use<'_> {
    let text = &text[..text.rfind('}').unwrap_or(0)];
    let braces = text.match_indices('{').map(|(at, _)| at);
    braces.map(|at| if text[..at].ends_with('$') { at - 1 } else { at })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Protocols;

    fn written(text: &str, found: impl Iterator<Item = Placeholder>) -> Vec<(&str, bool, bool)> {
        found.map(|it| (&text[it.range.clone()], it.is_input(), it.changes())).collect()
    }

    #[test]
    fn hooks_have_paths_and_inputs() {
        let protocol = Protocols::default().get("rye-3").unwrap();
        let text = "${model} {input:a?} ${ inputs.b } ${model || inputs.c} ${} ${ } ${depth} {env:X} ${x";
        assert_eq!(
            written(text, of_hook(text, &protocol)),
            [
                ("${model}", false, false),
                ("{input:a?}", true, true),
                ("${ inputs.b }", true, true),
                ("${model || inputs.c}", true, true),
                ("${ }", true, true),
                ("${depth}", false, true),
            ]
        );
    }

    #[test]
    fn directives_have_inputs_and_the_environment() {
        let text = "{input:a} {input:b|c d} ${inputs.e} {env:F:g} ${model} ${inputs.h.i} {input:} {input:k??} {env:L?}";
        assert_eq!(
            written(text, of_directive(text)),
            [
                ("{input:a}", true, true),
                ("{input:b|c d}", true, true),
                ("${inputs.e}", true, true),
                ("{env:F:g}", false, true),
            ]
        );
    }
}
