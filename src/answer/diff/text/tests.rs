use std::ops::Range;

use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

use super::hunk::Hunks;
use super::*;
use crate::answer::diff::testing::{Made, added, changed, difference, long, odd, removed, same, with_sent};
use crate::answer::diff::{Change, summary};
use crate::answer::diff::{DiffFormat, LineChange, write as write_view};
use crate::prompt::{DecisionOutcome, Role, Slot};
use crate::text::tokens::Tokenizer;
use crate::text::visible::is_hidden;
use crate::write::screen::Screen;

/// The default view of the command line.
pub fn view(width: usize) -> DiffView {
    DiffView {
        format: DiffFormat::Text,
        context: 3,
        side_by_side: false,
        word_diff: false,
        tokenizer: Tokenizer::Chars4,
        screen: Screen::plain(width),
    }
}

fn shown(difference: &Difference, view: &DiffView) -> String {
    let mut out = Vec::new();
    write_view(difference, view, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Without colours.
pub fn without_colour(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |out, part| out + part.split_once('m').expect("a style").1)
}

#[test]
fn at_80_columns() {
    insta::assert_snapshot!(shown(&changed(), &view(80)));
}

#[test]
fn at_120_columns() {
    insta::assert_snapshot!(shown(&changed(), &view(120)));
}

#[test]
fn side_by_side_at_120_columns() {
    insta::assert_snapshot!(shown(&changed(), &DiffView { side_by_side: true, ..view(120) }));
}

#[test]
fn by_word_without_context() {
    insta::assert_snapshot!(shown(&changed(), &DiffView { word_diff: true, context: 0, ..view(80) }));
}

#[test]
fn odd_texts() {
    insta::assert_snapshot!(shown(&odd(), &DiffView { screen: Screen::terminal(80), ..view(80) }));
}

#[test]
fn odd_texts_side_by_side() {
    insta::assert_snapshot!(shown(&odd(), &DiffView { side_by_side: true, ..view(100) }));
}

#[test]
fn a_long_line() {
    insta::assert_snapshot!(shown(&long(), &DiffView { context: 1, ..view(80) }));
}

#[test]
fn a_long_line_side_by_side() {
    insta::assert_snapshot!(shown(&long(), &DiffView { context: 0, side_by_side: true, ..view(100) }));
}

#[test]
fn what_was_sent() {
    insta::assert_snapshot!(shown(&with_sent(), &view(80)));
}

#[test]
fn a_prompt_that_is_removed() {
    insta::assert_snapshot!(shown(&removed(), &view(80)));
}

#[test]
fn an_added_prompt_says_so() {
    let text = shown(&added(), &view(80));
    assert!(text.contains("\nthe prompt was added: HEAD:deploy does not exist\n"), "{text}");
    assert!(text.contains("  the requested directive\n") && !text.contains("requested by the request"), "{text}");
}

#[test]
fn equal_prompts_are_one_line() {
    assert_eq!(shown(&same(), &view(80)), "HEAD:deploy and deploy: the prompts are the same, 180 tokens\n");
}

#[test]
fn a_terminal_too_narrow_for_columns_gets_one_remark() {
    let text = shown(&changed(), &DiffView { side_by_side: true, ..view(99) });
    let (note, rest): (Vec<_>, Vec<_>) = text.lines().partition(|line| line.contains("side by side"));
    assert_eq!(note, ["  side by side needs 100 columns; there are 99"]);
    assert_eq!(rest, shown(&changed(), &view(99)).lines().collect::<Vec<_>>());
}

#[test]
fn colour_only_repeats_what_words_say() {
    for difference in [changed(), odd(), long(), added(), removed(), same(), with_sent()] {
        for (side_by_side, word_diff) in [(false, false), (true, false), (false, true)] {
            for format in [DiffFormat::Text, DiffFormat::Stat] {
                let plain = DiffView { format, side_by_side, word_diff, screen: Screen::terminal(100), ..view(100) };
                let text = shown(&difference, &plain);
                assert!(!text.contains(is_hidden), "{text:?}");
                let coloured = shown(&difference, &DiffView { screen: Screen::coloured(100), ..plain });
                assert_eq!(without_colour(&coloured), text);
            }
        }
    }
}

/// The lines of a layer, read back from a unified view with full context.
fn read_back(text: &str, name: &str, signs: [&str; 2]) -> String {
    let heading = format!("@@ system · {name} ·");
    let lines = text.lines().skip_while(|line| !line.starts_with(&heading)).skip(1);
    let lines = lines.take_while(|line| !line.is_empty() && !line.starts_with("@@"));
    let mut out = String::new();
    for line in lines.filter_map(|line| line.strip_prefix('│')) {
        let line = if line.is_empty() { "   " } else { line };
        let (sign, rest) = line.split_at(2);
        if signs.contains(&sign) {
            out += rest.strip_prefix(' ').unwrap_or(rest);
            out.push('\n');
        }
    }
    out
}

#[test]
fn texts_are_shown_unchanged() {
    for difference in [odd(), changed()] {
        let text = shown(&difference, &DiffView { context: usize::MAX, ..view(80) });
        for pair in difference.layers.iter().filter(|pair| pair.change() == Change::Changed) {
            let (left, right) = (pair.left.unwrap(), pair.right.unwrap());
            let (left, right) = (&difference.left.layers[left], &difference.right.layers[right]);
            if difference.left.messages[left.message].role.into_str() != "system" {
                continue;
            }
            let with_end = |text: &str| format!("{}\n", text.strip_suffix('\n').unwrap_or(text));
            let old = with_end(difference.left.layer_text(left));
            let new = with_end(difference.right.layer_text(right));
            assert_eq!(read_back(&text, &right.title, ["  ", " -"]), old);
            assert_eq!(read_back(&text, &right.title, ["  ", " +"]), new);
        }
    }
}

#[test]
fn no_row_is_wider_than_both_columns() {
    for width in [100, 101, 120, 161] {
        for difference in [changed(), long(), odd(), with_sent()] {
            let text = shown(&difference, &DiffView { side_by_side: true, ..view(width) });
            let widest = text.lines().filter(|line| line.starts_with('│')).map(UnicodeWidthStr::width).max();
            assert!(widest.unwrap() <= width, "{widest:?} of {width}\n{text}");
        }
    }
}

/// The hunks of two texts that differ in one run of lines.
fn hunks(left: &str, right: &str, (old, new): (Range<usize>, Range<usize>), view: &DiffView) -> String {
    let changes = [LineChange { left: old, right: new }];
    let mut out = Vec::new();
    let mut report = Report::new(view.screen, &mut out);
    Hunks::new("x", left, right, &changes, &Refiner::default()).report(view, &mut report);
    String::from_utf8(out).unwrap()
}

#[test]
fn invisible_differences_are_escaped() {
    let text = hunks("a b\nc\n", "a\u{200e} b \nc\n", (0..1, 0..1), &view(80));
    let expected = [
        "@@ x · lines 1-2 @@",
        "│ - a b",
        "    ^",
        "│ + a<U+200E> b ",
        "    ^^^^^^^^^  ^",
        "    differs only in white space and invisible characters",
        "│   c",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn a_missing_final_newline_is_reported_if_the_other_side_has_one() {
    let only_left = hunks("a\nb", "a\nb\n", (1..2, 1..2), &view(80));
    assert_eq!(only_left, "@@ x · lines 1-2 @@\n│   a\n│ - b\n│ \\ No newline at end of text\n│ + b\n");
    let only_right = hunks("a\nb\n", "a\nb", (1..2, 1..2), &view(80));
    assert_eq!(only_right, "@@ x · lines 1-2 @@\n│   a\n│ - b\n│ + b\n│ \\ No newline at end of text\n");
    let neither = hunks("a\nb", "a\nxyz", (1..2, 1..2), &view(80));
    assert_eq!(neither, "@@ x · lines 1-2 @@\n│   a\n│ - b\n│ + xyz\n");
}

#[test]
fn context_may_be_empty_or_everything() {
    let (left, right) = ("1\n2\n3\n4\n5\n", "1\n2\nnew\n3\n4\n5\n");
    let shown = |context| hunks(left, right, (2..2, 2..3), &DiffView { context, ..view(80) });
    assert_eq!(shown(0), "@@ x · after line 2 → line 3 @@\n│ + new\n");
    assert_eq!(shown(1), "@@ x · lines 2-3 → lines 2-4 @@\n│   2\n│ + new\n│   3\n");
    let all = "@@ x · lines 1-5 → lines 1-6 @@\n│   1\n│   2\n│ + new\n│   3\n│   4\n│   5\n";
    assert_eq!([shown(9), shown(usize::MAX)], [all, all]);
}

#[test]
fn carets_are_aligned_after_tabs_and_wide_characters() {
    // The margin takes 4 columns, so the tab ends at the 8th; a wide character takes two.
    let text = hunks("\t東京 is a large city\n", "\t東京 is a small city\n", (0..1, 0..1), &view(80));
    let caret = format!("{:1$}^^^^^", "", 8 + 4 + " is a ".len());
    assert_eq!(text.lines().filter(|line| line.ends_with('^')).collect::<Vec<_>>(), [&caret, &caret]);
}

#[test]
fn changed_lines_can_be_limited() {
    let right = "1\n2\n3\n4\n5\n";
    let changes = [LineChange { left: 0..1, right: 0..1 }, LineChange { left: 1..1, right: 1..5 }];
    let refiner = Refiner::default();
    let (hunks, more) = Hunks::new("x", "0\n", right, &changes, &refiner).limited(4);
    let mut out = Vec::new();
    hunks.report(&view(80), &mut Report::new(Screen::plain(80), &mut out));
    assert_eq!(String::from_utf8(out).unwrap(), "@@ x · line 1 → lines 1-3 @@\n│ - 0\n│ + 1\n│ + 2\n│ + 3\n");
    assert_eq!(more, 2);
}

#[test]
fn a_long_item_takes_linear_time() {
    let started = std::time::Instant::now();
    for (side_by_side, lines) in [(false, 280_000), (true, 28_000)] {
        let text = |word: &str| format!("{word} of many\n").repeat(lines);
        let (left, right) = (text("a line"), text("some line"));
        let shown = hunks(&left, &right, (0..lines, 0..lines), &DiffView { side_by_side, ..view(120) });
        assert_eq!(shown.lines().count(), 1 + if side_by_side { lines } else { 2 * lines });
    }
    assert!(started.elapsed() < std::time::Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn names_are_listed_if_and_only_if_something_differs() {
    for difference in [changed(), odd(), added(), removed(), same(), with_sent()] {
        let names = shown(&difference, &DiffView { format: DiffFormat::NameOnly, ..view(80) });
        assert_eq!(names.is_empty(), difference.is_same());
    }
    let mut difference = changed();
    for layer in &mut difference.right.layers {
        layer.title = "two\nlines\u{1b}[31m".to_string();
    }
    let names = shown(&difference, &DiffView { format: DiffFormat::NameOnly, ..view(80) });
    assert_eq!(names.lines().next(), Some("two<U+000A>lines<U+001B>[31m"));
}

#[test]
fn names() {
    insta::assert_snapshot!(shown(&changed(), &DiffView { format: DiffFormat::NameOnly, ..view(80) }));
}

#[test]
fn stat() {
    insta::assert_snapshot!(shown(&changed(), &DiffView { format: DiffFormat::Stat, ..view(80) }));
}

#[test]
fn stat_without_rows_is_a_sentence() {
    let stat = |difference: &Difference| shown(difference, &DiffView { format: DiffFormat::Stat, ..view(80) });
    assert_eq!(stat(&same()), "the prompts are the same\n");
    let turns = |turns| Made::new("a").fields("fast", turns, "x", &[]).message(Role::User).directive("Go.\n").0;
    let mut fields = difference(&turns(1), &turns(2));
    assert_eq!(stat(&fields), "the messages are the same; other differences: 1 field\n");
    fields.not_compared = vec!["decisions".into()];
    fields.is_coarse = true;
    assert!(stat(&fields).contains("\nnot compared: decisions\nthe comparison was cut short"));
}

/// Prompts that differ only in a decision.
fn decided() -> Difference {
    let made = |outcome| {
        let made = Made::new("a").message(Role::User).directive("Go.\n");
        made.decision(Slot::UserHooksBefore, "web_rules", outcome, "its condition does not hold").0
    };
    difference(&made(DecisionOutcome::ConditionFalse), &made(DecisionOutcome::Missing))
}

#[test]
fn decisions_are_listed_even_if_the_prompts_are_the_same() {
    let difference = decided();
    let text = shown(&difference, &view(80));
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].contains("the prompts are the same, "), "{text}");
    assert!(lines[2].starts_with("━━ decisions ") && text.contains("condition false → missing"), "{text}");
    let stat = shown(&difference, &DiffView { format: DiffFormat::Stat, ..view(80) });
    assert_eq!(stat, "the prompts are the same; 1 decision differs\n");
}

#[test]
fn an_appended_line_is_the_only_difference() {
    let made = |text| Made::new("a").message(Role::System).item(Slot::SystemChain, "project", "x", text).0;
    let text = shown(&difference(&made("one\nmore"), &made("one\nmore\nextra line")), &view(80));
    let lines: Vec<_> = text.lines().filter(|line| line.starts_with('│')).collect();
    assert_eq!(lines, ["│   one", "│   more", "│ + extra line"]);
}

#[test]
fn an_intact_prefix_has_no_minimum_length() {
    let mut difference = decided();
    let said = |difference: &Difference| summary::cache(difference, str::to_string);
    assert!(difference.cache.breaks_at.is_none() && difference.cache.is_reusable == Some(false));
    assert_eq!(said(&difference), "the prefix is intact, 4 bytes");
    difference.cache.is_reusable = Some(true);
    assert_eq!(said(&difference), "the prefix is intact, 4 bytes; 1 token can be reused");
}

#[test]
fn long_lines_of_many_layers_cost_no_more_than_those_of_one() {
    let line = |word: &str, at| format!("{at} {word} {}\n", "and so on ".repeat(980));
    let made = |word| {
        let text: String = (0..8).map(|at| line(word, at)).collect();
        let empty = Made::new("a").message(Role::System);
        let all = |made: Made, at| made.item(Slot::SystemChain, "project", &format!("layer/{at}"), &text);
        (0..60).fold(empty, all).0
    };
    let difference = difference(&made("old"), &made("new"));
    for side_by_side in [false, true] {
        let started = std::time::Instant::now();
        let text = shown(&difference, &DiffView { side_by_side, ..view(120) });
        // Unoptimised builds take longer.
        let most = std::time::Duration::from_secs(if cfg!(debug_assertions) { 60 } else { 8 });
        assert!(started.elapsed() < most, "{:?}", started.elapsed());
        assert!(text.contains("\n  the word comparison was cut short: "));
    }
}

proptest! {
    #[test]
    fn any_texts_at_any_width(
        left in "([a-c \t\u{1b}日\u{301}]|👩‍👩‍👧|\r?\n|\\[-|\\+\\}){0,40}",
        right in "([a-c \t\u{1b}日\u{301}]|👩‍👩‍👧|\r?\n|\\{\\+|-\\]){0,40}",
        width in 0usize..130,
        context in 0usize..4,
        kind in 0..3,
    ) {
        let comparer = crate::answer::diff::lines::Comparer::new(Default::default());
        let changes = comparer.changes(&left, &right);
        let screen = Screen::terminal(width);
        let asked = DiffView { side_by_side: kind == 1, word_diff: kind == 2, context, screen, ..view(width) };
        let mut out = Vec::new();
        let view = fitted(&asked);
        let mut report = Report::new(view.screen, &mut out);
        Hunks::new("x", &left, &right, &changes, &Refiner::default()).report(&view, &mut report);
        let text = String::from_utf8(out).unwrap();
        prop_assert!(!text.contains(is_hidden));
        prop_assert_eq!(text.is_empty(), left == right);
    }
}
