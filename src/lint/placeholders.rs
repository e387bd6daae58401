//! Placeholders before interpolation: in hook text, and in directives as interpolation matches them (Directives, "Inputs and
//! interpolation").

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr;

use crate::fill::interpolate::split_pipes;
use crate::read::protocol::Protocol;
use crate::text::python::{self, word};

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
        let input = read_placeholder(text, at).filter(|it| it.kind == PlaceholderKind::Input)?;
        Some(HookPlaceholder { range: input.range, paths: vec!["inputs".into()], pipes: None })
    })
}

/// Stops at the last closing brace, to avoid useless searches.
fn openings(text: &str) -> impl Iterator<Item = usize> + use<'_> {
    let text = &text[..text.rfind('}').unwrap_or(0)];
    let braces = text.match_indices('{').map(|(at, _)| at);
    braces.map(|at| if text[..at].ends_with('$') { at - 1 } else { at })
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::lint) struct DirectivePlaceholder<'t> {
    pub kind: PlaceholderKind,
    pub name: &'t str,
    /// Empty for `{input:x?}`.
    pub default: Option<&'t str>,
    pub range: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lint) enum PlaceholderKind {
    /// `{env:X}`
    Environment,
    /// `{input:x}`
    Input,
    /// `${inputs.x}`
    Dollar,
}

pub(in crate::lint) fn placeholders(text: &str) -> impl Iterator<Item = DirectivePlaceholder<'_>> {
    // Stops at the last closing brace, to avoid useless searches.
    let last = text.rfind('}').unwrap_or(0);
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let brace = at + memchr(b'{', text.as_bytes().get(at..last)?)?;
            at = brace + 1;
            if let Some(found) = read_placeholder(text, brace) {
                at = found.range.end;
                return Some(found);
            }
        }
    })
}

pub(in crate::lint) fn read_placeholder(text: &str, brace: usize) -> Option<DirectivePlaceholder<'_>> {
    let inside = &text[brace + 1..];
    let (kind, opener) = if inside.starts_with("input:") {
        (PlaceholderKind::Input, "input:")
    } else if inside.starts_with("env:") {
        (PlaceholderKind::Environment, "env:")
    } else if inside.starts_with("inputs.") && text[..brace].ends_with('$') {
        (PlaceholderKind::Dollar, "inputs.")
    } else {
        return None;
    };
    let rest = &inside[opener.len()..];
    let name = &rest[..word(rest)];
    if name.is_empty() {
        return None;
    }
    let after = &rest[name.len()..];
    let (default, length) = if after.starts_with('}') {
        (None, 0)
    } else if kind == PlaceholderKind::Input && after.starts_with("?}") {
        (Some(""), 1)
    } else if (kind != PlaceholderKind::Dollar && after.starts_with(':'))
        || (kind == PlaceholderKind::Input && after.starts_with('|'))
    {
        let close = after.find('}')?;
        (Some(&after[1..close]), close)
    } else {
        return None;
    };
    let start = brace - usize::from(kind == PlaceholderKind::Dollar);
    let end = brace + 1 + opener.len() + name.len() + length + 1;
    Some(DirectivePlaceholder { kind, name, default, range: start..end })
}

#[cfg(test)]
mod placeholders_tests {
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
        let written = placeholders(text).map(|it| (&text[it.range], it.kind));
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

#[cfg(test)]
mod directive_tests {
    use proptest::prelude::*;

    use super::*;
    use crate::decide::request::{Environment, Redact};
    use crate::fill::interpolate::directive::{Values, interpolate};
    use crate::prompt::PromptInput;
    use crate::read::value::Value;
    use crate::text::{InputFrom, Traced};

    fn found(text: &str) -> Vec<(PlaceholderKind, &str, Option<&str>, &str)> {
        placeholders(text).map(|it| (it.kind, it.name, it.default, &text[it.range])).collect()
    }

    #[test]
    fn every_form_is_found() {
        let text = "{input:a} {input:b?} {input:c:d e} {input:f|} ${inputs.g} {env:H} {env:I:j}";
        let expected = [
            (PlaceholderKind::Input, "a", None, "{input:a}"),
            (PlaceholderKind::Input, "b", Some(""), "{input:b?}"),
            (PlaceholderKind::Input, "c", Some("d e"), "{input:c:d e}"),
            (PlaceholderKind::Input, "f", Some(""), "{input:f|}"),
            (PlaceholderKind::Dollar, "g", None, "${inputs.g}"),
            (PlaceholderKind::Environment, "H", None, "{env:H}"),
            (PlaceholderKind::Environment, "I", Some("j"), "{env:I:j}"),
        ];
        assert_eq!(found(text), expected);
    }

    #[test]
    fn malformed_placeholders_are_skipped() {
        for text in [
            "{input:}",
            "{input:k??}",
            "{input: x}",
            "{inputs.x}",
            "${inputs.x.y}",
            "{env:E?}",
            "{env:E|d}",
            "{input:x",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
        assert_eq!(found("{input:{input:x}}"), [(PlaceholderKind::Input, "x", None, "{input:x}")]);
    }

    proptest! {
        /// Giving a name a value changes the text if and only if one of its placeholders has that name.
        #[test]
        fn interpolation_agrees(text in "(\\{|\\}|input:|inputs\\.|\\$|x|y|:|\\||\\?| |é){0,12}") {
            let inputs = [PromptInput { name: "x".into(), value: Value::from("\u{1}"), from: InputFrom::Flag, default_span: None }];
            let environment = Environment::new();
            let values = Values::new(&inputs, &environment, Redact::default());
            let filled = interpolate(Traced::protocol(&text), &values).unwrap();
            let names = placeholders(&text).any(|it| it.name == "x");
            prop_assert_eq!(filled.text().contains('\u{1}'), names);
        }
    }
}
