use super::*;
use crate::answer::diff::DiffOptions;
use crate::answer::diff::testing::{Made, added, after, changed, difference, long, odd, removed, same, with_sent};
use crate::answer::diff::{DiffFormat, Pair, Side};
use crate::prompt::{DecisionOutcome, Role, Slot};
use crate::text::tokens::Tokenizer;
use crate::write::markdown::length;
use crate::write::markdown::testing::{HOSTILE, assert_inert, cells, outside_code, outside_fences};
use crate::write::screen::Screen;

fn shown(difference: &Difference, context: usize) -> String {
    let view = DiffView {
        format: DiffFormat::Markdown,
        context,
        side_by_side: false,
        word_diff: false,
        tokenizer: Tokenizer::Chars4,
        screen: Screen::plain(80),
    };
    let mut out = Vec::new();
    crate::answer::diff::write(difference, &view, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn every_kind_of_difference() {
    insta::assert_snapshot!("changed", shown(&changed(), 3));
}

#[test]
fn a_prompt_on_one_side_alone() {
    insta::assert_snapshot!("added", shown(&added(), 3));
    let removed = shown(&removed(), 3);
    assert!(removed.contains("the prompt was removed: `deploy` does not exist"), "{removed}");
    assert!(!removed.contains("Cache"), "{removed}");
}

#[test]
fn what_was_sent_and_odd_texts() {
    insta::assert_snapshot!("sent", shown(&with_sent(), 1));
    insta::assert_snapshot!("odd", shown(&odd(), 3));
    assert_inert(&shown(&odd(), 3));
}

#[test]
fn nothing_differs() {
    let out = shown(&same(), 3);
    assert!(out.starts_with("### `HEAD:deploy` → `deploy`\n\n**The prompts are the same.** "), "{out}");
    assert_eq!(out.lines().count(), 3);
}

#[test]
fn only_context_lines_are_shown() {
    let out = shown(&long(), 0);
    let hunks: Vec<_> = out.lines().filter(|line| line.starts_with("@@ ")).collect();
    assert_eq!(hunks, ["@@ -7,2 +7,2 @@", "@@ -200 +200 @@", "@@ -390 +390 @@", "@@ -401 +401 @@"]);
    assert!(!out.contains("left out"));
}

#[test]
fn hostile_names_and_texts_break_nothing() {
    for name in HOSTILE {
        let made = |other: &str| {
            let text = format!("{name}\n```\n</details>\n@octocat {other}\n~~~\n`````\r```\n<img>");
            Made::new("x")
                .fields(&format!("{name}{other}"), 1, name, &[name, other])
                .parent("project", &format!("{name}{other}"))
                .message(Role::System)
                .item(Slot::SystemChain, "project", name, &text)
                .message(Role::User)
                .item(Slot::UserChainBefore, "user", name, &text)
                .decision(
                    Slot::SystemChain,
                    name,
                    if other == "a" { DecisionOutcome::Missing } else { DecisionOutcome::Empty },
                    name,
                )
                .tool(&format!("{name}{other}"), &text, r#"{"type": "object"}"#)
                .0
        };
        let side = |other: &str| {
            let mut side = Side::rendered(&made(other), name.to_string());
            side.layers.iter_mut().for_each(|layer| layer.title = name.to_string());
            side
        };
        let out = shown(&Difference::new(side("a"), side("b"), &DiffOptions::default()), 3);
        assert_inert(&out);
        let text = outside_fences(&out);
        let rows: Vec<_> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert!(rows.len() > 7, "{out}");
        for row in rows {
            assert_eq!(cells(row).len(), 5, "{row}");
            assert!(cells(row).iter().all(|cell| !outside_code(cell).contains('`')), "{row}");
        }
        assert_eq!(text.lines().filter(|line| line.starts_with('#')).count(), 1, "{out}");
        let folds = |tag| text.lines().filter(|line| *line == tag).count();
        assert_eq!(folds("<details>"), folds("</details>"));
    }
}

/// A prompt with layers whose lines all differ.
fn large(layers: usize, lines: usize, apart: usize) -> Difference {
    let made = |other: &str| {
        let text: String = (0..lines * apart)
            .map(|at| if at % apart == 0 { format!("{other} {at}\n") } else { "same\n".into() })
            .collect();
        let empty = Made::new("x").message(Role::System);
        let all =
            (0..layers).fold(empty, |made, at| made.item(Slot::SystemChain, "project", &format!("layer/{at}"), &text));
        all.message(Role::User).directive("Go.\n").0
    };
    difference(&made("this is the old line"), &made("this is the new line"))
}

#[test]
fn output_fits_a_github_comment_and_counts_what_is_left_out() {
    for (layers, lines, apart) in
        [(1, 200, 1), (1, 4_000, 1), (1, 2_000, 10), (3, 700, 10), (2_000, 1, 1), (40, 60, 20)]
    {
        let difference = large(layers, lines, apart);
        let out = shown(&difference, 3);
        assert!(length(&out) < 65_536, "{}", length(&out));
        let all: usize = difference
            .layers
            .iter()
            .map(|pair| {
                crate::answer::diff::hunks::hunks(&pair.lines, Pair { left: lines * apart, right: lines * apart }, 3)
                    .len()
            })
            .sum();
        let headings = out.lines().filter(|line| line.starts_with("@@ ")).count();
        match all - headings {
            0 => assert!(!out.contains("hunks are left out") && !out.contains("hunk is left out"), "{out}"),
            left_out => {
                let said = format!("**{} of {}", crate::text::numbers::thousands(left_out), count(all, "hunk"));
                assert!(out.contains(&said), "{said}");
            }
        }
        // Each hunk is whole.
        let removed = out.lines().filter(|line| line.starts_with("-this")).count();
        assert_eq!(removed, out.lines().filter(|line| line.starts_with("+this")).count());
        assert_inert(&out);
        let rows = out.lines().filter(|line| line.starts_with("| `")).count();
        if rows < layers {
            assert!(
                out.contains(&format!("| … and {} more | left out |", crate::text::numbers::thousands(layers - rows)))
            );
        }
    }
    assert!(!shown(&large(1, 200, 1), 3).contains("left out"));
}

#[test]
fn long_names_are_cut() {
    let mut difference = difference(&after(), &after());
    difference.left.title = "x".repeat(100_000);
    assert!(shown(&difference, 3).len() < 500);
}
