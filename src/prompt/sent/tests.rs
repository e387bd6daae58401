use proptest::prelude::*;

use super::*;

fn sent(text: &str) -> Sent {
    read(text).unwrap_or_else(|error| panic!("{error:?}"))
}

fn texts(sent: &Sent) -> Vec<(Role, &str)> {
    sent.messages.iter().map(|message| (message.role, message.text.as_str())).collect()
}

fn refused(text: &str) -> (String, Option<(usize, usize)>) {
    let NotRead { what, place, .. } = read(text).unwrap_err();
    (what, place)
}

#[test]
fn an_anthropic_request_is_read() {
    let sent = sent(
        r#"{"model": "m", "max_tokens": 9, "system": [{"type": "text", "text": "A"}, {"type": "text", "text": "B\n"},
            {"text": "C", "cache_control": {"type": "ephemeral"}}],
            "messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}, {"type": "image", "source": {}}]}],
            "tools": [{"name": "t", "description": "d", "input_schema": {"type": "object"}}, {"type": "web_search"}]}"#,
    );
    assert_eq!(sent.kind, SentKind::Anthropic);
    assert_eq!(texts(&sent), [(Role::System, "A\n\nB\nC"), (Role::User, "hi")]);
    assert_eq!((sent.messages[1].other_parts, sent.messages[1].place.as_str()), (1, "messages[0]"));
    let tools = sent.tools.unwrap();
    assert_eq!((tools[0].description.as_str(), tools[1].name.as_str()), ("d", "web_search"));
    assert_eq!((sent.model.as_deref(), &*sent.settings), (Some("m"), ["max_tokens".to_string()].as_slice()));
}

#[test]
fn an_openai_request_is_read() {
    let sent = sent(
        r#"{"messages": [{"role": "developer", "content": "S"}, {"role": "user", "content": [{"type": "text", "text": "hi"}]},
            {"role": "assistant", "content": null, "tool_calls": []}, {"role": "tool", "tool_call_id": "1", "content": "x"}],
            "tools": [{"type": "function", "function": {"name": "t", "parameters": {"type": "object"}}}]}"#,
    );
    assert_eq!(sent.kind, SentKind::Openai);
    let expected = [(Role::System, "S"), (Role::User, "hi"), (Role::Assistant, ""), (Role::Tool, "x")];
    assert_eq!(texts(&sent), expected);
    assert_eq!(sent.tools.unwrap()[0].name, "t");
}

#[test]
fn a_responses_request_is_read() {
    let sent = sent(
        r#"{"instructions": "I", "input": [{"type": "additional_tools", "role": "developer", "tools": [{}]},
            {"role": "developer", "content": [{"type": "input_text", "text": "S"}]}, {"type": "reasoning"},
            {"role": "user", "content": "hi"}]}"#,
    );
    assert_eq!(sent.kind, SentKind::Responses);
    assert_eq!(texts(&sent), [(Role::System, "I"), (Role::System, "S"), (Role::User, "hi")]);
    assert_eq!(sent.messages[1].place, "input[1]");
}

#[test]
fn a_gemini_request_is_read() {
    let sent = sent(
        r#"{"system_instruction": {"parts": [{"text": "S"}]}, "contents": [{"parts": [{"text": "hi"}]},
            {"role": "model", "parts": [{"functionCall": {"name": "t"}}]}],
            "tools": [{"function_declarations": [{"name": "t", "parameters": {"type": "OBJECT", "properties":
            {"type": {"type": "STRING"}}}}]}, {"googleSearch": {}}]}"#,
    );
    assert_eq!(sent.kind, SentKind::Gemini);
    assert_eq!(texts(&sent), [(Role::System, "S"), (Role::User, "hi"), (Role::Assistant, "")]);
    let tools = sent.tools.unwrap();
    let schema = r#"{"type": "object", "properties": {"type": {"type": "string"}}}"#;
    assert_eq!(tools[0].schema, crate::read::value::read_json(schema).unwrap());
    assert_eq!(tools[1].name, "googleSearch");
}

