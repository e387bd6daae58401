//! The origins of a printed scalar.

use std::ops::Range;

use super::node::{YamlData, YamlNode};
use crate::read::value::python_str;
use crate::text::{Origin, Span, Traced};

impl YamlNode {
    /// The printed value with origins (Directives, "Origins"). Bytes of a scalar that print as written are
    /// [`Origin::File`]; escapes, folded line ends and values printed differently are [`Origin::Derived`] from the
    /// whole scalar, as are lists and maps. A value outside any file is [`Origin::Protocol`].
    pub fn traced(&self) -> Traced {
        let printed = python_str(&self.value());
        let Some(span) = &self.span else { return Traced::protocol(&printed) };
        let verbatim = match self.data {
            YamlData::Scalar(_) => Tracer::trace(span, &printed),
            YamlData::List(_) | YamlData::Map(_) => None,
        };
        verbatim.unwrap_or_else(|| Traced::of(&printed, Origin::Derived(span.clone())))
    }
}

/// Walks through a scalar as written, guided by its printed form: a mismatch ends the walk.
struct Tracer<'a> {
    span: &'a Span,
    written: &'a str,
    printed: &'a str,
    /// Length of the matched part of `printed`.
    met: usize,
    /// Covers the beginning of `printed[..met]`; the rest of that text is derived.
    out: Traced,
}

impl<'a> Tracer<'a> {
    /// `None` if the printed form does not match.
    fn trace(span: &'a Span, printed: &'a str) -> Option<Traced> {
        let written = span.text();
        let mut tracer = Self { span, written, printed, met: 0, out: Traced::new() };
        match written.as_bytes() {
            [quote @ (b'\'' | b'"'), .., end] if quote == end => tracer.flow(1..written.len() - 1, *quote)?,
            [b'|' | b'>', ..] => tracer.block()?,
            _ => tracer.flow(0..written.len(), b' ')?,
        }
        tracer.fill();
        (tracer.met == printed.len()).then_some(tracer.out)
    }

