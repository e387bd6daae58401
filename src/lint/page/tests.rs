use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use unicode_width::UnicodeWidthStr;

use super::*;
use crate::lint::testing;
use crate::lint::{Group, RULES};
use crate::text::visible::is_hidden;
use crate::theme::Theme;

/// `UPDATE_RULES=1 cargo test --lib page` writes the pages anew.
#[test]
fn the_checked_in_pages_are_those_of_the_rules() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/rules");
    let pages = RULES.iter().map(|rule| (format!("{}.md", rule.code), markdown(rule)));
    let pages: Vec<_> = pages.chain([("README.md".to_string(), index())]).collect();
    if std::env::var_os("UPDATE_RULES").is_some() {
        // What no rule has any more goes.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in &pages {
            fs::write(folder.join(name), text).unwrap();
        }
    }
    for (name, text) in &pages {
        let there = fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(there == *text, "docs/rules/{name} is not current: UPDATE_RULES=1 cargo test --lib page");
    }
    let there = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names: BTreeSet<_> = pages.into_iter().map(|(name, _)| name).collect();
    assert_eq!(there.collect::<BTreeSet<_>>(), names, "a page of no rule");
}

#[test]
fn pages_show_the_files_of_examples() {
    for rule in RULES.iter() {
        for example in [rule.bad, rule.good] {
            let shown: Vec<_> = files(example).map(|(_, text)| text.to_string()).collect();
            let linted = testing::files(example).into_iter();
            let linted = linted.map(|(.., bytes)| {
                let latin_1 = |bytes: Vec<u8>| bytes.into_iter().map(char::from).collect();
                let text: String = String::from_utf8(bytes).unwrap_or_else(|error| latin_1(error.into_bytes()));
                text.strip_suffix('\n').map(str::to_string).unwrap_or(text)
            });
            assert_eq!(shown, linted.collect::<Vec<_>>(), "{}", rule.code);
        }
        let Changed { files, gone, .. } = changed(rule);
        assert!(!files.is_empty() || !gone.is_empty(), "{}: the good example differs in no file", rule.code);
    }
}

#[test]
fn nothing_of_a_page_acts_on_a_terminal_or_is_too_wide() {
    for rule in RULES.iter() {
        let page = text(rule, Theme::Plain, 80);
        assert!(!page.contains(is_hidden), "{}", rule.code);
        for line in page.lines().filter(|line| !line.starts_with('│') && !line.contains(".ai/")) {
            assert!(line.width() <= 80, "{}: {line}", rule.code);
        }
        assert!(text(rule, Theme::Coloured, 80).contains("\u{1b}["));
    }
}

#[test]
fn a_rule_in_both_forms() {
    let bad = "=== .ai/directives/a.md\n```xml\n<directive/>\n```\n=== user:.ai/knowledge/b.md\nIt turns: \u{202e}\n";
    let rule = Rule {
        message: "a `<suppress>` or a <directive> that names *",
        help: "write a line ```xml",
        bad: Example(bad),
        good: Example("=== .ai/directives/a.md\nGood.\n=== user:.ai/knowledge/b.md\nIt turns: \u{202e}\n"),
        ..crate::lint::view::tests::rule("RR999", "a_rule", Group::Lint, Level::Off, FixKind::ChangesPrompt)
    };
    insta::assert_snapshot!("text", text(&rule, Theme::Plain, 80));
    insta::assert_snapshot!("markdown", markdown(&rule));
}
