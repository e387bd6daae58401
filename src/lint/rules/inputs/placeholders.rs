//! The placeholders of a text, found as interpolation finds them (Directives, "Inputs and interpolation").

use std::cell::OnceCell;
use std::ops::Range;

use crate::item::Directive;
use crate::text::{Span, python};

/// A placeholder as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placeholder<'t> {
    pub kind: Kind,
    pub name: &'t str,
    /// What stands for it where there is no value; empty for `{input:x?}`.
    pub default: Option<&'t str>,
    /// With its braces.
    pub range: Range<usize>,
}

/// What a placeholder asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `{env:X}`
    Environment,
    /// `{input:x}`
    Input,
    /// `${inputs.x}`
    Dollar,
}

/// The well-formed placeholders of a text, in order.
pub(super) fn placeholders(text: &str) -> impl Iterator<Item = Placeholder<'_>> {
    // Nothing is asked about behind the last one, so that each text between two is looked at once.
    let last = text.rfind('}').unwrap_or(0);
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let brace = at + text.get(at..last)?.find('{')?;
            at = brace + 1;
            if let Some(found) = read(text, brace) {
                at = found.range.end;
                return Some(found);
            }
        }
    })
}

fn read(text: &str, brace: usize) -> Option<Placeholder<'_>> {
    let inside = &text[brace + 1..];
    let (kind, opener) = if inside.starts_with("input:") {
        (Kind::Input, "input:")
    } else if inside.starts_with("env:") {
        (Kind::Environment, "env:")
    } else if inside.starts_with("inputs.") && text[..brace].ends_with('$') {
        (Kind::Dollar, "inputs.")
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
    } else if kind == Kind::Input && after.starts_with("?}") {
        (Some(""), 1)
    } else if (kind != Kind::Dollar && after.starts_with(':')) || (kind == Kind::Input && after.starts_with('|')) {
        let close = after.find('}')?;
        (Some(&after[1..close]), close)
    } else {
        return None;
    };
    let start = brace - usize::from(kind == Kind::Dollar);
    let end = brace + 1 + opener.len() + name.len() + length + 1;
    Some(Placeholder { kind, name, default, range: start..end })
}

/// How long the name at the start of a text is, in bytes.
pub(super) fn word(text: &str) -> usize {
    text.find(|c| !python::is_word(c)).unwrap_or(text.len())
}

/// The texts of a directive whose placeholders the prompt shows the values of: its body, and the permissions.
pub(super) fn texts(directive: &Directive) -> impl Iterator<Item = Span> {
    let content = directive.content.text();
    let block = content.find("<permissions>").and_then(|start| {
        let end = start + content[start..].find("</permissions>")?;
        Some(directive.content.slice(start..end))
    });
    block.into_iter().chain([directive.body.clone()])
}

/// The parts of a Markdown text that are code: fenced blocks, and what stands between backticks in a line.
///
/// Made when it is first asked, and the text looked at once.
pub(super) struct Code<'t> {
    text: &'t str,
    ranges: OnceCell<Vec<Range<usize>>>,
}

impl<'t> Code<'t> {
    /// The code of a text.
    pub fn of(text: &'t str) -> Self {
        Self { text, ranges: OnceCell::new() }
    }

    /// Whether code stands at an offset.
    pub fn has(&self, at: usize) -> bool {
        let ranges = self.ranges.get_or_init(|| code(self.text));
        ranges.get(ranges.partition_point(|range| range.end <= at)).is_some_and(|range| range.contains(&at))
    }
}

fn code(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut fence: Option<(&str, usize)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let marks = line.trim_start();
        let length = marks.len() - marks.trim_start_matches(['`', '~']).len();
        match fence {
            Some((open, from)) if marks.starts_with(open) && marks[length..].trim().is_empty() => {
                ranges.push(from..start);
                fence = None;
            }
            Some(_) => {}
            None if length >= 3 => fence = Some((&marks[..length], start)),
            None => {
                let mut ticks = line.match_indices('`').map(|(at, _)| start + at);
                while let Some(open) = ticks.next() {
                    ranges.push(open..ticks.next().unwrap_or(start + line.len()));
                }
            }
        }
        start += line.len();
    }
    ranges.extend(fence.map(|(_, from)| from..text.len()));
    ranges
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::interpolate::directive::{Values, interpolate};
    use crate::interpolate::{Environment, Redact};
    use crate::prompt::Input;
    use crate::text::{InputFrom, Traced};
    use crate::value::Value;

    fn found(text: &str) -> Vec<(Kind, &str, Option<&str>, &str)> {
        placeholders(text).map(|it| (it.kind, it.name, it.default, &text[it.range])).collect()
    }

    #[test]
    fn every_form_is_found() {
        let text = "{input:a} {input:b?} {input:c:d e} {input:f|} ${inputs.g} {env:H} {env:I:j}";
        let expected = [
            (Kind::Input, "a", None, "{input:a}"),
            (Kind::Input, "b", Some(""), "{input:b?}"),
            (Kind::Input, "c", Some("d e"), "{input:c:d e}"),
            (Kind::Input, "f", Some(""), "{input:f|}"),
            (Kind::Dollar, "g", None, "${inputs.g}"),
            (Kind::Environment, "H", None, "{env:H}"),
            (Kind::Environment, "I", Some("j"), "{env:I:j}"),
        ];
        assert_eq!(found(text), expected);
    }

    #[test]
    fn what_is_none_is_passed_over() {
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
        assert_eq!(found("{input:{input:x}}"), [(Kind::Input, "x", None, "{input:x}")]);
    }

    #[test]
    fn code_is_told_from_prose() {
        let text = "a `b` c\n```md\nd\n```\ne `f` ~~~ g\n  ````\nh\n```\ni\n````\nj";
        for (mark, code) in
            [("a", false), ("b", true), ("c", false), ("d", true), ("e", false), ("f", true), ("g", false)]
        {
            assert_eq!(Code::of(text).has(text.find(mark).unwrap()), code, "{mark}");
        }
        for (mark, code) in [("h", true), ("i", true), ("j", false)] {
            assert_eq!(Code::of(text).has(text.find(mark).unwrap()), code, "{mark}");
        }
    }

    proptest! {
        /// A text changes when a name gets a value exactly if one of its placeholders has that name.
        #[test]
        fn interpolation_agrees(text in "(\\{|\\}|input:|inputs\\.|\\$|x|y|:|\\||\\?| |é){0,12}") {
            let inputs = [Input { name: "x".into(), value: Value::from("\u{1}"), from: InputFrom::Flag, default_span: None }];
            let environment = Environment::new();
            let values = Values::new(&inputs, &environment, Redact::default());
            let filled = interpolate(Traced::protocol(&text), &values).unwrap();
            let names = placeholders(&text).any(|it| it.name == "x");
            prop_assert_eq!(filled.text().contains('\u{1}'), names);
        }
    }
}