#[test]
fn a_list_records_neither_system_text_nor_tools() {
    let sent = sent(r#"[{"role": "user", "content": "hi"}]"#);
    assert_eq!((sent.kind, sent.records_system, sent.tools), (SentKind::Messages, false, None));
}

#[test]
fn a_transcript_records_its_first_request() {
    let own = "{\"event\":\"system_prompt\",\"text\":\"S\",\"layers\":[]}\n\
               {\"event\":\"context_injected\",\"before\":[\"a\"],\"after\":[]}\n";
    let sent = self::sent(own);
    assert_eq!((sent.kind, texts(&sent)), (SentKind::Transcript, vec![(Role::System, "S")]));
    assert_eq!(sent.injected, Some(InjectedNames { before: vec!["a".to_string()], after: vec![] }));
    assert!(!sent.is_whole && sent.tools.is_none());

    let released = [
        r#"{"event_type": "thread_started", "payload": {"directive": "d", "text": 5}}"#,
        "",
        r#"{"event_type": "context_injected", "payload": {"position": "after", "blocks": [{"id": "b", "content": "x"}]}}"#,
        r#"{"event_type": "cognition_in", "payload": {"text": "hi", "role": "user"}}"#,
        r#"{"event_type": "token_delta", "payload": {"text": "o"}}"#,
        r#"{"event_type": "cognition_out", "payload": {"text": "ok"}}"#,
        r#"{"event_type": "tool_call_result", "payload": {"output": {"a": []}}}"#,
        r#"{"event_type": "system_prompt", "payload": {"text": "later"}}"#,
        r#"{"event_type": "cogni"#,
    ];
    let sent = self::sent(&released.join("\r\n"));
    assert_eq!(texts(&sent), [(Role::User, "hi")]);
    assert_eq!((sent.messages[0].place.as_str(), sent.later, sent.injected), ("line 4", 1, None));
    assert!(sent.records_system, "later events without a system message show that there was none");
    assert_eq!(sent.notes, ["line 9, the last, is truncated and was skipped"]);
}

#[test]
fn other_files_are_refused_with_the_position() {
    assert_eq!(refused("").0, "this is empty, not a transcript or a request");
    assert_eq!(refused("42").0, "this is a single value, not a transcript or a request");
    assert_eq!(
        refused("# Deploy\n"),
        ("not a saved transcript or request body: it is not JSON".to_string(), Some((1, 1)))
    );
    assert_eq!(refused("{\"messages\": [\n  {\"role\": \"user\",").1, Some((2, 18)));
    assert!(refused("{\"a\": 1}").0.contains("without `messages`, `contents` or an event name"));
    assert!(refused("{\"event\": \"thread_started\"}").0.contains("contains no request"));
    assert!(
        refused("{\"event\": \"thread_started\"").0.contains("not JSON"),
        "a truncated line is an error if it is the only one"
    );
    let (what, place) = refused("{\"event\": \"a\"}\n{\"event\": }\n{\"event\": \"b\"}\n");
    assert_eq!((what.as_str(), place), ("not a saved transcript or request body: it is not JSON", Some((2, 11))));
    assert!(refused(r#"{"messages": [{"role": "bot", "content": ""}]}"#).0.contains("unknown variant `bot`"));
    assert!(refused(r#"{"messages": 1}"#).0.contains("invalid type"));
    assert!(refused(r#"{"messages": []} {"messages": []}"#).0.contains("it is not JSON"));
    let deep = ["[", "]"].map(|bracket| bracket.repeat(100_000)).concat();
    let deep = format!(r#"{{"messages": [{{"role": "user", "content": {deep}}}]}}"#);
    assert!(refused(&deep).0.contains("nested too deeply"));
}

proptest! {
    #[test]
    fn no_input_causes_a_panic(text in r#"(\{|\}|\[|\]|,|:|"|\n|1|null|"(event|messages|contents|role|parts|text|tools|type|system_prompt|user)"){0,40}"#) {
        let _ = read(&text);
    }
}
