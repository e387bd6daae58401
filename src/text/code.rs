use std::cell::OnceCell;
use std::ops::Range;

/// The code in a Markdown text: fenced blocks and inline code. Computed on first use.
pub struct CodeRanges<'t> {
    text: &'t str,
    ranges: OnceCell<Vec<Range<usize>>>,
}

impl<'t> CodeRanges<'t> {
    pub fn of(text: &'t str) -> Self {
        Self { text, ranges: OnceCell::new() }
    }

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
    use super::*;

    #[test]
    fn code_is_separated_from_prose() {
        let text = "a `b` c\n```md\nd\n```\ne `f` ~~~ g\n  ````\nh\n```\ni\n````\nj";
        for (mark, code) in
            [("a", false), ("b", true), ("c", false), ("d", true), ("e", false), ("f", true), ("g", false)]
        {
            assert_eq!(CodeRanges::of(text).has(text.find(mark).unwrap()), code, "{mark}");
        }
        for (mark, code) in [("h", true), ("i", true), ("j", false)] {
            assert_eq!(CodeRanges::of(text).has(text.find(mark).unwrap()), code, "{mark}");
        }
    }
}
