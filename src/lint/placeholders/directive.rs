//! The placeholders of directives, matched as interpolation matches them (Directives, "Inputs and interpolation").

use std::ops::Range;

use memchr::memchr;

use crate::text::python::word;

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
            if let Some(found) = read(text, brace) {
                at = found.range.end;
                return Some(found);
            }
        }
    })
}

pub(super) fn read(text: &str, brace: usize) -> Option<DirectivePlaceholder<'_>> {
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
mod tests {
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
