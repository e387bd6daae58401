//! Placeholders in text before interpolation (Directives, "Inputs and interpolation").

pub(in crate::lint) mod directive;

use std::borrow::Cow;
use std::ops::Range;

use crate::fill::interpolate::split_pipes;
use crate::read::protocol::Protocol;
use crate::text::python;
use directive::PlaceholderKind;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookPlaceholder<'t> {
    pub range: Range<usize>,
    /// Dotted paths in the hook context; the first value that is not null is shown. `{input:x}` has the path `inputs`.
    pub paths: Vec<Cow<'t, str>>,
    pub pipes: Option<&'t str>,
}

impl HookPlaceholder<'_> {
    /// Whether it may show an input; an empty path is the whole context.
    pub fn is_input(&self) -> bool {
        self.paths.iter().any(|path| path.is_empty() || first(path) == "inputs")
    }

    /// Whether its value differs between runs of a directive.
    pub fn changes(&self) -> bool {
        self.is_input() || self.paths.iter().any(|path| is_of_thread(path))
    }
}

/// Whether a path of the hook context has a different value in each thread.
pub fn is_of_thread(path: &str) -> bool {
    matches!(path, "parent_thread_id" | "previous_thread_id" | "depth")
}

pub fn first(path: &str) -> &str {
    path.split('.').next().unwrap_or_default()
}

/// The placeholders of hook text: `${path}` and `{input:…}`.
pub fn of_hook<'t>(text: &'t str, protocol: &Protocol) -> impl Iterator<Item = HookPlaceholder<'t>> {
    let (falls_back, has_pipes, syntax) = (protocol.fallback_operator, protocol.pipes, protocol.paths);
    openings(text).filter_map(move |at| {
        let rest = &text[at..];
        if let Some(inside) = rest.strip_prefix("${") {
            let end = inside.find('}').filter(|&end| end > 0)?;
            let expression = &inside[..end];
            let (expression, pipes) = if has_pipes { split_pipes(expression) } else { (expression, None) };
            let paths = match falls_back {
                true => expression.split("||").map(|path| syntax.dotted(python::trim(path))).collect(),
                false => vec![syntax.dotted(expression)],
            };
            return Some(HookPlaceholder { range: at..at + "${".len() + end + 1, paths, pipes });
        }
        let input = directive::read(text, at).filter(|it| it.kind == PlaceholderKind::Input)?;
        Some(HookPlaceholder { range: input.range, paths: vec!["inputs".into()], pipes: None })
    })
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
    use crate::read::protocol::Protocols;

    #[test]
    fn placeholders_of_hooks_are_paths_and_inputs() {
        let protocol = Protocols::default().get("rye-3").unwrap();
        let text = "${model} {input:a?} ${ inputs.b } ${model || inputs.c} ${} ${ } ${depth} {env:X} ${x";
        let written = of_hook(text, &protocol).map(|it| (&text[it.range.clone()], it.is_input(), it.changes()));
        assert_eq!(
            written.collect::<Vec<_>>(),
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
    fn placeholders_of_directives_are_inputs_and_environment_variables() {
        let text = "{input:a} {input:b|c d} ${inputs.e} {env:F:g} ${model} ${inputs.h.i} {input:} {input:k??} {env:L?}";
        let written = directive::placeholders(text).map(|it| (&text[it.range], it.kind));
        assert_eq!(
            written.collect::<Vec<_>>(),
            [
                ("{input:a}", PlaceholderKind::Input),
                ("{input:b|c d}", PlaceholderKind::Input),
                ("${inputs.e}", PlaceholderKind::Dollar),
                ("{env:F:g}", PlaceholderKind::Environment),
            ]
        );
    }
}
