use std::ops::Range;

use owo_colors::Style;

use super::{Word, punctuate};
use crate::text::Span;
use crate::write::theme::Theme;

/// `project .ai/knowledge/rules.md:6-20`.
pub fn lines_of(span: &Span, theme: Theme) -> [Word; 2] {
    located(span, &span.lines(), theme)
}

/// A sentence, a comma and `project .ai/directives/deploy.md:9`.
pub fn with_place(mut sentence: Vec<Word>, span: Option<&Span>, theme: Theme) -> Vec<Word> {
    if let Some(span) = span {
        punctuate(&mut sentence, ",");
        sentence.extend(located(span, &span.line().to_string(), theme));
    }
    sentence
}

/// `project .ai/directives/deploy.md:9`, the tier in its hue.
pub fn located(span: &Span, lines: &str, theme: Theme) -> [Word; 2] {
    let source = span.source();
    [
        Word::new(source.tier(), theme.tier(source.tier())).glued(),
        Word::new(&format!("{}:{lines}", source.path()), Style::new()),
    ]
}

/// `line 4`, `lines 4-6`; `after line 3` for an empty range. The range is 0-based.
pub fn line_place(lines: &Range<usize>) -> String {
    match (lines.is_empty(), lines.start) {
        (false, _) => line_numbers(lines),
        (true, 0) => "before line 1".to_string(),
        (true, line) => format!("after line {line}"),
    }
}

/// `line 4`, `lines 4-6`. The range is 0-based.
pub fn line_numbers(lines: &Range<usize>) -> String {
    match lines.len() {
        1 => format!("line {}", lines.start + 1),
        _ => format!("lines {}-{}", lines.start + 1, lines.end),
    }
}
