use proptest::prelude::*;

use super::*;

fn changes(left: &str, right: &str, ignore: Ignore) -> Vec<(Range<usize>, Range<usize>)> {
    Comparer::new(ignore).changes(left, right).into_iter().map(|change| (change.left, change.right)).collect()
}

const NOTHING: Ignore = Ignore { space_change: false, blank_lines: false };
const SPACE: Ignore = Ignore { space_change: true, blank_lines: false };
const BLANK: Ignore = Ignore { space_change: false, blank_lines: true };
const BOTH: Ignore = Ignore { space_change: true, blank_lines: true };

#[test]
fn a_newline_ends_a_line() {
    for (left, right, expected) in [
        ("", "", vec![]),
        ("", "a", vec![(0..0, 0..1)]),
        ("", "\n", vec![(0..0, 0..1)]),
        ("a\nb\nc\n", "a\nB\nc\n", vec![(1..2, 1..2)]),
        ("a\nb\n", "a\nb\nc\n", vec![(2..2, 2..3)]),
        ("a", "a\n", vec![(0..1, 0..1)]),
        ("a\nb\n", "a\nb", vec![(1..2, 1..2)]),
        ("a\n", "a\n\n", vec![(1..1, 1..2)]),
        // The final newline is a change only if no other change includes it.
        ("a\nb", "a\nb\nc\n", vec![(2..2, 2..3)]),
        ("a\nb", "a\nb\nc", vec![(2..2, 2..3)]),
        ("a\nb\nc\n", "a\nb", vec![(2..3, 2..2)]),
        ("a\nb", "A\nb\n", vec![(0..2, 0..2)]),
        ("a\nb\nc", "A\nb\nc\n", vec![(0..1, 0..1), (2..3, 2..3)]),
    ] {
        assert_eq!(changes(left, right, NOTHING), expected, "{left:?} {right:?}");
    }
    assert_eq!(lines("a\n\nb\n"), ["a", "", "b"]);
    assert_eq!(lines(""), [""; 0]);
}

/// As in the manual of GNU diff: `-b` treats runs of whitespace as equal and ignores trailing whitespace, a missing
/// final newline included; `-B` ignores changes whose lines are all blank.
#[test]
fn whitespace_is_ignored_as_by_gnu_diff() {
    for (left, right, ignore, is_same) in [
        ("a  b\n", "a\tb\n", SPACE, true),
        ("a b \n", "a b\n", SPACE, true),
        ("a", "a\n", SPACE, true),
        (" a\n", "   a\n", SPACE, true),
        (" a\n", "a\n", SPACE, false),
        ("ab\n", "a b\n", SPACE, false),
        ("a\u{a0}b\n", "a b\n", SPACE, false),
        ("a\r\nb\n", "a\nb\n", SPACE, true),
        ("a\n\nb\n", "a\nb\n", BLANK, true),
        ("a\n\nb\n", "a\n\nc\n", BLANK, false),
        ("a\n \nb\n", "a\nb\n", BLANK, false),
        ("a\n \nb\n", "a\nb\n", BOTH, true),
        ("a\n\nb\n", "a\nx\nb\n", BLANK, false),
        ("a\n\nb\n", "a\nb\n", SPACE, false),
        ("a", "a\n\n", BLANK, true),
        ("a", "a\n", BLANK, false),
        ("a", "a\n\n", BOTH, true),
    ] {
        assert_eq!(changes(left, right, ignore).is_empty(), is_same, "{left:?} {right:?} {ignore:?}");
    }
}

/// The pieces of both lines, changed words in brackets.
fn marked(left: &str, right: &str) -> (String, String) {
    let mark = |pieces: Vec<LinePiece>| {
        let one =
            |piece: &LinePiece| if piece.is_changed { format!("[{}]", piece.text) } else { piece.text.to_string() };
        pieces.iter().map(one).collect()
    };
    let (left, right) = words(left, right);
    (mark(left), mark(right))
}

