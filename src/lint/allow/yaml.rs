use std::ops::Range;

use super::comment::PROGRAM;
use super::read::{Line, allowance, misplaced};
use super::{Allowance, Reach};
use crate::text::Span;
use crate::yaml::Outline;

/// The allowances in comments of a range that holds YAML; none of them may stand there where `refused` says why.
pub(super) fn allowances(at: &Span, refused: Option<&'static str>) -> Vec<Allowance> {
    if !at.text().contains(PROGRAM) {
        return Vec::new();
    }
    let outline = Outline::of(at.text()).unwrap_or_default();
    let entries = Entries::of(at.text(), at.range().start);
    let mut line = Line::default();
    let mut found = Vec::new();
    for comment in outline.comments.iter().map(|range| at.slice(range.clone())) {
        let text = comment.slice(1..comment.text().len());
        let refused = refused.map(|why| misplaced(&comment, why));
        found.extend(allowance(comment.clone(), &text, refused, || reach(&entries, &comment, &mut line)));
    }
    found
}

/// In front of everything else it speaks for the whole file, on a line of its own for the entry that follows, and behind
/// something for its line.
fn reach(entries: &Entries, comment: &Span, line: &mut Line) -> Reach {
    let (source, start) = (comment.source(), comment.range().start);
    let line = line.of(source, start);
    if !source.text()[line.start.max(entries.start)..start].trim().is_empty() {
        return Reach::Range(line);
    }
    if entries.is_head(line.start) {
        return Reach::File;
    }
    entries.after(line.end).map_or(Reach::Nowhere, Reach::Range)
}

/// Keys and items of YAML, with all that is indented below each.
pub(super) struct Entries {
    /// Where the text begins.
    start: usize,
    /// The start of the first line that is more than a comment or a mark of the document.
    head: usize,
    /// One for each line that begins one, in order.
    entries: Vec<Range<usize>>,
}

/// An entry that may go on.
struct Open {
    index: usize,
    indentation: usize,
    is_item: bool,
}

impl Entries {
    /// Of a text that begins at an offset, by the indentation of its lines.
    pub fn of(text: &str, start: usize) -> Self {
        let mut of = Self { start, head: start + text.len(), entries: Vec::new() };
        let mut open: Vec<Open> = Vec::new();
        // The end of the last line that was more than a comment, and the comments after it that none hides which follows
        // and is indented as deep.
        let (mut last, mut comments) = (start, Vec::new());
        let mut at = start;
        for line in text.split_inclusive('\n') {
            let range = at..at + line.len();
            at = range.end;
            if !is_of_head(line) {
                of.head = of.head.min(range.start);
            }
            let indented = line.trim_start_matches(' ');
            let indentation = line.len() - indented.len();
            if indented.trim().is_empty() {
                continue;
            }
            if indented.starts_with('#') {
                let hidden = comments.partition_point(|(of, _)| *of > indentation);
                comments.truncate(hidden);
                comments.push((indentation, range.end));
                continue;
            }
            let is_item = indented.starts_with("- ") || indented.trim_end() == "-";
            let goes_on =
                |it: &Open| indentation > it.indentation || !it.is_item && is_item && indentation == it.indentation;
            while let Some(ended) = open.pop_if(|it| !goes_on(it)) {
                of.end(&ended, last, &comments);
            }
            open.push(Open { index: of.entries.len(), indentation, is_item });
            (last, comments) = (range.end, Vec::new());
            of.entries.push(range);
        }
        for ended in open.into_iter().rev() {
            of.end(&ended, last, &comments);
        }
        of
    }

    fn end(&mut self, ended: &Open, last: usize, comments: &[(usize, usize)]) {
        let deeper = comments.partition_point(|(indentation, _)| *indentation > ended.indentation);
        let comment = deeper.checked_sub(1).map_or(0, |index| comments[index].1);
        self.entries[ended.index].end = last.max(comment);
    }

    /// Whether nothing but comments and marks of the document stand before a line.
    pub fn is_head(&self, line: usize) -> bool {
        line <= self.head
    }

    /// The first entry after an offset.
    pub fn after(&self, from: usize) -> Option<Range<usize>> {
        self.entries.get(self.entries.partition_point(|entry| entry.start < from)).cloned()
    }
}

fn is_of_head(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with(['#', '%']) || line == "---"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_ends_where_its_indentation_does() {
        let text = "# x\nhooks:\n# y\n- id: a\n  event: b\n\n  # z\n  more: c\n- id: d\nother: 1\n";
        let entries = Entries::of(text, 0);
        let entry = |from: &str| entries.after(text.find(from).unwrap() + from.len() + 1).map(|range| &text[range]);
        assert_eq!(entry("# x").unwrap(), &text[4..text.len() - "other: 1\n".len()]);
        assert_eq!(entry("# y").unwrap(), "- id: a\n  event: b\n\n  # z\n  more: c\n");
        assert_eq!(entry("# z").unwrap(), "  more: c\n");
        assert_eq!(entry("other: 1"), None);
    }
}
