use std::sync::Arc;
use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;
use crate::answer::explain::testing::shop;
use crate::prompt::Role;
use crate::prompt::testing::{deploy, source, user};
use crate::text::{InputFrom, Traced};

/// The first and the last line of a range, counted the simple way.
fn plainly(span: &Span) -> (usize, usize) {
    let before = |end: usize| span.source().text()[..end].matches('\n').count() + 1;
    let range = span.range();
    let last = range.end - usize::from(span.text().ends_with('\n'));
    (before(range.start), before(last.max(range.start)))
}

fn assert_exact(message: &Message) {
    let all: Vec<MessageLine> = lines(message).collect();
    let pieces: String = all.iter().flat_map(|line| &line.pieces).map(|piece| piece.text).collect();
    assert_eq!(pieces, message.text());
    let mut joined = all.iter().map(|line| line.text).collect::<Vec<_>>().join("\n");
    if message.text().ends_with('\n') {
        joined.push('\n');
    }
    assert_eq!(joined, message.text());
    assert_eq!(all.len(), line_count(message.text()));
    for (index, line) in all.iter().enumerate() {
        assert_eq!(line.number, index + 1);
        assert!(message.text()[line.at..].starts_with(line.text));
        for piece in &line.pieces {
            assert!(!piece.text.is_empty() && message.text()[piece.at..].starts_with(piece.text));
            if let Origin::File(span) = &piece.origin {
                assert_eq!(span.text(), piece.text);
            }
            assert_eq!(piece.lines, piece.span().map(plainly));
        }
    }
}

fn line_asked(
    prompt: &Prompt,
    typed: &[&str],
    grep: Option<&str>,
    role: Option<Role>,
) -> Result<Vec<(usize, usize)>, String> {
    let typed: Vec<String> = typed.iter().map(ToString::to_string).collect();
    let lines = LineSelection::new(prompt, LineQuery { lines: &typed, grep, role }).map_err(|error| error.message())?;
    let of_it =
        |picked: &SelectedLines| picked.of(prompt).map(|line| (picked.message, line.number)).collect::<Vec<_>>();
    Ok(lines.picked.iter().flat_map(of_it).collect())
}

#[test]
fn whole_prompts_are_reported_line_by_line() {
    for prompt in [deploy(), shop().0, user(""), user("\n"), user("a\n\n"), user("\n\na")] {
        prompt.messages.iter().for_each(assert_exact);
    }
}

#[test]
fn lines_are_selected_by_number() {
    let prompt = deploy();
    let asked = |typed: &[&str]| line_asked(&prompt, typed, None, None);
    assert_eq!(asked(&["1"]), Ok(vec![(0, 1), (1, 1)]));
    assert_eq!(asked(&["system:1-2", "user:2", "system:2-2"]), Ok(vec![(0, 1), (0, 2), (1, 2)]));
    assert_eq!(asked(&["user:7-99"]), Ok(vec![(1, 7), (1, 8)]));
    assert_eq!(asked(&["4-5"]), Ok(vec![(0, 4), (1, 4), (1, 5)]));
    for refused in ["", "0", "5-4", "-", "a", "+1", "tool:1", "user:", "1-2-3", "99999999999999999999"] {
        assert!(asked(&[refused]).unwrap_err().contains("not a line of a message"), "{refused}");
    }
    assert_eq!(asked(&["system:5"]).unwrap_err(), "--line system:5: no such line");
}

#[test]
fn lines_are_selected_by_pattern() {
    let prompt = deploy();
    let asked = |pattern, role| line_asked(&prompt, &[], Some(pattern), role);
    assert_eq!(asked("^Never|Stop", None), Ok(vec![(0, 3), (1, 8)]));
    assert_eq!(asked("^Never|Stop", Some(Role::User)), Ok(vec![(1, 8)]));
    assert_eq!(asked("\n", None), Ok(Vec::new()));
    assert_eq!(line_asked(&prompt, &["1-3"], Some("e"), Some(Role::System)), Ok(vec![(0, 1), (0, 3)]));
    assert_eq!(
        asked("a(b", None).unwrap_err(),
        "--grep a(b: not a valid regular expression: unclosed group, at character 2"
    );
    assert!(asked("(x{1000}){1000}", None).unwrap_err().contains("too large"));
    assert!(asked(&"(".repeat(100_000), None).is_err());
}

#[test]
fn a_long_message_takes_one_pass() {
    let text = "a line of text\r\n\r\n".repeat(300_000);
    let file = source("project", ".ai/knowledge/long.md", &text);
    let mut message = Message::new(Role::User);
    message.push(&Traced::file(&file.whole()), None);
    message.push(&Traced::of(&"\n".repeat(300_000), Origin::Derived(file.whole())), None);
    let start = Instant::now();
    assert_eq!(lines(&message).count(), 900_000);
    assert_eq!(lines(&message).nth(599_999).unwrap().pieces[0].lines, Some((600_000, 600_000)));
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_layer_knows_its_lines() {
    let prompt = deploy();
    let of = |layer: usize| layer_positions(&prompt)[layer].as_ref().map(|it| (it.message, it.lines.clone()));
    assert_eq!(of(1), Some((0, 3..=4)));
    assert_eq!(of(3), Some((1, 5..=8)));
}

proptest! {
    #[test]
    fn every_byte_is_reported_with_its_line(
        parts in prop::collection::vec(("([ab]|é|\r\n|\n|\r){0,12}", 0usize..5, 0usize..4, 0usize..4), 1..12),
    ) {
        let mut message = Message::new(Role::User);
        for (index, (text, kind, skip, layer)) in parts.iter().enumerate() {
            let file = source("project", &format!("{index}.md"), text);
            let start = file.text().char_indices().map(|(at, _)| at).nth(*skip).unwrap_or(0);
            let span = file.span(start..file.text().len());
            let origin = match kind {
                0 | 1 => Origin::File(span.clone()),
                2 => Origin::Derived(file.whole()),
                3 => Origin::Input { name: "x".into(), from: InputFrom::Default, source: Some(span.clone()) },
                _ => Origin::Protocol,
            };
            message.push(&Traced::of(span.text(), origin), Some(*layer).filter(|layer| *layer > 0));
        }
        assert_exact(&message);
    }
}

#[test]
fn pieces_of_one_line_of_a_file_belong_together() {
    let file = source("project", "a.md", "one two\nthree");
    let piece = |range: std::ops::Range<usize>| {
        let span = file.span(range);
        OriginPiece {
            at: 0,
            text: "",
            layer: None,
            lines: Some((span.line(), span.last_line())),
            origin: Origin::File(span),
        }
    };
    assert!(piece(0..3).has_same_origin(&piece(4..7)));
    assert!(!piece(0..3).has_same_origin(&piece(8..9)));
    let other = OriginPiece { origin: Origin::Derived(Arc::clone(&file).whole()), ..piece(0..3) };
    assert!(!piece(0..3).has_same_origin(&other));
}
