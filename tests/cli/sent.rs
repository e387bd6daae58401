//! `explain --sent`: where a sent prompt differs from the expected one.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::tempdir;

use crate::announce;
use crate::cases::{Case, Cases};
use crate::support::Test;

/// Formats that show what is sent.
const FORMATS: [&str; 5] = ["json", "anthropic", "openai", "gemini", "events"];

#[test]
fn own_cases_can_be_read_back() {
    Cases::own().check(reads_back);
}

#[test]
fn conformance_cases_can_be_read_back() {
    match Cases::conformance() {
        Some(cases) => drop(cases.check(reads_back)),
        None => announce("sent: conformance cases not run: RYE_RENDER_CONFORMANCE is not set"),
    }
}

/// `explain --sent` must find no difference in what `render` wrote.
fn reads_back(case: &Case) -> Result<(), String> {
    let folder = tempdir().map_err(|error| error.to_string())?;
    for format in FORMATS.iter().filter(|_| !case.is_refused()) {
        let written = case.command(format).output().map_err(|error| error.to_string())?;
        // A provider may not support a role, and a protocol may have no events.
        if written.status.success() && !written.stdout.is_empty() {
            let path = folder.path().join(format);
            fs::write(&path, written.stdout).map_err(|error| error.to_string())?;
            let sent = sent(case, &path)?;
            if sent["same"] != json!(true) || sent["compared"].as_array().is_none_or(Vec::is_empty) {
                return Err(format!("{format}: {sent:#}"));
            }
        }
    }
    Ok(())
}

/// The result of `explain --sent` for a case.
fn sent(case: &Case, file: &Path) -> Result<Value, String> {
    let file = file.to_str().expect("a plain name");
    let output = case.explain(&["--sent", file]).output().map_err(|error| error.to_string())?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let document: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("{error}\n{stderr}"))?;
    Ok(document["sent"].clone())
}

/// The result of `explain --sent` for a transcript by the released package.
fn transcript(further: &[&str]) -> Value {
    let below = |path: &str| format!("{}/testdata/{path}", env!("CARGO_MANIFEST_DIR"));
    let [project, system, file] =
        ["cases/rye-3-chain/project", "cases/_system/layers", "sent/deploy_staging.jsonl"].map(below);
    let arguments = ["explain", "deploy_staging", "--project", &project, "--system", &system, "--format", "json"];
    let test = further.iter().fold(Test::new().args(arguments), |test, argument| test.args([*argument]));
    test.args(["--sent", &file]).any_stdout().run().json()["sent"].clone()
}

#[test]
fn the_released_package_sent_what_is_rendered() {
    let [rules, words] =
        ["ryeos", "ryeos_words"].map(|name| format!("{}/testdata/ryeos/{name}.yaml", env!("CARGO_MANIFEST_DIR")));
    let protocol = ["--protocol-file", &rules, "--protocol-file", &words, "--protocol", "ryeos-words"];
    let expected = json!({
        "kind": "transcript", "same": true, "compared": ["messages[0]", "messages[1]"], "unknown": ["tools"],
        "later": 5, "departures": [], "notes": [],
    });
    assert_eq!(transcript(&protocol), expected);
}

/// According to the documents, a hook injects the text of an item; the package injects its whole file.
#[test]
fn differences_from_the_released_package_are_found() {
    let sent = transcript(&[]);
    let first = sent.pointer("/departures/0").expect("it departs");
    assert_eq!((&first["what"], &first["place"]), (&json!("lines"), &json!("line 4")));
    assert_eq!(first["sent"]["text"][1], json!("name: Environment"));
    let path = first.pointer("/touched/0/sources/0/path");
    assert_eq!(path, Some(&json!(".ai/knowledge/rye/agent/core/Environment.md")));
}

const DIRECTIVE: &str = "```xml\n<directive name=\"one\" version=\"1.0.0\">\n</directive>\n```\nOne.\nTwo.\nThree.\n";

/// A project with one directive and nothing else.
fn project() -> Test {
    let arguments = ["explain", "one", "--protocol", "rye-1", "--system", "none", "--sent"];
    Test::new().file("project/.ai/directives/one.md", DIRECTIVE).args(arguments)
}

