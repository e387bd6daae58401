use super::*;
use crate::answer::diff::DiffFormat;
use crate::answer::impact::testing::impact;
use crate::answer::impact::{Affected, ChangedPrompt};
use crate::text::tokens::Tokenizer;
use crate::write::markdown::length;
use crate::write::markdown::testing::{HOSTILE, assert_inert, cells, outside_code, outside_fences};
use crate::write::page::testing::text_of;
use crate::write::screen::Screen;

fn view() -> DiffView {
    DiffView {
        format: DiffFormat::Markdown,
        context: 3,
        side_by_side: false,
        word_diff: false,
        tokenizer: Tokenizer::Chars4,
        screen: Screen::plain(80),
    }
}

fn shown(impact: &Impact) -> String {
    let mut out = Vec::new();
    crate::answer::impact::write(impact, &view(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn causes_prompts_and_failures() {
    insta::assert_snapshot!("impact", shown(&impact(str::to_string)));
}

#[test]
fn text_markdown_and_html_say_the_same() {
    let impact = impact(str::to_string);
    for format in [DiffFormat::Text, DiffFormat::Markdown, DiffFormat::Html] {
        let mut out = Vec::new();
        crate::answer::impact::write(&impact, &DiffView { format, screen: Screen::plain(200), ..view() }, &mut out)
            .unwrap();
        let text = String::from_utf8(out).unwrap();
        let text = if format == DiffFormat::Html { text_of(&text) } else { text };
        for sentence in [impact.verdict(), impact.cost().unwrap()] {
            assert!(text.contains(&sentence), "{}: {sentence}\n{text}", format.into_str());
        }
    }
}

#[test]
fn nothing_differs() {
    let mut impact = impact(str::to_string);
    impact.changed.clear();
    impact.failed.clear();
    impact.causes.clear();
    assert_eq!(shown(&impact), "### Prompts: `main` → `working tree`\n\n**None of 41 prompts changed**.\n");
}

#[test]
fn hostile_names_break_nothing() {
    for name in HOSTILE {
        let out = shown(&impact(|_| name.to_string()));
        assert_inert(&out);
        let rows: Vec<_> =
            outside_fences(&out).lines().filter(|line| line.starts_with('|')).map(str::to_string).collect();
        assert_eq!(rows.len(), 4 + 3 + 3 + 3, "{out}");
        for row in &rows {
            let count = cells(row).len();
            assert!(count == 5 || count == 3, "{row}");
            assert!(cells(row).iter().all(|cell| !outside_code(cell).contains('`')), "{row}");
        }
        assert_eq!(outside_fences(&out).lines().filter(|line| line.starts_with('#')).count(), 5, "{out}");
    }
}

#[test]
fn thousands_of_prompts_fit_a_github_comment() {
    for (prompts, causes) in [(50, 2), (150, 1), (1_000, 40), (5_000, 3), (1, 2_000)] {
        let mut all = impact(|name| format!("{name}{}", "@x`|".repeat(60)));
        let first = all.changed[0].clone();
        all.changed =
            (0..prompts).map(|at| ChangedPrompt { id: format!("{at}/{}", first.id), ..first.clone() }).collect();
        let affected = all.causes[0].prompts[0].clone();
        let of_cause = |_| Cause {
            what: all.causes[0].what.clone(),
            prompts: (0..prompts).map(|prompt| Affected { prompt, ..affected.clone() }).collect(),
            shown: None,
        };
        let mut more: Vec<_> = (1..causes).map(of_cause).collect();
        all.causes.truncate(1);
        all.causes[0].prompts = (0..prompts).map(|prompt| Affected { prompt, ..affected.clone() }).collect();
        all.causes.append(&mut more);
        let failed = all.failed[0].clone();
        all.failed = vec![failed; prompts];
        let out = shown(&all);
        assert!(length(&out) < 65_536, "{}", length(&out));
        assert_inert(&out);
        // Everything left out is counted.
        let text = outside_fences(&out);
        let headings = text.lines().filter(|line| line.starts_with("#### ") && !line.contains("left out")).count() - 1;
        if headings < causes {
            let left_out = crate::text::numbers::count(causes - headings, "more cause");
            assert!(text.contains(&format!("#### … and {left_out} left out\n")), "{left_out}");
        }
        if prompts > 100 {
            let rows = text
                .lines()
                .take_while(|line| !line.starts_with("| … and"))
                .filter(|line| line.starts_with("| `"))
                .count();
            assert!(
                text.contains(&format!(
                    "| … and {} more | left out |",
                    crate::text::numbers::thousands(prompts - rows)
                ))
            );
        }
    }
}