#[test]
fn words_are_compared_in_similar_lines() {
    for (left, right, expected) in [
        (
            "Never deploy on a Friday.",
            "Never deploy on a Friday or before a holiday.",
            ("Never deploy on a Friday.", "Never deploy on a Friday[ or before a holiday]."),
        ),
        (
            "Roll out to staging now",
            "Roll out to production now",
            ("Roll out to [staging] now", "Roll out to [production] now"),
        ),
        ("one two three, and so on", "1 2 3, and so on", ("[one two three], and so on", "[1 2 3], and so on")),
        ("Nothing is alike", "All differs here!", ("[Nothing is alike]", "[All differs here!]")),
        ("日本語 und Öl", "日本語 und Salz", ("日本語 und [Öl]", "日本語 und [Salz]")),
        ("same", "same", ("same", "same")),
        ("", "new", ("", "[new]")),
        ("", "", ("", "")),
        ("  ", " ", ("[  ]", "[ ]")),
    ] {
        let (old, new) = marked(left, right);
        assert_eq!((old.as_str(), new.as_str()), expected);
    }
}

#[test]
fn very_long_lines_differ_in_their_middle() {
    let line = |middle: &str| format!("{}{middle}{}", "é".repeat(9_000), "ü".repeat(9_000));
    let (left, right) = (line("è"), line("ê and more"));
    let (old, new) = words(&left, &right);
    let texts = |pieces: Vec<LinePiece>| -> Vec<(usize, bool)> {
        pieces.iter().map(|piece| (piece.text.chars().count(), piece.is_changed)).collect()
    };
    assert_eq!(texts(old), [(9_000, false), (1, true), (9_000, false)]);
    assert_eq!(texts(new), [(9_000, false), (10, true), (9_000, false)]);
}

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        proptest::sample::select(vec!["a", "b", "a b", "a  b", "é", "", " ", "\t", "\u{1b}", "\r"]),
        0..12,
    )
    .prop_flat_map(|lines| (Just(lines), any::<bool>()))
    .prop_map(|(lines, ends)| lines.join("\n") + if ends { "\n" } else { "" })
}

/// The lines of a text after the changes, joined by newlines: its unchanged lines, and the replaced ones from the
/// other text.
pub fn applied(left: &str, right: &str, changes: &[LineChange]) -> String {
    let (old, new) = (lines(left), lines(right));
    let (mut out, mut at) = (Vec::<&str>::new(), 0);
    for change in changes {
        out.extend(&old[at..change.left.start]);
        out.extend(&new[change.right.clone()]);
        at = change.left.end;
    }
    out.extend(&old[at..]);
    out.join("\n")
}

/// Whether a run includes the last line of a side.
fn covers_an_end(left: &str, right: &str, changes: &[LineChange]) -> bool {
    changes.last().is_some_and(|last| last.left.end == lines(left).len() || last.right.end == lines(right).len())
}

proptest! {
    #[test]
    fn changes_turn_one_text_into_the_other(left in text(), right in text()) {
        let changes = Comparer::new(NOTHING).changes(&left, &right);
        prop_assert_eq!(applied(&left, &right, &changes), lines(&right).join("\n"));
        let ends_differ = left.ends_with('\n') != right.ends_with('\n');
        prop_assert!(!ends_differ || covers_an_end(&left, &right, &changes));
        prop_assert_eq!(changes.is_empty(), left == right);
    }

    #[test]
    fn ignoring_more_never_adds_differences(left in text(), right in text()) {
        for (less, more) in [(NOTHING, SPACE), (NOTHING, BLANK), (SPACE, BOTH)] {
            let [less, more] = [less, more].map(|ignore| changes(&left, &right, ignore).is_empty());
            prop_assert!(!less || more);
        }
    }

    #[test]
    fn pieces_add_up_to_the_lines(left in r"[a-c .,é\t]{0,20}", right in r"[a-c .,é\t]{0,20}") {
        let (old, new) = words(&left, &right);
        for (pieces, line) in [(&old, &left), (&new, &right)] {
            prop_assert_eq!(&pieces.iter().map(|piece| piece.text).collect::<String>(), line);
            prop_assert!(pieces.windows(2).all(|pair| pair[0].is_changed != pair[1].is_changed), "neighbours are merged");
        }
        let kept = |pieces: &[LinePiece]| -> String {
            pieces.iter().filter(|piece| !piece.is_changed).flat_map(|piece| piece.text.chars()).filter(|c| !c.is_whitespace()).collect()
        };
        prop_assert_eq!(kept(&old), kept(&new));
    }
}