    fn rest(&self) -> &'a str {
        &self.printed[self.met..]
    }

    fn verbatim(&mut self, range: Range<usize>) -> Option<()> {
        let text = self.written.get(range.clone())?;
        if !self.rest().starts_with(text) {
            return None;
        }
        self.fill();
        self.out.push_str(text, Origin::File(self.span.slice(range)));
        self.met += text.len();
        Some(())
    }

    fn derived(&mut self, characters: usize) -> Option<()> {
        for _ in 0..characters {
            self.met += self.rest().chars().next()?.len_utf8();
        }
        Some(())
    }

    fn fill(&mut self) {
        let lacking = &self.printed[self.out.len()..self.met];
        self.out.push_str(lacking, Origin::Derived(self.span.clone()));
    }

    fn flow(&mut self, range: Range<usize>, quote: u8) -> Option<()> {
        let (mut at, end) = (range.start, range.end);
        while at < end {
            let rest = self.written.get(at..end)?;
            let step = match rest.as_bytes()[0] {
                b' ' | b'\t' | b'\n' => self.blanks(at, rest)?,
                b'\'' if quote == b'\'' => {
                    self.verbatim(at..at + 1)?;
                    2
                }
                b'\\' if quote == b'"' => self.escape(at, rest)?,
                _ => {
                    let stop = |&(_, c): &(usize, char)| matches!(c, ' ' | '\t' | '\n' | '\'' | '\\');
                    let length = rest.char_indices().skip(1).find(stop).map_or(rest.len(), |(stop, _)| stop);
                    self.verbatim(at..at + length)?;
                    length
                }
            };
            at += step;
        }
        Some(())
    }

    /// White space without a line break prints as written. A single line break prints as a space; of several, all but
    /// one are printed.
    fn blanks(&mut self, at: usize, rest: &str) -> Option<usize> {
        let length = rest.len() - rest.trim_start_matches([' ', '\t', '\n']).len();
        match rest[..length].matches('\n').count() {
            0 => self.verbatim(at..at + length)?,
            1 => self.derived(1)?,
            ends => self.derived(ends - 1)?,
        }
        Some(length)
    }

    /// An escape prints as one character; an escaped line end vanishes with the white space after it.
    fn escape(&mut self, at: usize, rest: &str) -> Option<usize> {
        let escaped = rest[1..].chars().next()?;
        let length = 1 + match escaped {
            '\n' => {
                let blanks = rest.len() - 1 - rest[1..].trim_start_matches([' ', '\t', '\n']).len();
                self.derived(rest[1..1 + blanks].matches('\n').count() - 1)?;
                return Some(1 + blanks);
            }
            'x' => 3,
            'u' => 5,
            'U' => 9,
            other => other.len_utf8(),
        };
        if matches!(escaped, '"' | '\\' | '/') && self.verbatim(at + 1..at + 2).is_some() {
            return Some(length);
        }
        self.derived(1)?;
        Some(length)
    }

    /// Lines of a block scalar; folded lines have a derived space between them.
    fn block(&mut self) -> Option<()> {
        let header = self.written.find('\n').map_or(self.written.len(), |end| end + 1);
        let indentation =
            Self::first_indentation(&self.written[header..])?.checked_sub(Self::first_indentation(self.printed)?)?;
        let mut at = header;
        for line in self.written[header..].split_inclusive('\n') {
            let text = line.strip_suffix('\n').unwrap_or(line);
            let indented = indentation.min(text.len() - text.trim_start_matches(' ').len());
            let text = &text[indented..];
            while !self.rest().starts_with(text) {
                if !self.rest().starts_with([' ', '\n']) {
                    return None;
                }
                self.derived(1)?;
            }
            let start = at + indented;
            self.verbatim(start..start + text.len())?;
            if text.len() + indented < line.len() && self.rest().starts_with('\n') {
                self.verbatim(start + text.len()..at + line.len())?;
            }
            at += line.len();
        }
        Some(())
    }

    fn first_indentation(lines: &str) -> Option<usize> {
        let line = lines.split('\n').find(|line| !line.trim_start_matches(' ').is_empty())?;
        Some(line.len() - line.trim_start_matches(' ').len())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::read::yaml::load;
    use crate::text::Source;

    fn node(text: &str) -> Option<YamlNode> {
        let source = Source::read("project".into(), "x.yaml", text.into()).unwrap();
        load(&source.whole()).ok().map(|loaded| loaded.node)
    }

    /// The segments; `=` marks those taken from the file unchanged.
    fn segments(text: &str) -> Vec<String> {
        let traced = node(text).unwrap().get("a").unwrap().traced();
        let mark = |origin: &Origin| if matches!(origin, Origin::File(_)) { "=" } else { "" };
        traced.segments().map(|segment| format!("{}{}", mark(segment.origin), segment.text)).collect()
    }

    #[test]
    fn text_that_prints_as_written_has_its_file_as_origin() {
        for (text, expected) in [
            ("a: plain text", &["=plain text"][..]),
            ("a: 'quoted: é'", &["=quoted: é"]),
            ("a: \"quoted\" # c", &["=quoted"]),
            ("a: 12", &["=12"]),
            ("a: !!int '7'", &["=7"]),
            ("a: 2026-01-02", &["=2026-01-02"]),
            ("a: yes", &["True"]),
            ("a: True", &["=True"]),
            ("a: 1_000", &["1000"]),
            ("a: 1.50", &["1.5"]),
            ("a:", &["None"]),
            ("a: ''", &[]),
            ("a: [x, y]", &["['x', 'y']"]),
            ("b: &b text\na: *b", &["=text"]),
        ] {
            assert_eq!(segments(text), expected, "{text:?}");
        }
    }

    #[test]
    fn folds_and_escapes_are_derived() {
        for (text, expected) in [
            ("a: 'it''s'", &["=it'", "=s"][..]),
            ("a: one\n  two\n\n  three", &["=one", " ", "=two", "\n", "=three"]),
            ("a: \"x\\ty\\\"z\\u00e9\\u00ea!\"", &["=x", "\t", "=y", "=\"z", "éê", "=!"]),
            ("a: \"x\\\n  y\\\n\n  z\"", &["=x", "=y", "\n", "=z"]),
            ("a: |\n  one\n   two\n\n  three\n", &["=one\n", "= two\n\n", "=three\n"]),
            ("a: |-\n\n  one\n  two\n\n", &["=\n", "=one\n", "=two"]),
            (
                "a: >\n  one\n  two\n\n  three\n    four\n  five\n",
                &["=one", " ", "=two\n", "=three\n", "=  four\n", "=five\n"],
            ),
            ("a: |", &[]),
        ] {
            assert_eq!(segments(text), expected, "{text:?}");
        }
    }

    #[test]
    fn values_outside_files_have_the_protocol_as_origin() {
        assert_eq!(YamlNode::of(&true.into()).traced(), Traced::protocol("True"));
    }

    fn agree(node: &YamlNode) {
        assert_eq!(node.traced().text(), python_str(&node.value()));
        match &node.data {
            YamlData::Scalar(_) => {}
            YamlData::List(list) => list.iter().for_each(agree),
            YamlData::Map(map) => map.values().for_each(agree),
        }
    }

    proptest! {
        #[test]
        fn the_traced_text_is_the_printed_text(
            style in prop::sample::select(vec!["", "'", "\"", "|\n  ", ">\n  ", "|2-\n  ", ">+\n\n  "]),
            text in "([ab1é]|''|\\\\n|\\\\x41|\\\\\n  | |\n  |\n\n  |\n    ){0,12}",
        ) {
            let close = style.trim_end_matches(|c| c != '\'' && c != '"');
            if let Some(node) = node(&format!("- {style}{text}{close}\n- b")) {
                agree(&node);
            }
        }
    }
}
