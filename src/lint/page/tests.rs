mod evidence;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use strum::VariantArray;
use unicode_width::UnicodeWidthStr;

use super::*;
use crate::lint::rule::ExampleFile;
use crate::lint::{FixKind, Group, RULES};
use crate::text::visible::is_hidden;
use crate::write::markdown::prose;

/// The format of a page, which the build script parses.
#[path = "../../../build/rule_page.rs"]
mod rule_page;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/rules")
}

/// The list of all rules by group.
fn index() -> String {
    let tables = Group::VARIANTS.iter().map(|group| {
        let rows = RULES.iter().filter(|rule| rule.group == *group).map(|rule| {
            let fix = match rule.fix {
                FixKind::None => "",
                FixKind::SamePrompt => "✓",
                FixKind::ChangesPrompt => "✎",
            };
            let message = prose(rule.message).replace('|', "\\|");
            format!("| [{0}]({0}.md) | {1} | {2} | {fix} | {message} |\n", rule.code, rule.name, rule.level.into_str())
        });
        let heading = format!("\n## {}\n\n", capitalised(group.into_str()));
        heading
            + "| code | name | level | `--fix` | finds |\n| --- | --- | --- | --- | --- |\n"
            + &rows.collect::<String>()
    });
    tables.collect()
}

/// `UPDATE_RULES=1 cargo test --lib page` regenerates the tables.
#[test]
fn the_index_matches_the_pages() {
    let path = folder().join("README.md");
    let text = fs::read_to_string(&path).unwrap();
    let introduction = text.split_once("\n## ").map_or(&*text, |(introduction, _)| introduction);
    let expected = format!("{introduction}{}", index());
    if std::env::var_os("UPDATE_RULES").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let text = fs::read_to_string(&path).unwrap();
    assert!(text == expected, "docs/rules/README.md is out of date; run UPDATE_RULES=1 cargo test --lib page");
}

#[test]
fn each_rule_has_a_page_and_there_are_no_others() {
    let names = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let expected = RULES.iter().map(|rule| format!("{}.md", rule.code)).chain(["README.md".to_string()]);
    assert_eq!(names.collect::<BTreeSet<_>>(), expected.collect());
}

/// Unescaped text would become HTML or emphasis in Markdown, and hidden characters must be written by name.
#[test]
fn pages_read_the_same_as_markdown() {
    for rule in RULES.iter() {
        let page = fs::read_to_string(folder().join(format!("{}.md", rule.code))).unwrap();
        assert!(!page.contains(|c| is_hidden(c) || c == '\u{200b}'), "{}", rule.code);
        let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
        for text in rule.rationale.split("\n\n").chain([rule.help, rule.message.get(1..).unwrap()]) {
            assert!(words.contains(&prose(text)), "{}: write\n{}", rule.code, prose(text));
        }
    }
}

const PAGE: &str = r"# RR999 a_rule

YAML that `a.b` or a \<directive>
spoils.

| group | level | since | `--fix` |
| --- | --- | --- | --- |
| lint | off unless selected | 0.1.0 | yes, but it changes the prompt |

It *\*matters\** because of `\`.

So it does.

**What to do**: write \`\`\`xml.

## Bad

`.ai/a.md`:

````md
```
It turns: <U+202E>

````

`user .ai/b.md`:

```md
```

`.ai/c.md` is a link to `../c.md`.

## Good

`.ai/a.md`:

```md
Good.
```

`user .ai/b.md` as above.

`.ai/c.md` is removed.
";

#[test]
fn a_page_becomes_a_constant() {
    insta::assert_snapshot!("constant", rule_page::constant("RR999", PAGE).unwrap().replace(", ", ",\n"));
}

#[test]
fn an_invalid_page_is_refused_with_its_line() {
    let fault = |from: &str, to: &str| {
        assert!(PAGE.contains(from), "{from}");
        let (line, what) = rule_page::constant("RR999", &PAGE.replacen(from, to, 1)).unwrap_err();
        format!("{line}: {what}")
    };
    let faults = [
        fault("RR999", "RR998"),
        fault("| lint", "| lunt"),
        fault(" since |", ""),
        fault("**What to do**", "To do"),
        fault("## Good", "## Fine"),
        fault("`user .ai/b.md`:", "b.md:"),
        fault("\n```md\n```\n", ""),
        fault("Good.\n```", "Good."),
        fault("`user .ai/b.md` as", "`.ai/b.md` as"),
        fault("`.ai/c.md` is removed.\n", ""),
        fault("```md\nGood.\n```", "````md\n```\nIt turns: <U+202E>\n\n````"),
    ];
    insta::assert_snapshot!("errors", faults.join("\n"));
}

#[test]
fn no_page_controls_a_terminal_or_is_too_wide() {
    for rule in RULES.iter() {
        let page = text(rule, Screen::plain(80));
        assert!(!page.contains(is_hidden), "{}", rule.code);
        for line in page.lines().filter(|line| !line.starts_with('│') && !line.contains(".ai/")) {
            assert!(line.width() <= 80, "{}: {line}", rule.code);
        }
        assert!(text(rule, Screen::coloured(80)).contains("\u{1b}["));
    }
}

#[test]
fn a_rule_is_laid_out_for_a_terminal() {
    const BAD: &[ExampleFile] = &[
        ExampleFile { name: ".ai/directives/a.md", text: "```xml\n<directive/>\n```\n" },
        ExampleFile { name: "user .ai/knowledge/b.md", text: "It turns: \u{202e}\n" },
    ];
    let rule = Rule {
        message: "a `<suppress>` or a <directive> that names *",
        help: "write a line ```xml",
        bad: RuleExample { files: BAD, unchanged: &[], removed: &[] },
        good: RuleExample {
            files: &[ExampleFile { name: ".ai/directives/a.md", text: "Good.\n" }],
            unchanged: &["user .ai/knowledge/b.md"],
            removed: &[],
        },
        ..crate::lint::view::tests::rule("RR999", "a_rule", Group::Lint, Level::Off, FixKind::ChangesPrompt)
    };
    insta::assert_snapshot!("text", text(&rule, Screen::plain(80)));
}
