use std::ops::Range;

use crate::read::yaml::Outline;
use crate::text::Span;

use super::comment::{LineCache, PROGRAM, allowance};
use super::{Allowance, Reach};

/// The allowances in YAML comments; all are invalid if `refused` gives a reason.
pub(super) fn allowances(at: &Span, refused: Option<&'static str>) -> Vec<Allowance> {
    if !at.text().contains(PROGRAM) {
        return Vec::new();
    }
    let outline = Outline::of(at.text()).unwrap_or_default();
    let entries = YamlEntries::of(at.text(), at.range().start);
    let mut line = LineCache::default();
    let mut found = Vec::new();
    for comment in outline.comments.iter().map(|range| at.slice(range.clone())) {
        let text = comment.slice(1..comment.text().len());
        found.extend(allowance(&comment, &text, refused, || reach(&entries, &comment, &mut line)));
    }
    found
}

/// What a comment applies to: before all entries, the file; on its own line, the next entry; otherwise, its line.
fn reach(entries: &YamlEntries, comment: &Span, line: &mut LineCache) -> Reach {
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

/// The keys and items of YAML, each with the lines indented below it.
pub(super) struct YamlEntries {
    start: usize,
    /// The first line that is neither a comment nor a document marker.
    head: usize,
    entries: Vec<Range<usize>>,
}

struct OpenEntry {
    index: usize,
    indentation: usize,
    is_item: bool,
}

impl YamlEntries {
    pub fn of(text: &str, start: usize) -> Self {
        let mut of = Self { start, head: start + text.len(), entries: Vec::new() };
        let mut open: Vec<OpenEntry> = Vec::new();
        // The end of the last entry line, and the comments since then, by decreasing indentation.
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
            let goes_on = |it: &OpenEntry| {
                indentation > it.indentation || !it.is_item && is_item && indentation == it.indentation
            };
            while let Some(ended) = open.pop_if(|it| !goes_on(it)) {
                of.end(&ended, last, &comments);
            }
            open.push(OpenEntry { index: of.entries.len(), indentation, is_item });
            (last, comments) = (range.end, Vec::new());
            of.entries.push(range);
        }
        for ended in open.into_iter().rev() {
            of.end(&ended, last, &comments);
        }
        of
    }

    fn end(&mut self, ended: &OpenEntry, last: usize, comments: &[(usize, usize)]) {
        let deeper = comments.partition_point(|(indentation, _)| *indentation > ended.indentation);
        let comment = deeper.checked_sub(1).map_or(0, |index| comments[index].1);
        self.entries[ended.index].end = last.max(comment);
    }

    /// Whether only comments and document markers come before a line.
    pub fn is_head(&self, line: usize) -> bool {
        line <= self.head
    }

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
        let entries = YamlEntries::of(text, 0);
        let entry = |from: &str| entries.after(text.find(from).unwrap() + from.len() + 1).map(|range| &text[range]);
        assert_eq!(entry("# x").unwrap(), &text[4..text.len() - "other: 1\n".len()]);
        assert_eq!(entry("# y").unwrap(), "- id: a\n  event: b\n\n  # z\n  more: c\n");
        assert_eq!(entry("# z").unwrap(), "  more: c\n");
        assert_eq!(entry("other: 1"), None);
    }
}
