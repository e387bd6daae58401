use serde_json::{Value as Json, json};

use super::*;
use crate::diagnostic::Problem;
use crate::prompt::testing::{deploy, source, user};
use crate::prompt::{Message, Role};
use crate::text::{InputFrom, Origin, Position, Traced};

fn written(prompt: &Prompt) -> String {
    let mut out = Vec::new();
    write(prompt, Tokenizer::Chars4, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn parsed(prompt: &Prompt) -> Json {
    serde_json::from_str(&written(prompt)).unwrap()
}

fn keys(value: &Json) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn fields_are_in_the_order_of_the_contract() {
    let out = parsed(&deploy());
    let expected = [
        "format",
        "tool_version",
        "protocol",
        "installed",
        "agent",
        "directive",
        "model",
        "limits",
        "permissions",
        "capabilities",
        "outputs",
        "inputs",
        "chain",
        "messages",
        "layers",
        "decisions",
        "tools",
        "tokenizer",
        "sha256",
        "events",
        "sections",
        "files",
        "touched",
        "prompts",
        "diagnostics",
    ];
    assert_eq!(keys(&out), expected);
    assert_eq!(keys(&out["directive"]), ["id", "name", "version", "source"]);
    assert_eq!(keys(&out["messages"][0]), ["role", "text", "bytes", "tokens", "segments"]);
    assert_eq!(keys(&out["messages"][0]["segments"][0]), ["at", "text", "layer", "origin"]);
    assert_eq!(
        keys(&out["layers"][0]),
        ["id", "message", "slot", "kind", "name", "item", "declared_by", "wrap", "bytes", "tokens", "trust"]
    );
    assert_eq!(keys(&out["decisions"][0]), ["name", "slot", "outcome", "why", "by", "declared_by", "item", "layer"]);
    assert_eq!(
        keys(&out["tools"][0]),
        ["name", "description", "input_schema", "item_id", "primary", "tokens", "source", "trust"]
    );
    assert_eq!(keys(&out["diagnostics"][0]), ["code", "severity", "message", "help", "source"]);
}

#[test]
fn the_object_is_one_line() {
    let out = written(&deploy());
    assert!(out.starts_with(r#"{"format":"rye-render.prompt/1","tool_version":"#));
    assert_eq!(out.find('\n'), Some(out.len() - 1));
}

#[test]
fn values_match_the_prompt() {
    let out = parsed(&deploy());
    assert_eq!(out["model"], json!({"id": "sonnet", "tier": "fast", "provider": null, "effective": "sonnet"}));
    assert_eq!(out["limits"].to_string(), r#"{"turns":10,"spend":0.5}"#);
    assert_eq!(out["inputs"], json!([{"name": "target", "value": "staging", "from": "default"}]));
    assert_eq!(
        out["outputs"],
        json!([{"name": "report", "type": "string", "required": true, "description": "What happened"}])
    );
    assert_eq!(out["chain"][0]["id"], "rye/agent/core/base");
    assert_eq!(out["chain"][1]["source"], json!({"tier": "project", "path": ".ai/directives/deploy_staging.md"}));
    assert_eq!(out["sha256"], digest::sha256(&deploy().messages));
    assert_eq!(out["messages"][0]["bytes"], 125);
    assert_eq!(out["messages"][0]["tokens"], 32);
    // {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}Reads a file
    assert_eq!(out["tools"][0]["tokens"], 24);
    assert_eq!((&out["tools"][1]["source"], &out["tools"][1]["trust"]), (&Json::Null, &Json::Null));
}

#[test]
fn a_range_refers_to_the_file_on_disk() {
    let rules = &parsed(&deploy())["messages"][0]["segments"][2];
    // ```yaml\r\n name: Rules\r\n ```\r\n \r\n: 9 + 13 + 5 + 2 bytes.
    assert_eq!(
        rules["origin"],
        json!({
            "kind": "file", "tier": "project", "path": ".ai/knowledge/project/deploy/rules.md",
            "start": 29, "end": 88, "line": 5, "column": 1, "newlines": true,
        })
    );
    assert_eq!(rules["layer"], 1);
    let separator = &parsed(&deploy())["messages"][0]["segments"][1];
    assert_eq!(separator, &json!({"at": 65, "text": "\n\n", "layer": null, "origin": {"kind": "protocol"}}));
}

#[test]
fn every_kind_of_origin_has_its_shape() {
    let file = source("user", ".ai/x.md", "é <in>");
    let mut message = Message::new(Role::User);
    for origin in [
        Origin::Derived(file.span(3..7)),
        Origin::Input { name: "a".into(), from: InputFrom::Flag, source: None },
        Origin::Input { name: "a".into(), from: InputFrom::Default, source: Some(file.span(0..2)) },
        Origin::Env("HOME".into()),
        Origin::Variable { name: "model".into(), source: None },
        Origin::Argument("messages".into()),
        Origin::Protocol,
    ] {
        message.push(&Traced::of("x", origin), None);
    }
    let mut prompt = user("");
    prompt.messages = vec![message];
    let out = parsed(&prompt);
    let origins: Vec<_> = out["messages"][0]["segments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|segment| segment["origin"].to_string())
        .collect();
    assert_eq!(
        origins,
        [
            r#"{"kind":"derived","tier":"user","path":".ai/x.md","start":3,"end":7,"line":1,"column":3}"#,
            r#"{"kind":"input","name":"a","from":"flag"}"#,
            concat!(
                r#"{"kind":"input","name":"a","from":"default","#,
                r#""source":{"tier":"user","path":".ai/x.md","start":0,"end":2,"line":1,"column":1}}"#
            ),
            r#"{"kind":"env","name":"HOME"}"#,
            r#"{"kind":"variable","name":"model"}"#,
            r#"{"kind":"argument","name":"messages"}"#,
            r#"{"kind":"protocol"}"#,
        ]
    );
}

#[test]
fn the_declaration_of_a_layer_has_its_position() {
    let out = parsed(&deploy());
    let declared = &out["layers"][2]["declared_by"];
    assert_eq!(declared["by"], "hook ctx_environment");
    assert_eq!(declared["source"]["path"], ".ai/config/agent/hook_conditions.yaml");
    assert_eq!((&declared["source"]["line"], &declared["source"]["column"]), (&json!(2), &json!(5)));
    assert_eq!(out["layers"][2]["item"]["type"], "knowledge");
    assert_eq!(out["layers"][0]["trust"], Json::Null);
}

#[test]
fn segments_join_to_the_text() {
    for message in parsed(&deploy())["messages"].as_array().unwrap() {
        let segments = message["segments"].as_array().unwrap();
        let joined: String = segments.iter().map(|segment| segment["text"].as_str().unwrap()).collect();
        assert_eq!(message["text"], joined);
        let mut at = 0;
        for segment in segments {
            assert_eq!(segment["at"], at);
            at += segment["text"].as_str().unwrap().len();
        }
    }
}

#[test]
fn an_error_is_one_object() {
    let at = Location::File {
        tier: "project".into(),
        path: "a.md".to_string(),
        revision: None,
        position: Some(Position { line: 2, column: 3 }),
    };
    let mut out = Vec::new();
    write_error(&Diagnostic::at(Problem::InvalidUtf8 { at: 7 }, at), &mut out).unwrap();
    write_error(&Diagnostic::new(Problem::NotAFile { what: "a folder" }), &mut out).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        concat!(
            r#"{"error":{"code":"invalid_utf8","message":"not valid UTF-8: byte 7 cannot be decoded","#,
            r#""help":"save the file as UTF-8","source":{"tier":"project","path":"a.md","line":2,"column":3}}}"#,
            "\n",
            r#"{"error":{"code":"not_a_file","message":"expected a file, found a folder","#,
            r#""help":"put a regular file there","source":null}}"#,
            "\n",
        )
    );
}