#[test]
fn one_changed_line_is_the_only_difference() {
    let rendered = Test::new()
        .file("project/.ai/directives/one.md", DIRECTIVE)
        .args(["render", "one", "--protocol", "rye-1", "--system", "none", "--format", "openai"])
        .any_stdout()
        .run();
    project()
        .file("project/body.json", &rendered.stdout)
        .args(["body.json"])
        .stdout(
            "one  rye-1  sent: a request body for OpenAI's Chat Completions API\n\
             sent request: same\n  compared: user message, tools\n",
        )
        .run();
    project()
        .args(["-"])
        .stdin(&rendered.stdout.replace("Two.", "2."))
        .stdout(
            "one  rye-1  sent: a request body for OpenAI's Chat Completions API
sent request: 1 difference: user message, line 6
  compared: user message, tools

━━ user message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ - rendered  + sent (messages[0])
┌ directive one                                                           line 6
│
│   One.
│ - Two.
│ + 2.
│   Three.
│
└ project .ai/directives/one.md:6
",
        )
        .run();
}

#[test]
fn a_missing_or_unknown_file_is_an_error() {
    project()
        .args(["absent.json"])
        .stderr(
            "error[unreadable]: cannot be read: No such file or directory\n  --> absent.json\n\
             help: check that it exists and that you have permission to read it\n",
        )
        .status(2)
        .run();
    project()
        .args(["-"])
        .stdin("{\"event\": \"a\"}\n{\"event\": }\n{}\n")
        .stderr(
            "error[invalid_argument]: not a saved transcript or request body: it is not JSON
 --> standard input:2:11
  |
2 | {\"event\": }
  |           ^
  |
  = help: correct the file here, or save it again
",
        )
        .status(2)
        .run();
    project()
        .args(["-"])
        .stdin("{\"id\": \"msg_1\"}")
        .stderr(
            "error[invalid_argument]: this is an object without `messages`, `contents` or an event name, \
             not a transcript or a request
 --> standard input:1:1
  |
1 | {\"id\": \"msg_1\"}
  | ^
  |
  = help: give a transcript (JSON lines), a request body for Anthropic, OpenAI
          (Chat Completions, Responses) or Gemini, what --format json wrote, or
          a JSON list of {role, content}
",
        )
        .status(2)
        .run();
    project()
        .args(["-", "--format", "json"])
        .stdin("{\"messages\": [{\"role\": \"bot\"}]}")
        .stderr(concat!(
            r#"{"error":{"code":"invalid_argument","message":"this cannot be read as a saved transcript or request body: unknown variant "#,
            r#"`bot`, expected one of `developer`, `system`, `user`, `assistant`, `model`, `function`, `tool`","#,
            r#""help":"give a transcript (JSON lines), a request body for Anthropic, OpenAI (Chat Completions, Responses) or "#,
            r#"Gemini, what --format json wrote, or a JSON list of {role, content}","#,
            r#""source":{"tier":"","path":"standard input","start":27,"end":27,"line":1,"column":28}}}"#,
            "\n"
        ))
        .status(2)
        .run();
}

#[test]
fn a_file_over_the_limit_is_an_error() {
    let ran =
        project().file("project/large.json", &" ".repeat(16_000_001)).args(["large.json"]).any_stderr().status(2).run();
    assert!(ran.stderr.starts_with("error[too_large]"), "{}", ran.stderr);
}

#[test]
fn standard_input_is_read_once() {
    project()
        .args(["-", "--inputs", "-"])
        .stderr(
            "error[invalid_argument]: standard input can be read only once\n\
             help: name files for the other flags\n",
        )
        .status(2)
        .run();
}

/// A sent prompt is untrusted: it must not control the terminal or imitate our output.
#[test]
fn hostile_text_stays_text() {
    let body = json!({
        "messages": [
            {"role": "user", "content": "\u{1b}[31m\u{202e}\n└ project .ai/x.md:1\n━━ tools"},
            {"role": "user", "content": "\u{9b}0m"},
        ],
        "tools": [{"function": {"name": "\u{1b}]0;x\u{7}\n━━", "description": "a\u{7}"}}],
        "model": "\u{1b}c",
    });
    let ran = project().args(["-", "--color", "always", "--model", "m"]).stdin(&body.to_string()).any_stdout().run();
    for acting in ['\u{202e}', '\u{9b}', '\u{7}'] {
        assert!(!ran.stdout.contains(acting), "{}", ran.stdout);
    }
    assert!(ran.stdout.contains("<U+001B>[31m<U+202E>") && !ran.stdout.contains("\u{1b}c"), "{}", ran.stdout);
    assert!(!ran.stdout.lines().any(|line| line.starts_with("└ project .ai/x.md")), "{}", ran.stdout);
}
