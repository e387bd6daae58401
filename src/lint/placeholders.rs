//! The placeholders of a text before interpolation (Directives, "Inputs and interpolation").

pub(in crate::lint) mod directive;

use std::ops::Range;

use crate::protocol::Protocol;
use crate::text::python;
use directive::PlaceholderKind;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceholderUse {
    pub range: Range<usize>,
    pub shows: ShownValue,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShownValue {
    /// The name of an input.
    Input(String),
    /// The name of an environment variable.
    Environment(String),
    /// A path of the hook context, or several of which the first non-null one is shown.
    Paths(Vec<String>),
}

impl PlaceholderUse {
    /// Whether it may show an input.
    pub fn is_input(&self) -> bool {
        match &self.shows {
            ShownValue::Input(_) => true,
            ShownValue::Environment(_) => false,
            // An empty path is the whole context.
            ShownValue::Paths(paths) => paths.iter().any(|path| path.is_empty() || first(path) == "inputs"),
        }
    }

    /// Whether its value differs between runs of a directive.
    pub fn changes(&self) -> bool {
        match &self.shows {
            ShownValue::Input(_) | ShownValue::Environment(_) => true,
            ShownValue::Paths(paths) => self.is_input() || paths.iter().any(|path| is_of_thread(path)),
        }
    }
}

/// Whether a path of the hook context is different for each thread.
pub fn is_of_thread(path: &str) -> bool {
    matches!(path, "parent_thread_id" | "previous_thread_id" | "depth")
}

pub fn first(path: &str) -> &str {
    path.split('.').next().unwrap_or_default()
}

/// The placeholders of hook text: `${path}` and `{input:…}`.
pub fn of_hook<'t>(text: &'t str, protocol: &Protocol) -> impl Iterator<Item = PlaceholderUse> + use<'t> {
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
            return Some(PlaceholderUse { range: at..at + "${".len() + end + 1, shows: ShownValue::Paths(paths) });
        }
        directive::read(text, at).filter(|it| it.kind == PlaceholderKind::Input).map(PlaceholderUse::from)
    })
}

/// The placeholders of a directive's body and content: `{env:…}`, `{input:…}` and `${inputs.x}`.
pub fn of_directive(text: &str) -> impl Iterator<Item = PlaceholderUse> + use<'_> {
    directive::placeholders(text).map(PlaceholderUse::from)
}

impl From<directive::DirectivePlaceholder<'_>> for PlaceholderUse {
    fn from(placeholder: directive::DirectivePlaceholder<'_>) -> Self {
        let name = placeholder.name.to_string();
        let shows = match placeholder.kind {
            PlaceholderKind::Environment => ShownValue::Environment(name),
            PlaceholderKind::Input | PlaceholderKind::Dollar => ShownValue::Input(name),
        };
        Self { range: placeholder.range, shows }
    }
}

/// Stops at the last closing brace, to avoid useless searches.
fn openings(text: &str) -> impl Iterator<Item = usize> + use<'_> {
    let text = &text[..text.rfind('}').unwrap_or(0)];
    let braces = text.match_indices('{').map(|(at, _)| at);
    braces.map(|at| if text[..at].ends_with('$') { at - 1 } else { at })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Protocols;

    fn written(text: &str, found: impl Iterator<Item = PlaceholderUse>) -> Vec<(&str, bool, bool)> {
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
