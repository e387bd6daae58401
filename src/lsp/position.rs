//! Places in a text as editors count them: lines and code units, both from zero.

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
        let line = source.position(offset).line - 1;
        let before = &source.text()[source.line_start(offset)..offset];
        Position { line: line as u32, character: self.units(before) as u32 }
    }

    pub fn position_in(self, text: &str, offset: usize) -> Position {
        let before = &text[..offset];
        let line = before.rfind('\n').map_or(before, |end| &before[end + 1..]);
        Position { line: before.matches('\n').count() as u32, character: self.units(line) as u32 }
    }

    fn units(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            Self::Utf16 => text.chars().map(char::len_utf16).sum(),
        }
    }

    /// The offset of a position; one that is beyond its line is at its end, and one that is beyond the text at the end of
    /// that.
    pub fn offset(self, text: &str, at: Position) -> usize {
        let line_ends = || text.match_indices('\n').map(|(end, _)| end);
        let start = match at.line.checked_sub(1) {
            None => 0,
            Some(before) => line_ends().nth(before as usize).map_or(text.len(), |end| end + 1),
        };
        let line = text[start..].split('\n').next().unwrap_or_default();
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
        // Inside a character is before it.
        assert_eq!(Encoding::Utf16.offset("😀b", Position { line: 0, character: 1 }), 0);
    }

    proptest! {
        #[test]
        fn offsets_and_positions_agree(text in "[a😀é\n]{0,20}", at in any::<prop::sample::Index>()) {
            let file = source("project", "x.md", &text);
            let boundaries: Vec<usize> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
            let offset = *at.get(&boundaries);
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                prop_assert_eq!(encoding.offset(&text, encoding.position(&file, offset)), offset);
            }
        }
    }
}
