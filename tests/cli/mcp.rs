//! `mcp`: the same answers over the Model Context Protocol. `.ci/run` asks with the clients of the protocol's own packages.

use serde_json::{Value, json};

use crate::support::Test;

const DIRECTIVE: &str = "\
```xml
<directive name=\"d\" version=\"1\"><inputs><input name=\"key\" required=\"true\"/></inputs></directive>
```

Open it with {input:key}.
";

fn shop() -> Test {
    Test::new()
        .file("project/.ai/directives/d.md", DIRECTIVE)
        .file("project/AGENTS.md", "Use tabs.\n")
        .file("project/web/AGENTS.md", "Use spaces.\n")
        .file("outside/AGENTS.md", "A secret.\n")
}

fn hello() -> String {
    let client =
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    let first = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": client});
    format!("{first}\n{}\n", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
}

fn question(id: usize, tool: &str, parameters: &Value) -> String {
    let params = json!({"name": tool, "arguments": parameters});
    format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}))
}

/// The messages of the server by their id, after the first.
fn replies(test: Test, messages: &str) -> Vec<Value> {
    let ran = test.args(["mcp"]).stdin(&format!("{}{messages}", hello())).any_stdout().any_stderr().run();
    let mut replies: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    // What cannot be read is answered without an id.
    replies.retain(|reply| reply["id"].is_u64());
    replies.sort_by_key(|reply| reply["id"].as_u64());
    assert_eq!(replies.remove(0)["result"]["serverInfo"]["name"], "rye-render");
    replies
}

/// The texts of the answers, and whether there is none.
fn answers(test: Test, questions: &[(&str, Value)]) -> Vec<(Vec<String>, bool)> {
    let messages: String =
        (1..).zip(questions).map(|(id, (tool, parameters))| question(id, tool, parameters)).collect();
    let texts = |content: &Value| {
        content.as_array().into_iter().flatten().filter_map(|part| Some(part["text"].as_str()?.to_string())).collect()
    };
    let answer = |reply: &Value| (texts(&reply["result"]["content"]), reply["result"]["isError"] == true);
    let answers: Vec<_> = replies(test, &messages).iter().map(answer).collect();
    assert_eq!(answers.len(), questions.len());
    answers
}

#[test]
fn a_long_answer_comes_in_portions() {
    let long = "Name every function by what it does.\n".repeat(3_000);
    let test = || Test::plain().file("project/.git/HEAD", "").file("project/AGENTS.md", &long);
    let ask = |start: usize| ("render", json!({"agent": "pi@1.5.2", "start": start}));
    let portions = answers(test(), &[ask(0), ask(40_000), ask(80_000), ask(120_000), ask(usize::MAX)]);
    let whole = test().args(["render", "--agent", "pi@1.5.2"]).env("COLUMNS", "100").any_stdout().any_stderr();
    let whole = whole.run().stdout;
    assert!(portions[0].0[1].ends_with("more characters: ask again with `start`: 40000"), "{:?}", portions[0].0[1]);
    let joined: String = portions.iter().map(|(texts, _)| texts[0].as_str()).collect();
    assert!(joined == whole && whole.len() > 120_000);
    assert!(portions.iter().all(|(_, is_failure)| !is_failure));
    let address = |start: &str| format!("rye-render://agent/pi@1.5.2/.{start}");
    let read = |(id, start): (usize, &str)| {
        let params = json!({"uri": address(start)});
        format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": "resources/read", "params": params}))
    };
    let starts = ["", "?start=40000", "?start=80000", "?start=120000", "?start=-1"];
    let replies = replies(test(), &(1..).zip(starts).map(read).collect::<String>());
    let part =
        |reply: &Value, at: usize| reply["result"]["contents"][at]["text"].as_str().unwrap_or_default().to_string();
    assert!(
        part(&replies[1], 1).ends_with(&format!("more characters: read {}", address("?start=80000"))),
        "{}",
        replies[1]
    );
    let joined: String = replies.iter().map(|reply| part(reply, 0)).collect();
    let plain = ["render", "--agent", "pi@1.5.2", "--format", "plain"];
    assert!(joined == test().args(plain).any_stdout().any_stderr().run().stdout);
    assert_eq!(replies[4]["error"]["message"], "there is no such resource");
}

#[cfg(unix)]
#[test]
fn nothing_outside_of_the_roots_is_shown() {
    let test = shop().with(|root| {
        std::os::unix::fs::symlink(root.join("outside"), root.join("project/link")).unwrap();
        std::os::unix::fs::symlink(root.join("outside/AGENTS.md"), root.join("project/file")).unwrap();
    });
    let agent = |folder: &str| ("render", json!({"agent": "pi@1.5.2", "folder": folder}));
    let refused = [
        agent("../outside"),
        agent("link"),
        agent("/"),
        ("render", json!({"directive": "link/AGENTS"})),
        ("render", json!({"agent": "pi@1.5.2", "touch": ["../outside/x"]})),
        ("explain_line", json!({"agent": "pi@1.5.2", "file_line": "link/AGENTS.md:1"})),
        ("explain_line", json!({"agent": "pi@1.5.2", "file_line": "file:1:1"})),
        ("diff", json!({"directive": "HEAD:../outside/AGENTS.md"})),
        ("diff", json!({"directive": ":../outside/AGENTS.md"})),
        ("lint", json!({"paths": ["link"]})),
        ("lint", json!({"paths": ["--fix"]})),
        ("render", json!({"directive": "--all"})),
        ("diff", json!({"directive": "-ox"})),
    ];
    for ((texts, is_failure), question) in answers(test, &refused).into_iter().zip(&refused) {
        assert!(is_failure && !texts.concat().contains("secret"), "{question:?}: {texts:?}");
        let why = ["is outside of the folders that may be asked about", "is a flag; begin a path with `./`"];
        assert!(why.iter().any(|why| texts[0].contains(why)), "{question:?}: {texts:?}");
    }
    let web = answers(shop(), &[agent("web")]);
    assert!(web[0].0[0].contains("Use spaces."), "{web:?}");
    let named = ["mcp", "gone"];
    let ran = Test::plain().args(named).status(2).any_stderr().run();
    assert!(ran.stderr.contains("folder gone not found"), "{}", ran.stderr);
}

#[test]
fn values_are_hidden_unless_asked_for() {
    let ask = |shown: bool| ("render", json!({"directive": "d", "inputs": {"key": "a b"}, "show_values": shown}));
    let texts = answers(shop(), &[ask(false), ask(true), ("render", json!({"directive": "d"}))]);
    let text = |index: usize| texts[index].0[0].as_str();
    assert!(text(0).contains("Open it with ‹input:key›.") && !text(0).contains("a b"), "{}", text(0));
    assert!(text(1).contains("Open it with a b."), "{}", text(1));
    assert!(text(2).contains("‹input:key›") || text(2).contains("{input:key}"), "{}", text(2));
}

#[test]
fn wrong_parameters_are_explained() {
    let wrong = [
        (json!({"directve": "d"}), "there is no `directve`, only `directive`, `agent`"),
        (json!({}), "name either a `directive` or an `agent`"),
        (json!({"agent": "pi", "inputs": {"a": 1}}), "`inputs` and `show_values` are for a directive"),
        (json!({"directive": "d", "start": -1}), "invalid value"),
        (json!({"directive": "e"}), "not found"),
    ];
    let questions: Vec<_> = wrong.iter().map(|(parameters, _)| ("render", parameters.clone())).collect();
    for ((texts, is_failure), (parameters, why)) in answers(shop(), &questions).into_iter().zip(&wrong) {
        assert!(is_failure && texts.concat().contains(why), "{parameters}: {texts:?}");
    }
    let long = answers(shop(), &[("render", json!({"directive": "d", "folder": "x".repeat(1_000_000)}))]);
    assert!(long[0].1 && long[0].0[0].len() < 50_000);
}

#[test]
fn bad_messages_end_nothing() {
    let last = question(9, "agents", &json!({}));
    let garbage = ["garbage", "{]", "\0", "[]", "{}", &"x".repeat(10_000_000), &"[".repeat(100_000), "\u{feff}"];
    for line in garbage {
        let replies = replies(shop(), &format!("{line}\n{last}"));
        assert!(replies.iter().any(|reply| reply["id"] == 9 && reply["result"]["isError"] != true), "{replies:?}");
    }
    // The client goes away in the middle of a message, or without one.
    assert!(replies(shop(), &last[..last.len() / 2]).is_empty());
    shop().args(["mcp"]).run();
}
