//! The conversation itself: its beginning and end, cancelled requests, and folders.

use serde_json::{Value, json};

use super::editor::{Editor, framed};
use super::{BASE, DEPLOY, DIRECTIVE, asking, at, shop};

#[test]
fn the_lifecycle_is_that_of_the_protocol() {
    let refused = |answer: &Value| answer["error"]["code"].as_i64();
    let files = shop();
    let mut editor = Editor::connect(&files);
    let early = editor.ask("textDocument/diagnostic", &json!({}));
    assert_eq!(refused(&editor.answer(early)), Some(-32002));
    let hello = editor.ask("initialize", &json!({"capabilities": {}}));
    assert_eq!(editor.answer(hello)["result"]["serverInfo"]["name"], "rye-render");
    let unknown = editor.ask("textDocument/unknown", &json!({}));
    assert_eq!(refused(&editor.answer(unknown)), Some(-32601));
    let wrong = editor.ask("textDocument/codeAction", &json!({"range": 1}));
    assert_eq!(refused(&editor.answer(wrong)), Some(-32602));
    editor.send(&framed("{\"jsonrpc\""));
    editor.send(&framed(&format!("{{\"method\":\"x\",\"params\":\"{}\"}}", "y".repeat(10_000_000))));
    let last = editor.ask("shutdown", &Value::Null);
    assert_eq!(editor.answer(last)["result"], Value::Null);
    let late = editor.ask("textDocument/diagnostic", &json!({}));
    assert_eq!(refused(&editor.answer(late)), Some(-32600));
    editor.tell("exit", &json!({}));
    assert_eq!(editor.wait(), Some(0));
}

/// An editor that is gone, or that exits without a word, ends the server with 1; half a message with 2.
#[test]
fn an_editor_may_be_gone() {
    let files = shop();
    for (last, status) in [("", 1), ("Content-Length: 100\r\n\r\n{", 2), ("Content-Length: x\r\n\r\n", 2)] {
        let mut editor = Editor::start(&files, &json!({}));
        editor.open(DEPLOY, DIRECTIVE);
        editor.send(last);
        editor.leave();
        assert_eq!(editor.wait(), Some(status), "{last}");
    }
    let mut editor = Editor::start(&files, &json!({}));
    editor.tell("exit", &json!({}));
    assert_eq!(editor.wait(), Some(1));
}

/// So does one whose process has ended, while another process keeps its end of the pipe open. A process that never was
/// there is no reason to end.
#[cfg(unix)]
#[test]
fn the_process_of_the_editor_may_be_gone() {
    let files = shop();
    let mut process = std::process::Command::new("sleep").arg("600").spawn().expect("it starts");
    let hello = |number: u32| {
        let mut editor = Editor::connect(&files);
        let hello = editor.ask("initialize", &json!({"processId": number, "capabilities": {}}));
        editor.answer(hello);
        editor
    };
    let (editor, mut other) = (hello(process.id()), hello(i32::MAX as u32));
    process.kill().expect("it runs");
    process.wait().expect("it ends");
    assert_eq!(editor.wait(), Some(1));
    other.result("shutdown", &Value::Null);
    other.tell("exit", &json!({}));
    assert_eq!(other.wait(), Some(0));
}

/// Requests that were cancelled before their turn are not answered with a result.
#[test]
fn requests_can_be_cancelled() {
    let (_files, mut editor) = asking();
    editor.published(DEPLOY);
    let params = at(&editor, "Deploy to", 0);
    let hover = |id| json!({"jsonrpc": "2.0", "id": id, "method": "textDocument/hover", "params": params});
    let cancel = |id| json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": id}});
    let messages = (1000..1030).map(hover).chain((1000..1030).map(cancel));
    let text: String = messages.map(|message| framed(&message.to_string())).collect();
    editor.send(&text);
    let answers: Vec<Value> = (1000..1030).map(|id| editor.answer(id)).collect();
    let cancelled = answers.iter().filter(|answer| answer["error"]["code"] == -32800).count();
    assert!(cancelled > 10, "{cancelled} of 30 were cancelled");
    assert_eq!(editor.end(), Some(0));
}

/// Without a folder, the files of a project still see each other's text.
#[test]
fn a_project_is_one_without_folders() {
    let files = shop();
    let mut editor = Editor::connect(&files);
    let hello = editor.ask("initialize", &json!({"capabilities": {"textDocument": {"diagnostic": {}}}}));
    editor.answer(hello);
    editor.tell("initialized", &json!({}));
    editor.open(DEPLOY, DIRECTIVE);
    editor.open(".ai/knowledge/rules.md", "```yaml\nname: rules\n```\n\nTyped just now.\n");
    let lens = editor.result("textDocument/codeLens", &json!({"textDocument": {"uri": editor.uri(DEPLOY)}}));
    let text = editor.result("workspace/executeCommand", &lens[0]["command"]);
    assert!(text.as_str().expect("a text").contains("Typed just now."), "{text}");
    // An editor that asks learns about settings that cannot be read, wherever they are.
    files.write("project/.ai/config/rye-render.yaml", "lint: [\n");
    editor.change(DEPLOY, &json!({"text": BASE}));
    let found = editor.pull(DEPLOY)["items"].clone();
    let place = &found[0]["relatedInformation"][0]["location"]["uri"];
    assert_eq!(*place, editor.uri(".ai/config/rye-render.yaml"), "{found}");
    assert_eq!(editor.end(), Some(0));
}
