use super::*;
use crate::answer::render::RenderFormat;
use crate::prompt::testing::{deploy, directive, empty, find, push, resumed, source, user};
use crate::prompt::{Declared, Layer, LayerKind, Message, Role, Slot};
use crate::text::Traced;
use crate::text::tokens::Tokenizer;
use crate::text::visible::is_hidden;
use crate::write::screen::Screen;
use crate::write::theme::Theme;

fn shown(prompt: &Prompt, width: usize, role: Option<Role>, theme: Theme) -> String {
    let view = RenderView {
        format: RenderFormat::Text,
        role,
        tokenizer: Tokenizer::Chars4,
        screen: Screen { theme, width, visible: true },
    };
    let mut out = Vec::new();
    write(prompt, &view, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn plain(prompt: &Prompt, width: usize) -> String {
    shown(prompt, width, None, Theme::Plain)
}

fn joined(texts: &[&str]) -> Prompt {
    let file = source("project", ".ai/directives/one.md", "x");
    let mut prompt = empty(&file);
    let mut message = Message::new(Role::User);
    for (index, text) in texts.iter().enumerate() {
        prompt.layers.push(Layer {
            id: index.to_string(),
            message: 0,
            slot: Slot::UserChainBefore,
            kind: LayerKind::Context,
            name: format!("item/{index}"),
            item: None,
            declared_by: None,
            wrap: false,
            bytes: text.len(),
        });
        message.push(&Traced::protocol(text), Some(index));
    }
    prompt.messages.push(message);
    prompt
}

#[test]
fn at_60_columns() {
    insta::assert_snapshot!(plain(&deploy(), 60), @r#"
deploy_staging  rye-3  model sonnet  2 messages  86 tokens
  2 tools
  rye/agent/core/base → deploy_staging

━━ system ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 32 tokens
┌ rye/agent/core/Identity                          17 tokens
│ You are one agent among several that share a folder of knowledge.
└ system:ryeos .ai/knowledge/rye/agent/core/Identity.md:5
  requested by
    system:ryeos .ai/directives/rye/agent/core/base.md:6
· blank line
┌ project/deploy/rules                             15 tokens
│ Never deploy on a Friday.
│ Ask before you touch a database.
└ project .ai/knowledge/project/deploy/rules.md:5-6
  requested by project .ai/directives/deploy_staging.md:9

━━ user ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 54 tokens
┌ hook ctx_environment                             24 tokens
│ <Environment id="rye/agent/core/Environment" type="knowledge">
│ Project: /srv/app
│ </Environment>
└ builtin .ai/knowledge/rye/agent/core/Environment.md:5
  requested by
    builtin .ai/config/agent/hook_conditions.yaml:2
  holds ${project_path}
· blank line
┌ directive deploy_staging                         30 tokens
│ <directive name="deploy_staging">
│ </directive>
│ Roll out to staging and watch the error rate.
│ Stop at the first alarm.
└ project .ai/directives/deploy_staging.md:4-17
  holds input target (default)

━━ tools ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1,880 of 2,000 tokens
  rye_file_system_read                             24 tokens
  directive_return             outside the budget  38 tokens
  1 over budget: rye/file-system/write

2 left out
  rye/agent/core/Behavior in <system>             suppressed
    suppressed by deploy_staging,
    project .ai/directives/deploy_staging.md:10
  hook project_web_rules                     condition false
    directive is "deploy_staging", which does not contain
    "web"
"#);
}

#[test]
fn at_80_columns() {
    insta::assert_snapshot!(plain(&deploy(), 80), @r#"
deploy_staging  rye-3  model sonnet  2 messages  86 tokens  2 tools
  rye/agent/core/base → deploy_staging

━━ system ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 32 tokens
┌ rye/agent/core/Identity                                              17 tokens
│ You are one agent among several that share a folder of knowledge.
└ system:ryeos .ai/knowledge/rye/agent/core/Identity.md:5
  requested by system:ryeos .ai/directives/rye/agent/core/base.md:6
· blank line
┌ project/deploy/rules                                                 15 tokens
│ Never deploy on a Friday.
│ Ask before you touch a database.
└ project .ai/knowledge/project/deploy/rules.md:5-6
  requested by project .ai/directives/deploy_staging.md:9

━━ user ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 54 tokens
┌ hook ctx_environment                                                 24 tokens
│ <Environment id="rye/agent/core/Environment" type="knowledge">
│ Project: /srv/app
│ </Environment>
└ builtin .ai/knowledge/rye/agent/core/Environment.md:5
  requested by builtin .ai/config/agent/hook_conditions.yaml:2
  holds ${project_path}
· blank line
┌ directive deploy_staging                                             30 tokens
│ <directive name="deploy_staging">
│ </directive>
│ Roll out to staging and watch the error rate.
│ Stop at the first alarm.
└ project .ai/directives/deploy_staging.md:4-17
  holds input target (default)

━━ tools ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1,880 of 2,000 tokens
  rye_file_system_read                                                 24 tokens
  directive_return                                 outside the budget  38 tokens
  1 over budget: rye/file-system/write

2 left out
  rye/agent/core/Behavior in <system>                                 suppressed
    suppressed by deploy_staging, project .ai/directives/deploy_staging.md:10
  hook project_web_rules                                         condition false
    directive is "deploy_staging", which does not contain "web"
"#);
}

#[test]
fn at_120_columns() {
    insta::assert_snapshot!(plain(&deploy(), 120), @r#"
deploy_staging  rye-3  model sonnet  2 messages  86 tokens  2 tools
  rye/agent/core/base → deploy_staging

━━ system ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 32 tokens
┌ rye/agent/core/Identity                                                                                      17 tokens
│ You are one agent among several that share a folder of knowledge.
└ system:ryeos .ai/knowledge/rye/agent/core/Identity.md:5
  requested by system:ryeos .ai/directives/rye/agent/core/base.md:6
· blank line
┌ project/deploy/rules                                                                                         15 tokens
│ Never deploy on a Friday.
│ Ask before you touch a database.
└ project .ai/knowledge/project/deploy/rules.md:5-6
  requested by project .ai/directives/deploy_staging.md:9

━━ user ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 54 tokens
┌ hook ctx_environment                                                                                         24 tokens
│ <Environment id="rye/agent/core/Environment" type="knowledge">
│ Project: /srv/app
│ </Environment>
└ builtin .ai/knowledge/rye/agent/core/Environment.md:5
  requested by builtin .ai/config/agent/hook_conditions.yaml:2
  holds ${project_path}
· blank line
┌ directive deploy_staging                                                                                     30 tokens
│ <directive name="deploy_staging">
│ </directive>
│ Roll out to staging and watch the error rate.
│ Stop at the first alarm.
└ project .ai/directives/deploy_staging.md:4-17
  holds input target (default)

━━ tools ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1,880 of 2,000 tokens
  rye_file_system_read                                                                                         24 tokens
  directive_return                                                                         outside the budget  38 tokens
  1 over budget: rye/file-system/write

2 left out
  rye/agent/core/Behavior in <system>                                                                         suppressed
    suppressed by deploy_staging, project .ai/directives/deploy_staging.md:10
  hook project_web_rules                                                                                 condition false
    directive is "deploy_staging", which does not contain "web"
"#);
}

#[test]
fn one_message_can_be_selected() {
    insta::assert_snapshot!(shown(&deploy(), 80, Some(Role::System), Theme::Plain), @r#"
deploy_staging  rye-3  model sonnet  2 messages  86 tokens  2 tools
  rye/agent/core/base → deploy_staging

━━ system ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 32 tokens
┌ rye/agent/core/Identity                                              17 tokens
│ You are one agent among several that share a folder of knowledge.
└ system:ryeos .ai/knowledge/rye/agent/core/Identity.md:5
  requested by system:ryeos .ai/directives/rye/agent/core/base.md:6
· blank line
┌ project/deploy/rules                                                 15 tokens
│ Never deploy on a Friday.
│ Ask before you touch a database.
└ project .ai/knowledge/project/deploy/rules.md:5-6
  requested by project .ai/directives/deploy_staging.md:9

1 left out
  rye/agent/core/Behavior in <system>                                 suppressed
    suppressed by deploy_staging, project .ai/directives/deploy_staging.md:10
"#);
}

#[test]
fn colours_add_nothing_but_escape_sequences() {
    let coloured = shown(&deploy(), 80, None, Theme::Coloured);
    assert!(coloured.contains("\u{1b}[32m"));
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain(&deploy(), 80));
}

#[test]
fn trailing_newlines_and_empty_layers_are_visible() {
    insta::assert_snapshot!(plain(&joined(&["no newline", "one\n", "two\n\n", "", "\nbefore"]), 60), @r#"
one  rye-3  model general  1 message  7 tokens

━━ user ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 7 tokens
┌ item/0                                            3 tokens
│ no newline
└ not from a file
┌ item/1                                             1 token
│ one
│
└ not from a file
  its text ends with a newline
┌ item/2                                            2 tokens
│ two
│
│
└ not from a file
  its text ends with a newline
┌ item/3                                            0 tokens
└ not from a file
  it has no text
┌ item/4                                            2 tokens
│
│ before
└ not from a file
"#);
}

#[test]
fn an_empty_prompt_says_that_there_is_no_message() {
    let file = source("project", ".ai/directives/one.md", "");
    insta::assert_snapshot!(plain(&empty(&file), 60), @r#"
one  rye-3  model general  0 messages  0 tokens

There are no messages.
"#);
    insta::assert_snapshot!(shown(&user("a"), 60, Some(Role::System), Theme::Plain), @r#"
one  rye-3  model general  1 message  1 token

There is no system message.
"#);
}

#[test]
fn separators_of_other_kinds_are_shown() {
    let mut prompt = user("one");
    let file = source("project", ".ai/directives/two.md", "two");
    prompt.messages[0].push(&Traced::protocol("\n---\n"), None);
    let index = prompt.layers.len();
    let layer = Layer { name: "two".to_string(), bytes: 3, ..prompt.layers[0].clone() };
    prompt.layers.push(layer);
    prompt.messages[0].push(&Traced::file(&find(&file, "two")), Some(index));
    insta::assert_snapshot!(plain(&prompt, 60), @r#"
one  rye-3  model general  1 message  3 tokens

━━ user ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3 tokens
┌ directive one                                      1 token
│ one
└ project .ai/directives/one.md:1
┌ between layers                                    2 tokens
│
│ ---
│
└ fixed text of the protocol
┌ directive two                                      1 token
│ two
└ project .ai/directives/two.md:1
"#);
}

#[test]
fn control_characters_are_shown() {
    let mut prompt = user("a\u{1b}[2Jb \u{202e}cba\u{2069}\r\u{feff}");
    directive(&mut prompt).id = "one\u{1b}[31m\n".to_string();
    push(&mut prompt, Slot::UserChainAfter, LayerKind::Context, "x\u{7f}", &Traced::protocol("\u{9b}1m"));
    let text = plain(&prompt, 60);
    assert!(!text.contains(is_hidden));
    insta::assert_snapshot!(text, @r#"
one<U+001B>[31m<U+000A>  rye-3  model general  1 message
  5 tokens

━━ user ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 5 tokens
┌ directive one                                     4 tokens
│ a<U+001B>[2Jb <U+202E>cba<U+2069>
│ <U+FEFF>
└ project .ai/directives/one.md:1-2
· blank line
┌ x<U+007F>                                          1 token
│ <U+009B>1m
└ not from a file
"#);
}

/// The text after the margins is the message: nothing is wrapped, indented or left out.
#[test]
fn the_message_can_be_read_back() {
    for width in [40, 57, 200] {
        let text = plain(&deploy(), width);
        let user = text.split_once("━━ user").unwrap().1;
        let mut message = String::new();
        let mut in_text = false;
        for line in user.lines() {
            match line.strip_prefix("│") {
                Some(line) => {
                    message.push_str(if in_text { "\n" } else { "" });
                    message.push_str(line.strip_prefix(' ').unwrap_or(line));
                    in_text = true;
                }
                None => {
                    message.push_str(if line == "· blank line" { "\n\n" } else { "" });
                    in_text = false;
                }
            }
        }
        assert_eq!(message, deploy().messages[1].text());
    }
}

/// Only the prompt's own lines and paths, which must not be broken, exceed the width.
#[test]
fn lines_of_the_view_fit_the_width() {
    for width in 40..130 {
        for line in plain(&deploy(), width).lines().filter(|line| !line.starts_with('│')) {
            let one_word = line.trim_start_matches(['└', ' ']).split(' ').count() == 1;
            assert!(one_word || unicode_width::UnicodeWidthStr::width(line) <= width, "{width}: {line}");
        }
    }
}

#[test]
fn a_role_selects_no_earlier_message() {
    let prompt = resumed(&[Role::User, Role::Assistant, Role::User]);
    let text = shown(&prompt, 60, Some(Role::User), Theme::Plain);
    assert_eq!(text.matches("━━ user").count(), 1);
    assert!(text.contains("│ 2\n"), "{text}");
    assert_eq!(plain(&prompt, 60).matches("━━ user").count(), 2);
}

#[test]
fn a_declaration_without_a_file_is_shown_by_name() {
    let mut prompt = user("a");
    prompt.layers[0].declared_by = Some(Declared { by: "the request".to_string(), span: None });
    assert!(!plain(&prompt, 60).contains("requested by"));
    prompt.layers[0].kind = LayerKind::Instruction;
    assert!(plain(&prompt, 60).contains("\n  requested by the request\n"));
}
