use super::*;
use crate::answer::explain::blame::LineQuery;
use crate::answer::explain::from::{FileLines, Occurrences};
use crate::answer::explain::testing::{shop, view};
use crate::answer::explain::{Explanation, text};
use crate::prompt::testing::{deploy, empty, push, resumed, source, user};
use crate::prompt::{LayerKind, Message, Role, Slot};
use crate::text::Traced;
use crate::write::screen::Screen;

fn answered(prompt: &Prompt, answer: &Explanation, view: &ExplainView) -> String {
    let mut out = Vec::new();
    text::write(prompt, answer, view, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn blamed(prompt: &Prompt, asked: LineQuery, width: usize) -> String {
    let view = ExplainView { role: asked.role, ..view(width) };
    answered(prompt, &Explanation::Blame(LineSelection::new(prompt, asked).unwrap()), &view)
}

fn whole(prompt: &Prompt, width: usize) -> String {
    blamed(prompt, LineQuery::default(), width)
}

fn from(typed: &str, width: usize) -> String {
    let (prompt, tiers) = shop();
    let place = FileLines::find(typed, std::path::Path::new("/nowhere"), &prompt, &tiers).unwrap();
    let occurrences = Occurrences::new(place, &prompt, &tiers).unwrap();
    answered(&prompt, &Explanation::From(occurrences), &view(width))
}

#[test]
fn at_80_columns() {
    insta::assert_snapshot!(whole(&deploy(), 80), @r#"
━━ system message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 4 lines
── rye/agent/core/Identity in <system>
system:ryeos …/Identity.md:5             1 │ You are one agent among several that share a folder of knowledge.
protocol                                 2 │
── project/deploy/rules in <system>
project …/deploy/rules.md:5              3 │ Never deploy on a Friday.
project …/deploy/rules.md:6              4 │ Ask before you touch a database.
· no newline at the end

━━ user message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 8 lines
── hook ctx_environment
5 pieces                                 1 │ <Environment id="rye/agent/core/Environment" type="knowledge">
protocol                                   ├ <┤
builtin …/Environment.md:2                 ├ Environment┤
protocol                                   ├  id="┤
builtin …/hook_conditions.yaml:4           ├ rye/agent/core/Environment┤
protocol                                   └ " type="knowledge">┤
2 pieces                                 2 │ Project: /srv/app
builtin …/Environment.md:5                 ├ Project: ┤
${project_path} (hook context)             └ /srv/app┤
3 pieces                                 3 │ </Environment>
protocol                                   ├ </┤
builtin …/Environment.md:2                 ├ Environment┤
protocol                                   └ >┤
protocol                                 4 │
── directive deploy_staging
3 pieces                                 5 │ <directive name="deploy_staging">
protocol                                   ├ <directive name="┤
project …/deploy_staging.md:4              ├ deploy_staging┤
protocol                                   └ ">┤
protocol                                 6 │ </directive>
3 pieces                                 7 │ Roll out to staging and watch the error rate.
project …/deploy_staging.md:16             ├ Roll out to ┤
input target, project …/deploy_staging.md:12   ├ staging┤
project …/deploy_staging.md:16             └  and watch the error rate.┤
project …/deploy_staging.md:17           8 │ Stop at the first alarm.
· no newline at the end
"#);
}

#[test]
fn at_120_columns() {
    insta::assert_snapshot!(whole(&deploy(), 120), @r#"
━━ system message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 4 lines
── rye/agent/core/Identity in <system>
system:ryeos …/rye/agent/core/Identity.md:5   1 │ You are one agent among several that share a folder of knowledge.
protocol                                      2 │
── project/deploy/rules in <system>
project …/knowledge/project/deploy/rules.md:5 3 │ Never deploy on a Friday.
project …/knowledge/project/deploy/rules.md:6 4 │ Ask before you touch a database.
· no newline at the end

━━ user message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 8 lines
── hook ctx_environment
5 pieces                                      1 │ <Environment id="rye/agent/core/Environment" type="knowledge">
protocol                                        ├ <┤
builtin …/rye/agent/core/Environment.md:2       ├ Environment┤
protocol                                        ├  id="┤
builtin …/config/agent/hook_conditions.yaml:4   ├ rye/agent/core/Environment┤
protocol                                        └ " type="knowledge">┤
2 pieces                                      2 │ Project: /srv/app
builtin …/rye/agent/core/Environment.md:5       ├ Project: ┤
${project_path} (hook context)                  └ /srv/app┤
3 pieces                                      3 │ </Environment>
protocol                                        ├ </┤
builtin …/rye/agent/core/Environment.md:2       ├ Environment┤
protocol                                        └ >┤
protocol                                      4 │
── directive deploy_staging
3 pieces                                      5 │ <directive name="deploy_staging">
protocol                                        ├ <directive name="┤
project .ai/directives/deploy_staging.md:4      ├ deploy_staging┤
protocol                                        └ ">┤
protocol                                      6 │ </directive>
3 pieces                                      7 │ Roll out to staging and watch the error rate.
project .ai/directives/deploy_staging.md:16     ├ Roll out to ┤
input target, project …/deploy_staging.md:12    ├ staging┤
project .ai/directives/deploy_staging.md:16     └  and watch the error rate.┤
project .ai/directives/deploy_staging.md:17   8 │ Stop at the first alarm.
· no newline at the end
"#);
}

#[test]
fn selected_lines_are_shown_alone() {
    insta::assert_snapshot!(blamed(&deploy(), LineQuery { grep: Some("Friday|alarm"), ..LineQuery::default() }, 80), @r#"
━━ system message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1 of 4 lines
── project/deploy/rules in <system>
project …/deploy/rules.md:5    3 │ Never deploy on a Friday.

━━ user message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1 of 8 lines
── directive deploy_staging
project …/deploy_staging.md:17 8 │ Stop at the first alarm.
· no newline at the end
"#);
    let prompt = deploy();
    assert_eq!(blamed(&prompt, LineQuery { grep: Some("Monday"), ..LineQuery::default() }, 80), "No line matches.\n");
}

#[test]
fn places_at_80_columns() {
    insta::assert_snapshot!(from("project .ai/knowledge/rules.md:7", 80), @r#"
project .ai/knowledge/rules.md:7
│ Ask first.

It appears in 2 lines of the messages.
━━ user message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 2 of 27 lines
── rules in <before>
project …/rules.md:7  9 │ Ask first.
── rules in <after>
project …/rules.md:7 27 │ Ask first.
· no newline at the end
"#);
    insta::assert_snapshot!(from("project .ai/directives/shop/deploy.md:11", 80), @r#"
project .ai/directives/shop/deploy.md:11
│     <description>Rolls &amp; waits</description>

It appears in 1 line of the messages.
━━ user message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1 of 27 lines
── directive shop/deploy
5 pieces                       12 │ <description>Rolls & waits</description>
protocol                          ├ <description>┤
project …/shop/deploy.md:11       ├ Rolls ┤
project …/deploy.md:11 derived    ├ &┤
project …/shop/deploy.md:11       ├  waits┤
protocol                          └ </description>┤

It also does this:
  it declares `description`, project .ai/directives/shop/deploy.md:11
"#);
    insta::assert_snapshot!(from("project .ai/directives/shop/deploy.md:19", 80), @"
    project .ai/directives/shop/deploy.md:19
    │       <suppress>behavior</suppress>

    It appears in no message.
      it suppresses behavior in <system>, project .ai/directives/shop/deploy.md:19
    ");
    insta::assert_snapshot!(from("project .ai/tools/shop/rollout.yaml", 80), @"
    project .ai/tools/shop/rollout.yaml  6 lines

    It appears in the tool palette.
      the description of shop_rollout, project .ai/tools/shop/rollout.yaml:2
      the schema of shop_rollout, project .ai/tools/shop/rollout.yaml:3-6
    ");
    insta::assert_snapshot!(from("user .ai/knowledge/place.md:7", 80), @r#"
user .ai/knowledge/place.md:7
│ ${project_path}

It appears in 1 line of the messages.
━━ user message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1 of 27 lines
── hook place
2 pieces                       3 │ /srv/shop
${project_path} (hook context)   ├ /srv/shop┤
user .ai/knowledge/place.md:7    └ (the newline)
"#);
}

#[test]
fn places_at_120_columns() {
    insta::assert_snapshot!(from("system .ai/knowledge/behavior.md:5", 120), @"
    system .ai/knowledge/behavior.md:5
    │ Be kind.

    It appears in no message.
      behavior in <system> is left out: suppressed by shop/deploy, project .ai/directives/shop/deploy.md:19
    ");
}

#[test]
fn unusual_prompts_are_reported() {
    let name = format!(".ai/knowledge/{}.md", "long".repeat(20));
    let file = source("project", &name, "red \u{1b}[31m\ttext\u{202e}\n\n");
    let mut prompt = empty(&file);
    prompt.messages.push(Message::new(Role::System));
    prompt.messages.push(Message::new(Role::User));
    push(&mut prompt, Slot::UserChainBefore, LayerKind::Context, "long", &Traced::file(&file.whole()));
    // A second layer on the same line, a value with newlines, untrusted names.
    let mut text = Traced::of("one\ntwo", Origin::Env("NAME\u{1b}".repeat(30).as_str().into()));
    text.push_str(" three", Origin::Input { name: "x".into(), from: InputFrom::File, source: None });
    text.push_str("\n", Origin::Derived(file.whole()));
    push(&mut prompt, Slot::UserHooksAfter, LayerKind::Hook, "odd", &text);
    let joined = Traced::of("no break before", Origin::Argument("messages".into()));
    prompt.messages[1].push(&joined, Some(0));
    prompt.messages[1].push(&joined, Some(1));
    insta::assert_snapshot!(whole(&prompt, 80), @r#"
━━ system message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 0 lines
· the message is empty

━━ user message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 7 lines
── long in <before>
project …/longlonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglong.md:1 1 │ red <U+001B>[31m	text<U+202E>
project …/longlonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglong.md:2 2 │
protocol                                 3 │
protocol                                 4 │
── hook odd
env NAME<U+001B>NAME<U+001B>NAME<U+001B>NAME<U+001B>NAME<U+001B>NAME<U+001B>NAME<U+001B>NAME<U+001B>… 5 │ one
3 pieces                                 6 │ two three
env NAME<U+001B>NAME<U+001B>NAME<U+001B>NAME<U+001B>NAME<U+001B>NAME<U+001B>NAME<U+001B>NAME<U+001B>…   ├ two┤
input x (file)                             ├  three┤
project …/longlonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglong.md:1-2 derived   └ (the newline)
── long in <before> · hook odd
--messages                               7 │ no break beforeno break before
· no newline at the end
"#);
}

#[test]
fn absent_messages_are_reported() {
    let asked = LineQuery { role: Some(Role::System), ..LineQuery::default() };
    assert_eq!(blamed(&user("x"), asked, 80), "There is no system message.\n");
    let shown = whole(&resumed(&[Role::User, Role::Assistant, Role::User]), 60);
    assert!(shown.contains("━━ user message, 1 of 3 ━") && shown.contains("━━ assistant message ━"), "{shown}");
    assert!(shown.contains("--messages 1 │ 2\n"), "{shown}");
}

#[test]
fn colours_add_nothing_but_escape_sequences() {
    for prompt in [deploy(), shop().0] {
        let plain = whole(&prompt, 80);
        let answer = Explanation::Blame(LineSelection::new(&prompt, LineQuery::default()).unwrap());
        let coloured = answered(&prompt, &answer, &ExplainView { screen: Screen::coloured(80), ..view(80) });
        assert_ne!(coloured, plain);
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
    }
}

#[test]
fn text_is_complete_and_unchanged() {
    for prompt in [deploy(), shop().0] {
        for width in [40, 80, 200] {
            let shown = whole(&prompt, width);
            let behind =
                |line: &str| line.split_once('│').map(|(_, text)| text.strip_prefix(' ').unwrap_or(text).to_string());
            let lines: Vec<_> = shown.lines().filter_map(behind).collect();
            let texts: Vec<_> = prompt.messages.iter().flat_map(|message| message.text().lines()).collect();
            assert_eq!(lines, texts);
        }
    }
}
