//! The placeholders of a text as it is written, before anything is filled in (Directives, "Inputs and interpolation").

pub(in crate::lint) mod written;

use std::ops::Range;

use crate::protocol::Protocol;
use crate::text::python;
use written::Kind;

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
                false => vec![expression.to_string()],
            };
            return Some(Placeholder { range: at..at + "${".len() + end + 1, shows: Shows::Paths(paths) });
        }
        written::read(text, at).filter(|it| it.kind == Kind::Input).map(Placeholder::from)
    })
}

/// The placeholders of a directive's body and content, in order: `{env:…}`, `{input:…}` and `${inputs.x}`.
pub fn of_directive(text: &str) -> impl Iterator<Item = Placeholder> + use<'_> {
    written::placeholders(text).map(Placeholder::from)
}

impl From<written::Placeholder<'_>> for Placeholder {
    fn from(written: written::Placeholder<'_>) -> Self {
        let name = written.name.to_string();
        let shows = match written.kind {
            Kind::Environment => Shows::Environment(name),
            Kind::Input | Kind::Dollar => Shows::Input(name),
        };
        Self { range: written.range, shows }
    }
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
