use super::*;
use crate::answer::explain::ExplainFormat;
use crate::prompt::testing::{deploy, directive, empty, resumed, source, user};
use crate::prompt::{Decision, DecisionOutcome, Role};
use crate::text::tokens::Tokenizer;
use crate::write::markdown::testing::{HOSTILE, assert_inert, cells, outside_code};
use crate::write::screen::Screen;

fn shown(prompt: &Prompt, window: Option<usize>) -> String {
    let view = ExplainView {
        format: ExplainFormat::Markdown,
        role: None,
        tokenizer: Tokenizer::Chars4,
        window,
        screen: Screen::plain(80),
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

#[test]
fn hostile_names_break_nothing() {
    for name in HOSTILE {
        let file = source("project", &format!(".ai/directives/{name}.md"), "x");
        let mut prompt = user("text");
        directive(&mut prompt).id = name.to_string();
        prompt.protocol = name.to_string();
        prompt.model.effective = name.to_string();
        let by = Some(Declared { by: name.to_string(), span: Some(file.whole()) });
        prompt.decisions = [DecisionOutcome::Suppressed, DecisionOutcome::Included]
            .map(|outcome| Decision {
                name: name.to_string(),
                slot: Slot::UserChainBefore,
                outcome,
                why: name.to_string(),
                by: by.clone(),
                declared_by: by.clone(),
                item: None,
                condition: None,
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
        // Outside fences, none of it is interpreted as Markdown.
        let before = out.split("<details>\n<summary>1 message").next().unwrap();
        assert_inert(before);
        assert_eq!(before.lines().filter(|line| line.starts_with('#')).count(), 2, "{before}");
    }
}

#[test]
fn a_text_cannot_end_its_fence() {
    for text in ["```\n</details>\n@octocat", "a\n`````\nb", "~~~\n", "", "ends\n"] {
        let out = shown(&user(text), None);
        let fence = fence(text);
        let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        let expected = format!("{fence}text\n{text}{end}{fence}\n\n</details>\n");
        assert!(out.ends_with(&expected), "{out}");
        assert!(!text.contains(&fence));
    }
}
