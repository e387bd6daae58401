//! The hunks of a unified diff.

use std::ops::Range;

use super::{LineChange, Pair};

/// The remark below a last line without a newline, as in `diff`.
pub const NO_NEWLINE: &str = "No newline at end of text";

/// Runs of lines that differ, joined where their context touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk<'a> {
    /// The lines of the left side, from 0.
    pub left: Range<usize>,
    pub right: Range<usize>,
    pub changes: &'a [LineChange],
}

/// `lines`: the number of lines of each text.
pub fn hunks(changes: &[LineChange], lines: Pair<usize>, context: usize) -> Vec<Hunk<'_>> {
    let touch = |a: &LineChange, b: &LineChange| b.right.start - a.right.end <= context.saturating_mul(2);
    changes.chunk_by(touch).map(|run| around(run, lines, context)).collect()
}

fn around(changes: &[LineChange], lines: Pair<usize>, context: usize) -> Hunk<'_> {
    let (first, last) = (&changes[0], &changes[changes.len() - 1]);
    // If blank lines are ignored, one side may have fewer lines of context.
    let above = context.min(first.left.start).min(first.right.start);
    let below = context.min(lines.left - last.left.end).min(lines.right - last.right.end);
    Hunk {
        left: first.left.start - above..last.left.end + below,
        right: first.right.start - above..last.right.end + below,
        changes,
    }
}

/// The hunks as in a unified diff. `end` follows a line without a newline.
pub fn unified(changes: &[LineChange], lines: &Pair<Vec<&str>>, context: usize, end: &str) -> Vec<String> {
    let add = |out: &mut String, sign: char, lines: &[&str]| {
        for &line in lines {
            out.push(sign);
            out.extend([line, if line.ends_with('\n') { "" } else { end }]);
        }
    };
    let hunk = |hunk: Hunk| {
        let mut out = format!("@@ {} @@\n", hunk.range());
        let mut at = hunk.right.start;
        for LineChange { left, right } in hunk.changes {
            // The line of the left side may differ in ignored whitespace.
            add(&mut out, ' ', &lines.right[at..right.start]);
            add(&mut out, '-', &lines.left[left.clone()]);
            add(&mut out, '+', &lines.right[right.clone()]);
            at = right.end;
        }
        add(&mut out, ' ', &lines.right[at..hunk.right.end]);
        out
    };
    hunks(changes, lines.as_ref().map(Vec::len), context).into_iter().map(hunk).collect()
}

/// The lines of both texts with their newlines.
pub fn lines_of<'a>(left: &'a str, right: &'a str) -> Pair<Vec<&'a str>> {
    Pair { left, right }.map(|text| text.split_inclusive('\n').collect())
}

/// Whether only one of two non-empty texts ends with a newline.
pub fn ends_differ(lines: &Pair<Vec<&str>>) -> bool {
    let is_open = |lines: &Vec<&str>| Some(!lines.last()?.ends_with('\n'));
    lines.as_ref().map(is_open).both().is_some_and(|is_open| is_open.left != is_open.right)
}

impl Hunk<'_> {
    /// The text between the two `@@` of its heading: `-3,4 +3,5`.
    pub fn range(&self) -> String {
        format!("-{} +{}", numbers(&self.left), numbers(&self.right))
    }
}

/// First line and count as in a unified diff; for an empty range, the line before it.
fn numbers(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => (lines.start + 1).to_string(),
        count => format!("{},{count}", lines.start + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(left: Range<usize>, right: Range<usize>) -> LineChange {
        LineChange { left, right }
    }

    fn ranges(changes: &[LineChange], lines: usize, context: usize) -> Vec<String> {
        let right = lines + changes.iter().map(|it| it.right.len()).sum::<usize>();
        let right = right - changes.iter().map(|it| it.left.len()).sum::<usize>();
        hunks(changes, Pair { left: lines, right }, context).iter().map(Hunk::range).collect()
    }

    #[test]
    fn headings_match_a_unified_diff() {
        let one = [change(4..5, 4..6)];
        assert_eq!(ranges(&one, 10, 3), ["-2,7 +2,8"]);
        assert_eq!(ranges(&one, 10, 0), ["-5 +5,2"]);
        assert_eq!(ranges(&one, 10, usize::MAX), ["-1,10 +1,11"]);
        // For an empty range, the line before it, or 0.
        assert_eq!(ranges(&[change(4..4, 4..5)], 10, 0), ["-4,0 +5"]);
        assert_eq!(ranges(&[change(0..0, 0..1)], 0, 3), ["-0,0 +1"]);
        assert_eq!(ranges(&[change(0..2, 0..0)], 2, 3), ["-1,2 +0,0"]);
        assert_eq!(ranges(&[], 10, 3), [""; 0]);
    }

    #[test]
    fn touching_hunks_are_merged() {
        // Six lines are between the two.
        let two = [change(3..4, 3..4), change(10..11, 10..11)];
        assert_eq!(ranges(&two, 20, 3), ["-1,14 +1,14"]);
        assert_eq!(ranges(&two, 20, 2), ["-2,5 +2,5", "-9,5 +9,5"]);
        assert_eq!(ranges(&two, 20, 0), ["-4 +4", "-11 +11"]);
    }

    #[test]
    fn lines_come_in_order() {
        let two = [change(1..2, 1..3), change(3..4, 4..4)];
        let lines = lines_of("a\nb\nc\nd\ne\n", "a\nB\nBB\nc\nE");
        let expected = "@@ -1,5 +1,5 @@\n a\n-b\n+B\n+BB\n c\n-d\n E\n\\ no newline\n";
        assert_eq!(unified(&two, &lines, 1, "\n\\ no newline\n"), [expected]);
    }

    #[test]
    fn one_side_may_have_less_context() {
        // Only the left side has two blank lines above, which are ignored.
        let changes = [change(3..4, 1..2)];
        let all = hunks(&changes, Pair { left: 4, right: 3 }, 3);
        assert_eq!(all[0].range(), "-3,2 +1,2");
    }
}
