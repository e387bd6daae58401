//! Places in a text as editors count them: lines and code units, both from zero.

use std::iter;

use gen_lsp_types::{Position, Range};

use crate::diagnostic::Location;
use crate::text::{Source, Span};

/// What `character` counts in a position.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    #[default]
    Utf16,
}

impl Encoding {
    pub fn range(self, at: &Location) -> Range {
        match at {
            Location::Span(span) => self.span(span),
            // Without the text, characters stand for code units.
            Location::File { position, .. } => {
                let place = position.map(|at| [at.line, at.column].map(|number| number.saturating_sub(1) as u32));
                let [line, character] = place.unwrap_or_default();
                let start = Position { line, character };
                Range { start, end: start }
            }
        }
    }

    pub fn span(self, span: &Span) -> Range {
        let [start, end] = [span.range().start, span.range().end].map(|offset| self.position(span.source(), offset));
        Range { start, end }
    }

    pub fn position(self, source: &Source, offset: usize) -> Position {
        // Only some files of agents keep it.
        if source.has_lone_cr() {
            return self.position_in(source.text(), offset);
        }
        let line = source.position(offset).line - 1;
        let before = &source.text()[source.line_start(offset)..offset];
        Position { line: line as u32, character: self.units(before) as u32 }
    }

    pub fn position_in(self, text: &str, offset: usize) -> Position {
        Lines::new(text).position(self, offset)
    }

    fn units(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            // A line may be long, and hold many places: this is vectorised, unlike a walk over characters. Every character
            // begins with a byte that continues none, and those from U+10000 on, which are two units, with F0 or more.
            Self::Utf16 => text.bytes().map(|byte| usize::from(byte as i8 >= -0x40) + usize::from(byte >= 0xf0)).sum(),
        }
    }

    /// The offset of a position; one that is beyond its line is at its end, and one that is beyond the text at the end of
    /// that.
    pub fn offset(self, text: &str, at: Position) -> usize {
        let start = match at.line.checked_sub(1) {
            None => 0,
            Some(before) => line_starts(text).nth(before as usize).unwrap_or(text.len()),
        };
        let line = text[start..].split(['\n', '\r']).next().unwrap_or_default();
        let mut left = at.character as usize;
        let inside = line.char_indices().find(|(_, character)| {
            let units = self.units(character.encode_utf8(&mut [0; 4]));
            let is_here = left < units;
            left = left.saturating_sub(units);
            is_here
        });
        start + inside.map_or(line.len(), |(at, _)| at)
    }
}

/// A text in which many positions are asked for.
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, starts: iter::once(0).chain(line_starts(text)).collect() }
    }

    pub fn position(&self, encoding: Encoding, offset: usize) -> Position {
        // The first line begins at 0.
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let before = &self.text[self.starts[line]..offset];
        Position { line: line as u32, character: encoding.units(before) as u32 }
    }
}

/// Where the lines after the first begin. A line ends with LF, CRLF or CR.
fn line_starts(text: &str) -> impl Iterator<Item = usize> {
    let is_end = |&(at, end): &(usize, &str)| end == "\n" || text.as_bytes().get(at + 1) != Some(&b'\n');
    text.match_indices(['\n', '\r']).filter(is_end).map(|(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::testing::source;

    #[test]
    fn positions_count_code_units() {
        let file = source("project", "x.md", "a😀é\nb");
        let at = |encoding: Encoding, offset| {
            let at = encoding.position(&file, offset);
            (at.line, at.character)
        };
        assert_eq!((at(Encoding::Utf16, 5), at(Encoding::Utf8, 5)), ((0, 3), (0, 5)));
        assert_eq!((at(Encoding::Utf16, 7), at(Encoding::Utf8, 8)), ((0, 4), (1, 0)));
        let beyond = Position { line: 0, character: 99 };
        assert_eq!(Encoding::Utf16.offset("ab\nc", beyond), 2);
        assert_eq!(Encoding::Utf16.offset("ab\nc", Position { line: 9, character: 0 }), 4);
        for (text, line, offset) in [("a\r\nb\rc", 1, 3), ("a\r\nb\rc", 2, 5), ("\r\r\n", 1, 1), ("\r\r\n", 2, 3)] {
            assert_eq!(Encoding::Utf16.offset(text, Position { line, character: 0 }), offset, "{text:?}");
        }
        assert_eq!(Encoding::Utf16.offset("ab\r\nc", beyond), 2);
        // Inside a character is before it.
        assert_eq!(Encoding::Utf16.offset("😀b", Position { line: 0, character: 1 }), 0);
    }

    proptest! {
        #[test]
        fn offsets_and_positions_agree(text in "[a😀é\n\r]{0,20}", at in any::<prop::sample::Index>()) {
            let files = [source("project", "x.md", &text), Source::read_raw(None, "project".into(), "x.md", text.as_bytes())];
            for file in files {
                let text = file.text();
                // No place is inside a line end.
                let is_place = |&at: &usize| text.is_char_boundary(at) && !(text[..at].ends_with('\r') && text[at..].starts_with('\n'));
                let places: Vec<usize> = (0..=text.len()).filter(is_place).collect();
                let offset = *at.get(&places);
                for encoding in [Encoding::Utf8, Encoding::Utf16] {
                    prop_assert_eq!(encoding.offset(text, encoding.position(&file, offset)), offset);
                    prop_assert_eq!(encoding.position_in(text, offset), encoding.position(&file, offset));
                }
            }
        }
    }
}
