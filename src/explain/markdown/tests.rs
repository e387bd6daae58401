use super::*;
use crate::explain::Format;
use crate::prompt::testing::{deploy, empty, resumed, source, user};
use crate::prompt::{Decision, Outcome, Role};
use crate::theme::Theme;
use crate::tokens::Tokenizer;

fn shown(prompt: &Prompt, window: Option<u64>) -> String {
    let view = View {
        format: Format::Markdown,
        role: None,
        tokenizer: Tokenizer::Chars4,
        window,
        visible: false,
        theme: Theme::Plain,
        width: 80,
    };
    let mut out = Vec::new();
    write(prompt, &view, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_prompt_with_some_of_everything() {
    insta::assert_snapshot!("everything", shown(&deploy(), Some(200)));
}

#[test]
fn a_resumed_thread_and_no_message() {
    insta::assert_snapshot!("resumed", shown(&resumed(&[Role::System, Role::User, Role::Assistant, Role::User]), None));
    insta::assert_snapshot!("empty", shown(&empty(&source("project", ".ai/directives/x.md", "x")), None));
}

/// The cells of a line as GitHub takes it apart: at pipes that no backslash stands before.
fn cells(line: &str) -> Vec<&str> {
    let mut cells = Vec::new();
    let mut start = 0;
    for (at, _) in line.match_indices('|').filter(|(at, _)| !line[..*at].ends_with('\\')) {
        cells.push(&line[start..at]);
        start = at + 1;
    }
    cells
}

/// A line without its code spans, found as CommonMark finds them: an equal run of backticks ends what one begins.
fn outside_code(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        out.push_str(&rest[..start]);
        let ticks = rest[start..].len() - rest[start..].trim_start_matches('`').len();
        let inner = &rest[start + ticks..];
        let mut at = 0;
        rest = loop {
            let Some(next) = inner[at..].find('`').map(|next| at + next) else { break inner };
            let run = inner[next..].len() - inner[next..].trim_start_matches('`').len();
            if run == ticks {
                break &inner[next + run..];
            }
            at = next + run;
        };
    }
    out + rest
}

#[test]
fn hostile_names_break_nothing() {
    let hostile = [
        "a | b",
        "a \\| b",
        "a\\",
        "`",
        "``",
        "a` | @everyone `b",
        "@octocat",
        "</details><img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "https://example.com #1 octocat/repo#1",
        "a\n| b | c |\n# heading",
        "\u{202e}reversed\u{1b}[31m",
        " ",
        "",
    ];
    for name in hostile {
        let file = source("project", &format!(".ai/directives/{name}.md"), "x");
        let mut prompt = user("text");
        prompt.directive.id = name.to_string();
        prompt.protocol = name.to_string();
        prompt.model.effective = name.to_string();
        let by = Some(Declared { by: name.to_string(), span: Some(file.whole()) });
        prompt.decisions = [Outcome::Suppressed, Outcome::Included]
            .map(|outcome| Decision {
                name: name.to_string(),
                slot: Slot::UserChainBefore,
                outcome,
                why: name.to_string(),
                by: by.clone(),
                declared_by: by.clone(),
                item: None,
                layer: None,
            })
            .to_vec();
        let out = shown(&prompt, None);
        let table: Vec<_> = out.lines().filter(|line| line.starts_with("| ●") || line.starts_with("| ○")).collect();
        assert_eq!(table.len(), 2, "{out}");
        for line in &table {
            assert_eq!(cells(line).len(), 9, "{line}");
            for cell in cells(line) {
                assert!(!outside_code(cell).contains('`'), "{cell}");
            }
        }
        // Nothing of it stands where Markdown means something, besides what the fence holds.
        let before = out.split("<details>\n<summary>1 message").next().unwrap();
        for line in before.lines().map(outside_code) {
            let bad = ["@", "<", "http", "](", "\u{202e}", "\u{1b}", "octocat", "javascript"];
            assert!(!bad.iter().any(|bad| line.contains(bad)), "{line}");
        }
        assert_eq!(before.lines().filter(|line| line.starts_with('#')).count(), 2, "{before}");
    }
}

#[test]
fn a_text_cannot_end_its_fence() {
    for text in ["```\n</details>\n@octocat", "a\n`````\nb", "~~~\n", "", "ends\n"] {
        let out = shown(&user(text), None);
        let fence: String = "`".repeat(longest_run(text).max(2) + 1);
        let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        let expected = format!("{fence}text\n{text}{end}{fence}\n\n</details>\n");
        assert!(out.ends_with(&expected), "{out}");
        assert!(!text.contains(&fence));
    }
}
