use std::ops::Range;

use crate::lint::finding::Edit;
use crate::text::Source;

/// The bytes of a file after edits, which are ordered and do not overlap. All other bytes stay the same, and inserted
/// lines use the line ending of the line in which they begin.
///
/// None if the result would be read differently: a lone CR next to an LF becomes one line ending.
pub(in crate::lint) fn edited(source: &Source, edits: &[&Edit]) -> Option<Vec<u8>> {
    let text = source.text();
    let before = source.bytes();
    let (mut bytes, mut meant) = (Vec::with_capacity(before.len()), String::with_capacity(text.len()));
    let mut done = 0;
    for edit in edits {
        let Range { start, end } = edit.span.range();
        if start < done {
            return None;
        }
        bytes.extend_from_slice(&before[source.on_disk(done)..source.on_disk(start)]);
        bytes.extend_from_slice(edit.as_written().as_bytes());
        meant.push_str(&text[done..start]);
        meant.push_str(&edit.text);
        done = end;
    }
    bytes.extend_from_slice(&before[source.on_disk(done)..]);
    meant.push_str(&text[done..]);
    let read = Source::read(source.tier().into(), source.path(), bytes.clone()).ok()?;
    (read.text() == meant).then_some(bytes)
}

/// Whether two edits overlap or touch: one may depend on what the other changes.
pub(super) fn collide(one: &Edit, other: &Edit) -> bool {
    let (one, other) = (one.span.range(), other.span.range());
    one.start <= other.end && other.start <= one.end
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;

    fn source(bytes: &str) -> Arc<Source> {
        Source::read("project".into(), "x.md", bytes.as_bytes().to_vec()).unwrap()
    }

    fn after(bytes: &str, edits: &[(Range<usize>, &str)]) -> Option<String> {
        let source = source(bytes);
        let edits: Vec<_> = edits.iter().map(|(at, text)| Edit::replace(&source.span(at.clone()), *text)).collect();
        let bytes = edited(&source, &edits.iter().collect::<Vec<_>>())?;
        Some(String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn new_lines_use_the_line_endings_of_the_file() {
        assert_eq!(after("a\nb\n", &[(1..1, "\nx")]).unwrap(), "a\nx\nb\n");
        assert_eq!(after("a\r\nb\r\n", &[(1..1, "\nx"), (2..3, "c\nd")]).unwrap(), "a\r\nx\r\nc\r\nd\r\n");
        assert_eq!(after("a\rb\r", &[(2..3, "c\nd")]).unwrap(), "a\rc\rd\r");
        assert_eq!(after("a\r\nb\n", &[(3..3, "\nx"), (4..4, "y")]).unwrap(), "a\r\nb\nx\ny");
        // A whole line is removed with its line ending.
        assert_eq!(after("a\r\nb\r\nc", &[(2..4, "")]).unwrap(), "a\r\nc");
    }

    #[test]
    fn line_endings_that_would_merge_are_refused() {
        assert_eq!(after("a\rb\nc", &[(2..3, "")]), None);
        assert_eq!(after("a\n", &[(0..1, "x\r")]), None, "an edit uses LF only");
    }

    #[test]
    fn edits_that_touch_collide() {
        let source = source("abcdef");
        let edit = |at: Range<usize>| Edit::replace(&source.span(at), "");
        assert!(collide(&edit(1..3), &edit(2..4)));
        assert!(collide(&edit(1..3), &edit(3..4)));
        assert!(collide(&edit(1..1), &edit(1..1)));
        assert!(!collide(&edit(1..2), &edit(3..4)));
    }

    proptest! {
        #[test]
        fn bytes_outside_of_edits_are_untouched(
            parts in prop::collection::vec(
                prop::sample::select(vec!["a", "é", "\n", "\r\n", "\r", "x y", "😀"]),
                0..30,
            ),
            cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 0..8),
            new in prop::sample::select(vec!["", "new", "\n", "one\ntwo\n"]),
        ) {
            let bytes = parts.concat();
            let source = source(&bytes);
            let boundaries: Vec<usize> =
                (0..=source.text().len()).filter(|&at| source.text().is_char_boundary(at)).collect();
            let mut at: Vec<usize> = cuts.iter().map(|(index, _)| *index.get(&boundaries)).collect();
            at.sort_unstable();
            let edits: Vec<Edit> =
                at.chunks_exact(2).map(|pair| Edit::replace(&source.span(pair[0]..pair[1]), new)).collect();
            let Some(after) = edited(&source, &edits.iter().collect::<Vec<_>>()) else { return Ok(()) };
            // The text between the edits is unchanged and in order, with only the new text in between.
            let (mut rest, mut done) = (after.as_slice(), 0);
            for edit in &edits {
                let kept = &bytes.as_bytes()[source.on_disk(done)..source.on_disk(edit.span.range().start)];
                prop_assert_eq!(&rest[..kept.len()], kept);
                rest = &rest[kept.len()..];
                let put = new.replace('\n', source.line_end(edit.span.range().start));
                prop_assert_eq!(&rest[..put.len()], put.as_bytes());
                rest = &rest[put.len()..];
                done = edit.span.range().end;
            }
            prop_assert_eq!(rest, &bytes.as_bytes()[source.on_disk(done)..]);
        }

        #[test]
        fn an_empty_list_of_edits_changes_nothing(bytes in "[a\r\né]{0,20}") {
            prop_assert_eq!(edited(&source(&bytes), &[]).unwrap(), bytes.into_bytes());
        }
    }
}
