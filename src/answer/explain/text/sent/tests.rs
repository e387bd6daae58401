use super::*;
use crate::answer::explain::ExplainFormat;
use crate::answer::explain::sent::tests::written;
use crate::answer::render;
use crate::prompt::sent::read;
use crate::prompt::testing::deploy;
use crate::text::tokens::Tokenizer;
use crate::write::screen::Screen;
use crate::write::theme::Theme;

fn view(width: usize, theme: Theme) -> ExplainView {
    let tokenizer = Tokenizer::Chars4;
    ExplainView {
        format: ExplainFormat::Text,
        role: None,
        tokenizer,
        window: None,
        screen: Screen { theme, width, visible: false },
    }
}

fn shown(text: &str, view: &ExplainView) -> String {
    let prompt = deploy();
    let departures = Departures::new(&prompt, read(text).unwrap());
    let mut out = Vec::new();
    report(&prompt, &departures, view, &mut Report::new(view.screen, &mut out));
    String::from_utf8(out).unwrap()
}

fn other() -> String {
    let body = written(&deploy(), render::RenderFormat::Anthropic);
    body.replace("Never deploy on a Friday.", "Never deploy on a Friday.\\u200e")
        .replace("Project: /srv/app", "Project: /elsewhere\\nBranch: main")
        .replace("Stop at the first alarm.", "")
        .replace("Reads a file", "Reads a file of the project")
        .replace("\"path\"", "\"file\"")
        .replace("\"directive_return\"", "\"web_search\"")
        .replace("\"sonnet\"", "\"opus\"")
        .replace("}],\"tools\"", "},{\"role\":\"user\",\"content\":\"And hurry.\"}],\"tools\"")
}

#[test]
fn a_prompt_that_was_sent_unchanged() {
    let text = shown(&written(&deploy(), render::RenderFormat::Openai), &view(80, Theme::Plain));
    insta::assert_snapshot!(text, @r#"
deploy_staging  rye-3  sent: a request body for OpenAI's Chat Completions API
sent request: same
  compared: system message, user message, tools, model
"#);
}

#[test]
fn a_transcript() {
    let text =
        format!("{}{{\"event\":\"co", written(&deploy(), render::RenderFormat::Events).replace("ctx_environment", "x"));
    insta::assert_snapshot!(shown(&text, &view(80, Theme::Plain)), @r#"
deploy_staging  rye-3  sent: a transcript
sent request: 1 difference: names before the directive
  compared: system message, names around the directive
  not in the file: user message, tools
  note: line 3, the last, is truncated and was skipped

━━ names around the directive ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ - rendered  + sent
  before the directive
│ - ctx_environment
│ + x
"#);
}

#[test]
fn at_80_columns() {
    insta::assert_snapshot!(shown(&other(), &view(80, Theme::Plain)), @r#"
deploy_staging  rye-3  sent: a request body for Anthropic's Messages API
sent request: 8 differences: system message, line 3; user message, line 2, line
  8; user message that is not in the prompt; tools, rye_file_system_read with a
  different description and schema, directive_return not sent, web_search not in
  the palette; model
  compared: system message, user message, tools, model

━━ system message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ - rendered  + sent (system)
┌ project/deploy/rules                                                    line 3
│   You are one agent among several that share a folder of knowledge.
│
│ - Never deploy on a Friday.
│ + Never deploy on a Friday.<U+200E>
│   Ask before you touch a database.
└ project .ai/knowledge/project/deploy/rules.md:5
  differs only in white space and invisible characters

━━ user message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ - rendered  + sent (messages[0])
┌ hook ctx_environment                                 line 2, sent as lines 2-3
│   <Environment id="rye/agent/core/Environment" type="knowledge">
│ - Project: /srv/app
│ + Project: /elsewhere
│ + Branch: main
│   </Environment>
│
└ builtin .ai/knowledge/rye/agent/core/Environment.md:5
  holds ${project_path}
┌ directive deploy_staging                                line 8, sent as line 9
│   </directive>
│   Roll out to staging and watch the error rate.
│ - Stop at the first alarm.
│ +
└ project .ai/directives/deploy_staging.md:17

━━ user message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ not in the prompt (messages[1])
│ + And hurry.

━━ tools ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ - rendered  + sent
┌ rye_file_system_read                   with a different description and schema
│ - Reads a file
│ + Reads a file of the project
│ -     "path": {
│ +     "file": {
│ -     "path"
│ +     "file"
└ system:ryeos .ai/tools/rye/file-system/read.py
┌ directive_return                                                      not sent
└ not from a file
┌ web_search                                                  not in the palette
│ + Ends the thread with its outputs
└ only in the sent request

━━ model ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ - rendered  + sent
│ - sonnet
│ + opus
"#);
}

#[test]
fn at_120_columns() {
    insta::assert_snapshot!(shown(&other(), &view(120, Theme::Plain)), @r#"
deploy_staging  rye-3  sent: a request body for Anthropic's Messages API
sent request: 8 differences: system message, line 3; user message, line 2, line 8; user message that is not in the
  prompt; tools, rye_file_system_read with a different description and schema, directive_return not sent, web_search not
  in the palette; model
  compared: system message, user message, tools, model

━━ system message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ - rendered  + sent (system)
┌ project/deploy/rules                                                                                            line 3
│   You are one agent among several that share a folder of knowledge.
│
│ - Never deploy on a Friday.
│ + Never deploy on a Friday.<U+200E>
│   Ask before you touch a database.
└ project .ai/knowledge/project/deploy/rules.md:5
  differs only in white space and invisible characters

━━ user message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ - rendered  + sent (messages[0])
┌ hook ctx_environment                                                                         line 2, sent as lines 2-3
│   <Environment id="rye/agent/core/Environment" type="knowledge">
│ - Project: /srv/app
│ + Project: /elsewhere
│ + Branch: main
│   </Environment>
│
└ builtin .ai/knowledge/rye/agent/core/Environment.md:5
  holds ${project_path}
┌ directive deploy_staging                                                                        line 8, sent as line 9
│   </directive>
│   Roll out to staging and watch the error rate.
│ - Stop at the first alarm.
│ +
└ project .ai/directives/deploy_staging.md:17

━━ user message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ not in the prompt (messages[1])
│ + And hurry.

━━ tools ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ - rendered  + sent
┌ rye_file_system_read                                                           with a different description and schema
│ - Reads a file
│ + Reads a file of the project
│ -     "path": {
│ +     "file": {
│ -     "path"
│ +     "file"
└ system:ryeos .ai/tools/rye/file-system/read.py
┌ directive_return                                                                                              not sent
└ not from a file
┌ web_search                                                                                          not in the palette
│ + Ends the thread with its outputs
└ only in the sent request

━━ model ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ - rendered  + sent
│ - sonnet
│ + opus
"#);
}

#[test]
fn colours_add_nothing_but_escape_sequences() {
    let coloured = shown(&other(), &view(80, Theme::Coloured));
    assert_ne!(coloured, shown(&other(), &view(80, Theme::Plain)));
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), shown(&other(), &view(80, Theme::Plain)));
}
