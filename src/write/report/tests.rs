use super::*;

/// What a report of `width` columns is, without colours.
fn written(width: usize, write: impl FnOnce(&mut Report)) -> String {
    let mut out = Vec::new();
    write(&mut Report::new(Screen::plain(width), &mut out));
    String::from_utf8(out).unwrap()
}

#[test]
fn text_without_room_goes_to_the_next_line() {
    let spread = |width| written(width, |report| report.ends("-", PLAIN, "┌ ", (PLAIN, "東京"), (PLAIN, "12 tokens")));
    assert_eq!(spread(20), "┌ 東京 --- 12 tokens\n");
    assert_eq!(spread(18), "┌ 東京 - 12 tokens\n");
    assert_eq!(spread(17), "┌ 東京\n        12 tokens\n");
}

#[test]
fn glued_words_stay_together_where_a_line_has_room() {
    let line = || word(PLAIN, "one").word(PLAIN, "two").glued().word(PLAIN, "three");
    let glued = |width| written(width, |report| report.line("", "", line()));
    assert_eq!(glued(10), "one\ntwo three\n");
    assert_eq!(glued(8), "one two\nthree\n");
}

#[test]
fn words_wrap_and_long_ones_get_their_own_line() {
    let line = words(PLAIN, "one two three four a/very/long/path/that/is/whole:12 five");
    assert_eq!(
        written(20, |report| report.line("└ ", "    ", line)),
        "└ one two three four\n    a/very/long/path/that/is/whole:12\n    five\n"
    );
}

#[test]
fn the_second_column_goes_where_it_fits() {
    let columns = |left, right| {
        let texts = [words(PLAIN, left), words(PLAIN, right)];
        written(24, |report| report.columns(PLAIN, "└─ ", "     ", 12, texts))
    };
    assert_eq!(columns("a", "p x.md"), "└─ a        p x.md\n");
    assert_eq!(columns("a", "p a/long/x.md"), "└─ a       p a/long/x.md\n");
    assert_eq!(columns("a long one", "p x.md"), "└─ a long one  p x.md\n");
    assert_eq!(columns("a long one", "p a/long/x.md"), "└─ a long one\n     p a/long/x.md\n");
    assert_eq!(columns("a", ""), "└─ a\n");
}
