//! The smallest valid answers of the APIs of model providers.

use serde::Deserialize;
use serde_json::{Value, json};

/// The text of every answer.
const TEXT: &str = "Recorded.";
const ID: &str = "recorded";
const JSON: &str = "application/json";
const STREAM: &str = "text/event-stream";

#[derive(Debug, PartialEq, Eq)]
pub struct Reply {
    pub status: u16,
    pub content_type: &'static str,
    pub body: String,
}

impl Reply {
    pub fn refusal(status: u16, what: &str) -> Self {
        let error = json!({"type": "invalid_request_error", "message": format!("the request {what}")});
        Self { status, ..Self::json(&json!({"type": "error", "error": error})) }
    }

    fn json(value: &Value) -> Self {
        Self { status: 200, content_type: JSON, body: value.to_string() }
    }

    /// A stream of events, whose names are their types if they have one.
    fn stream(events: &[Value]) -> Self {
        let event = |event: &Value| match event["type"].as_str() {
            Some(name) => format!("event: {name}\ndata: {event}\n\n"),
            None => format!("data: {event}\n\n"),
        };
        Self { status: 200, content_type: STREAM, body: events.iter().map(event).collect() }
    }
}

/// Makes the answer of a model, as a stream or not.
type Api = fn(&str, bool) -> Reply;

/// What a body says of the answer.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Wanted {
    stream: bool,
    model: String,
}

/// Whether a prompt is sent there.
pub fn is_for_model(path: &str) -> bool {
    api(path).is_some()
}

fn api(path: &str) -> Option<Api> {
    let path = path.split('?').next().unwrap_or_default().trim_end_matches('/');
    match path.rsplit('/').next()? {
        "messages" => Some(anthropic),
        "completions" if path.ends_with("/chat/completions") => Some(chat),
        "responses" => Some(responses),
        last if last.ends_with(":generateContent") || last.ends_with(":streamGenerateContent") => Some(gemini),
        _ => None,
    }
}

pub fn reply(method: &str, path: &str, body: &[u8]) -> Reply {
    let plain = path.split('?').next().unwrap_or_default().trim_end_matches('/');
    match (method, api(path)) {
        ("POST", Some(api)) => {
            let wanted: Wanted = serde_json::from_slice(body).unwrap_or_default();
            let is_stream = wanted.stream || plain.ends_with(":streamGenerateContent");
            api(&wanted.model, is_stream)
        }
        ("POST", None) if plain.ends_with("/count_tokens") => Reply::json(&json!({"input_tokens": 1})),
        ("GET", _) if plain.ends_with("/models") => Reply::json(&json!({"object": "list", "data": []})),
        ("GET" | "HEAD", _) if plain.is_empty() => Reply::json(&json!({})),
        _ => Reply::refusal(404, "is none for a model"),
    }
}

fn anthropic(model: &str, is_stream: bool) -> Reply {
    let message = |content: Value, reason: Value| {
        json!({"id": ID, "type": "message", "role": "assistant", "model": model, "content": content,
            "stop_reason": reason, "stop_sequence": null, "usage": {"input_tokens": 1, "output_tokens": 1}})
    };
    if !is_stream {
        return Reply::json(&message(json!([{"type": "text", "text": TEXT}]), json!("end_turn")));
    }
    Reply::stream(&[
        json!({"type": "message_start", "message": message(json!([]), Value::Null)}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": TEXT}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": null},
            "usage": {"output_tokens": 1}}),
        json!({"type": "message_stop"}),
    ])
}

fn chat(model: &str, is_stream: bool) -> Reply {
    let whole = |object: &str, part: &str| {
        let content = json!({"role": "assistant", "content": TEXT});
        json!({"id": ID, "object": object, "created": 0, "model": model,
            "choices": [{"index": 0, part: content, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}})
    };
    if !is_stream {
        return Reply::json(&whole("chat.completion", "message"));
    }
    let mut reply = Reply::stream(&[whole("chat.completion.chunk", "delta")]);
    reply.body.push_str("data: [DONE]\n\n");
    reply
}

fn responses(model: &str, is_stream: bool) -> Reply {
    let item = json!({"id": ID, "type": "message", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": TEXT, "annotations": []}]});
    let response = |status: &str, output: Value| {
        json!({"id": ID, "object": "response", "created_at": 0, "model": model, "status": status, "output": output,
            "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}})
    };
    let completed = response("completed", json!([item]));
    if !is_stream {
        return Reply::json(&completed);
    }
    Reply::stream(&[
        json!({"type": "response.created", "sequence_number": 0, "response": response("in_progress", json!([]))}),
        json!({"type": "response.output_item.done", "sequence_number": 1, "output_index": 0, "item": item}),
        json!({"type": "response.completed", "sequence_number": 2, "response": completed}),
    ])
}

fn gemini(_model: &str, is_stream: bool) -> Reply {
    let answer = json!({"candidates": [{"index": 0, "content": {"role": "model", "parts": [{"text": TEXT}]},
        "finishReason": "STOP"}]});
    if is_stream { Reply::stream(&[answer]) } else { Reply::json(&answer) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to(method: &str, path: &str, body: &str) -> Reply {
        reply(method, path, body.as_bytes())
    }

    #[test]
    fn each_api_has_its_answer() {
        for (path, text) in [
            ("/v1/messages?beta=true", "/content/0/text"),
            ("/v1/chat/completions", "/choices/0/message/content"),
            ("/v1/responses", "/output/0/content/0/text"),
            ("/v1beta/models/m:generateContent?key=x", "/candidates/0/content/parts/0/text"),
        ] {
            let answer: Value = serde_json::from_str(&to("POST", path, r#"{"model": "m"}"#).body).unwrap();
            assert_eq!(answer.pointer(text).unwrap(), TEXT, "{path}");
            let streamed = match path.contains("generate") {
                true => to("POST", "/v1beta/models/m:streamGenerateContent?alt=sse", "{}"),
                false => to("POST", path, r#"{"stream": true}"#),
            };
            assert_eq!(streamed.content_type, STREAM);
            assert!(streamed.body.contains(TEXT) && streamed.body.ends_with("\n\n"), "{path}");
            assert!(is_for_model(path));
        }
    }

    #[test]
    fn what_holds_no_prompt_is_answered_too() {
        assert_eq!(to("HEAD", "/", "").status, 200);
        assert_eq!(to("GET", "/v1/models", "").body, r#"{"object":"list","data":[]}"#);
        assert_eq!(to("POST", "/v1/messages/count_tokens", "{}").body, r#"{"input_tokens":1}"#);
        for (method, path) in [("POST", "/api/event_logging/batch"), ("GET", "/v1/messages"), ("PUT", "/")] {
            assert_eq!(to(method, path, "").status, 404, "{path}");
        }
        assert!(!is_for_model("/v1/messages/count_tokens"));
    }
}
