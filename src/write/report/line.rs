use owo_colors::Style;

use super::word::Word;
use crate::text::Span;
use crate::text::numbers::thousands;
use crate::write::theme::{PLAIN, of_tier};

/// Words of a report, each in the style of what it means.
#[derive(Debug, Clone, Default)]
pub struct Line(pub(super) Vec<Word>);

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
        self.0.push(Word::new(style, text));
        self
    }

    pub fn words(mut self, style: Style, sentence: &str) -> Self {
        self.0.extend(sentence.split_ascii_whitespace().map(|word| Word::new(style, word)));
        self
    }

    /// Text of a prompt, in which hidden characters stay unless `visible`.
    pub fn prompt_text(mut self, style: Style, text: &str, visible: bool) -> Self {
        self.0.extend(Word::of_prompt(style, text, visible));
        self
    }

    pub fn then(mut self, rest: Self) -> Self {
        self.0.extend(rest.0);
        self
    }

    /// Appends words with a space between them, for a row.
    pub fn spaced(mut self, rest: Self) -> Self {
        // A file outside the tiers has an empty word for its tier.
        for (index, word) in rest.0.into_iter().filter(|word| !word.text.is_empty()).enumerate() {
            self.0.extend((index > 0).then(|| Word::new(PLAIN, " ")));
            self.0.push(word);
        }
        self
    }

    /// Appends a punctuation mark to the last word.
    pub fn mark(mut self, mark: &str) -> Self {
        if let Some(last) = self.0.last_mut() {
            last.text.push_str(mark);
        }
        self
    }

    /// Keeps the last word on one line with the next.
    pub fn glued(mut self) -> Self {
        if let Some(last) = self.0.last_mut() {
            last.is_glued = true;
        }
        self
    }

    /// Pads the last word to a number of columns.
    pub fn padded(self, columns: usize) -> Self {
        let blanks = self.0.last().map_or(0, |last| columns.saturating_sub(last.width()));
        self.mark(&" ".repeat(blanks))
    }

    /// `project .ai/directives/deploy.md`, the tier in its hue.
    pub fn file(self, tier: &str, style: Style, path: &str) -> Self {
        self.word(of_tier(tier), tier).glued().word(style, path)
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
    pub fn listed<'a>(self, style: Style, names: impl ExactSizeIterator<Item = &'a str>, most: usize) -> Self {
        let all = names.len();
        let comma = |index| if index + 1 < all { "," } else { "" };
        let line = names.take(most).enumerate().fold(self, |line, (at, name)| line.word(style, name).mark(comma(at)));
        if all > most { line.words(style, &format!("and {} more", thousands(all - most))) } else { line }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// In columns, with a space between words.
    pub fn width(&self) -> usize {
        self.row_width() + self.0.len().saturating_sub(1)
    }

    /// In columns, as a row: without a space between words.
    pub fn row_width(&self) -> usize {
        self.0.iter().map(Word::width).sum()
    }

    /// Appends blanks up to a column of a row.
    pub fn up_to(self, column: usize) -> Self {
        let blanks = column.saturating_sub(self.row_width());
        if blanks == 0 { self } else { self.word(PLAIN, &" ".repeat(blanks)) }
    }

    /// The words without their styles, with a space between them.
    pub fn text(&self) -> String {
        self.0.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
    }
}
