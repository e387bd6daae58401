use owo_colors::Style;

use crate::text::Span;
use crate::write::layout::{self, Word, punctuate};
use crate::write::theme::{PLAIN, Theme, of_tier};

/// Words of a report, each in the style of what it means.
#[derive(Debug, Clone, Default)]
pub struct Line(Vec<Word>);

/// A line that begins with a unit that is never broken: a name, a path, a phrase.
pub fn word(style: Style, text: &str) -> Line {
    // Enough for a line of a message and its margin, of which there may be a million.
    Line(Vec::with_capacity(8)).word(style, text)
}

/// A line that begins with a sentence, which may be broken between words.
pub fn words(style: Style, sentence: &str) -> Line {
    Line::default().words(style, sentence)
}

/// A line that begins with a range of a file, as [`Line::lines_of`].
pub fn lines_of(span: &Span) -> Line {
    Line::default().lines_of(span)
}

/// A line that begins with the place where a range of a file begins, as [`Line::line_of`].
pub fn line_of(span: &Span) -> Line {
    Line::default().line_of(span)
}

impl Line {
    pub fn word(mut self, style: Style, text: &str) -> Self {
        self.0.push(Word::new(text, style));
        self
    }

    pub fn words(mut self, style: Style, sentence: &str) -> Self {
        self.0.extend(layout::words(sentence, style));
        self
    }

    /// Text of a prompt, in which hidden characters stay unless `visible`.
    pub fn own(mut self, style: Style, text: &str, visible: bool) -> Self {
        self.0.extend(Word::own(text, style, visible));
        self
    }

    pub fn then(mut self, rest: Self) -> Self {
        self.0.extend(rest.0);
        self
    }

    /// Appends words with a space between them, for a row.
    pub fn spaced(mut self, rest: Self) -> Self {
        // A file outside the tiers has an empty word for its tier.
        for (index, word) in rest.0.into_iter().filter(|word| !word.text().is_empty()).enumerate() {
            self.0.extend((index > 0).then(|| Word::new(" ", PLAIN)));
            self.0.push(word);
        }
        self
    }

    /// Appends a punctuation mark to the last word.
    pub fn mark(mut self, mark: &str) -> Self {
        punctuate(&mut self.0, mark);
        self
    }

    /// Keeps the last word on one line with the next.
    pub fn glued(mut self) -> Self {
        let last = self.0.pop().map(Word::glued);
        self.0.extend(last);
        self
    }

    /// Pads the last word to a number of columns.
    pub fn padded(mut self, columns: usize) -> Self {
        let last = self.0.pop().map(|last| last.padded(columns));
        self.0.extend(last);
        self
    }

    /// `project .ai/directives/deploy.md`, the tier in its hue.
    pub fn file(mut self, tier: &str, style: Style, path: &str) -> Self {
        self.0.push(Word::new(tier, of_tier(tier)).glued());
        self.word(style, path)
    }

    /// `project .ai/knowledge/rules.md:6-20`
    pub fn lines_of(self, span: &Span) -> Self {
        let source = span.source();
        self.file(source.tier(), PLAIN, &format!("{}:{}", source.path(), span.lines()))
    }

    /// `project .ai/directives/deploy.md:9`
    pub fn line_of(self, span: &Span) -> Self {
        let source = span.source();
        self.file(source.tier(), PLAIN, &format!("{}:{}", source.path(), span.line()))
    }

    /// A comma and [`Self::line_of`], if there is a place.
    pub fn at(self, span: Option<&Span>) -> Self {
        match span {
            Some(span) => self.mark(",").line_of(span),
            None => self,
        }
    }

    /// A comma and [`Self::lines_of`], if there is a place.
    pub fn at_lines(self, span: Option<&Span>) -> Self {
        match span {
            Some(span) => self.mark(",").lines_of(span),
            None => self,
        }
    }

    /// At most `most` names: `a, b, and 3 more`.
    pub fn listed<'a>(mut self, style: Style, names: impl ExactSizeIterator<Item = &'a str>, most: usize) -> Self {
        self.0.extend(layout::listed(names, most, style));
        self
    }

    pub(super) fn in_theme(self, theme: Theme) -> Vec<Word> {
        self.0.into_iter().map(|word| word.in_theme(theme)).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// In columns, with a space between words.
    pub fn width(&self) -> usize {
        layout::width_of(&self.0)
    }

    /// In columns, without a space between words.
    pub fn columns(&self) -> usize {
        self.0.iter().map(Word::width).sum()
    }

    /// Appends blanks up to a column of a row.
    pub fn up_to(self, column: usize) -> Self {
        let blanks = column.saturating_sub(self.columns());
        if blanks == 0 { self } else { self.word(PLAIN, &" ".repeat(blanks)) }
    }

    /// The words without their styles, with a space between them.
    pub fn text(&self) -> String {
        self.0.iter().map(Word::text).collect::<Vec<_>>().join(" ")
    }
}
