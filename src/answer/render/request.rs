//! The bodies of requests to providers.

use serde_json::{Value as Json, json};

use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{Message, Prompt, Role};
use crate::read::value::{Value, to_json};

/// Anthropic's API requires a limit, and the protocols define none. Every model allows this one.
const MAX_TOKENS: u32 = 4096;

/// A body for `POST /v1/messages` of Anthropic. `model` is the effective model, which the API knows only if `--model` or
/// the directive names it.
///
/// # Errors
///
/// The thread has a message from a tool.
pub fn anthropic(prompt: &Prompt) -> Result<Json, Diagnostic> {
    let (system, rest) = system_and_rest(prompt);
    Ok(object([
        ("model", prompt.model.effective.as_str().into()),
        ("max_tokens", MAX_TOKENS.into()),
        ("system", system.into()),
        ("messages", messages(rest, &[Role::User, Role::Assistant], "anthropic", chat_message)?),
        ("tools", tools(prompt, ANTHROPIC_SCHEMA).into()),
    ]))
}

/// A body for `POST /v1/chat/completions` of OpenAI. `model` is the effective model, which the API knows only if
/// `--model` or the directive names it. The system text is a message, as this API expects.
///
/// # Errors
///
/// The thread has a message from a tool, which would need the id of its call.
pub fn openai(prompt: &Prompt) -> Result<Json, Diagnostic> {
    let roles = [Role::System, Role::Developer, Role::User, Role::Assistant];
    let function = |tool| object([("type", "function".into()), ("function", tool)]);
    let tools = tools(prompt, "parameters").map(|tools| tools.into_iter().map(function).collect::<Vec<_>>());
    Ok(object([
        ("model", prompt.model.effective.as_str().into()),
        ("messages", messages(prompt.request(), &roles, "openai", chat_message)?),
        ("tools", tools.into()),
    ]))
}

/// For `POST /v1beta/models/MODEL:generateContent` of Google; the model is part of the URL. `parametersJsonSchema`
/// accepts any JSON Schema; the older `parameters` accepts a subset.
///
/// # Errors
///
/// The thread has a message from a tool.
pub fn gemini(prompt: &Prompt) -> Result<Json, Diagnostic> {
    let (system, rest) = system_and_rest(prompt);
    let content = |message: &Message| {
        let role = if message.role == Role::Assistant { "model" } else { "user" };
        json!({"role": role, "parts": [{"text": message.text()}]})
    };
    let declared = |tools: Vec<Json>| vec![object([("functionDeclarations", tools.into())])];
    Ok(object([
        ("systemInstruction", system.map(|text| json!({"parts": [{"text": text}]})).into()),
        ("contents", messages(rest, &[Role::User, Role::Assistant], "gemini", content)?),
        ("tools", tools(prompt, "parametersJsonSchema").map(declared).into()),
    ]))
}

/// An object without the keys of what the prompt does not have. Unlike `json!`, it copies no values.
fn object<const N: usize>(parts: [(&str, Json); N]) -> Json {
    let present = parts.into_iter().filter(|(_, value)| !value.is_null());
    Json::Object(present.map(|(key, value)| (key.to_string(), value)).collect())
}

const ANTHROPIC_SCHEMA: &str = "input_schema";

/// A tool in the format of Anthropic's API.
pub(crate) fn anthropic_tool(name: &str, description: &str, schema: &Value) -> String {
    tool(name, description, ANTHROPIC_SCHEMA, schema).to_string()
}

fn tools(prompt: &Prompt, schema_key: &str) -> Option<Vec<Json>> {
    let written = prompt.tools.iter().map(|it| tool(&it.name, &it.description, schema_key, &it.input_schema));
    (!prompt.tools.is_empty()).then(|| written.collect())
}

/// Only the name of the key with the schema differs between the APIs.
fn tool(name: &str, description: &str, schema_key: &str, schema: &Value) -> Json {
    object([("name", name.into()), ("description", description.into()), (schema_key, object_schema(schema))])
}

/// The APIs require an object schema: `type` defaults to `object`, and a schema that is not a map accepts any object.
fn object_schema(schema: &Value) -> Json {
    match to_json(schema) {
        Json::Object(mut map) if !map.contains_key("type") => {
            map.shift_insert(0, "type".to_string(), "object".into());
            map.into()
        }
        map @ Json::Object(_) => map,
        _ => json!({"type": "object"}),
    }
}

fn system_and_rest(prompt: &Prompt) -> (Option<&str>, &[Message]) {
    match prompt.request().split_first() {
        Some((first, rest)) if first.role == Role::System => (Some(first.text()), rest),
        _ => (None, prompt.request()),
    }
}

fn chat_message(message: &Message) -> Json {
    json!({"role": message.role, "content": message.text()})
}

/// Every API requires the id or name of the call that a tool's message answers, which `{role, content}` does not
/// record.
fn messages(
    messages: &[Message],
    roles: &[Role],
    provider: &'static str,
    written: impl Fn(&Message) -> Json,
) -> Result<Json, Diagnostic> {
    let refused = |role: Role| Diagnostic::new(Problem::RoleWithoutPlace { role: role.into_str(), provider });
    let message = |it: &Message| if roles.contains(&it.role) { Ok(written(it)) } else { Err(refused(it.role)) };
    messages.iter().map(message).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::testing::{deploy, resumed, user};
    use crate::read::value::{Map, from_json};

    #[test]
    fn a_schema_is_an_object_schema() {
        for (schema, expected) in [
            (r#"{"type":"object","x":1}"#, r#"{"type":"object","x":1}"#),
            (r#"{"properties":{"a":{}}}"#, r#"{"type":"object","properties":{"a":{}}}"#),
            ("[1]", r#"{"type":"object"}"#),
            ("null", r#"{"type":"object"}"#),
        ] {
            let schema = from_json(serde_json::from_str(schema).unwrap());
            assert_eq!(object_schema(&schema).to_string(), expected);
        }
        let numbered = Value::from(Map::from_iter([(Value::from(1), Value::from("a"))]));
        assert_eq!(object_schema(&numbered).to_string(), r#"{"type":"object","1":"a"}"#);
    }

    #[test]
    fn system_text_and_palette_are_separate_fields_for_anthropic() {
        let prompt = deploy();
        assert_eq!(
            anthropic(&prompt).unwrap(),
            json!({
                "model": "sonnet",
                "max_tokens": 4096,
                "system": prompt.messages[0].text(),
                "messages": [{"role": "user", "content": prompt.messages[1].text()}],
                "tools": [
                    {
                        "name": "rye_file_system_read",
                        "description": "Reads a file",
                        "input_schema": {
                            "type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"],
                        },
                    },
                    {
                        "name": "directive_return",
                        "description": "Ends the thread with its outputs",
                        "input_schema": {
                            "type": "object",
                            "properties": {"report": {"type": "string", "description": "What happened"}},
                            "required": ["report"],
                        },
                    },
                ],
            })
        );
    }

    #[test]
    fn absent_parts_are_omitted_for_anthropic() {
        let body = anthropic(&user("Hi")).unwrap();
        let expected = json!({
            "model": "general", "max_tokens": 4096, "messages": [{"role": "user", "content": "Hi"}],
        });
        assert_eq!(body, expected);
    }

    #[test]
    fn earlier_messages_come_first() {
        let body = anthropic(&resumed(&[Role::User, Role::Assistant, Role::User])).unwrap();
        let expected = json!([
            {"role": "user", "content": "0"}, {"role": "assistant", "content": "1"}, {"role": "user", "content": "2"},
        ]);
        assert_eq!(body["messages"], expected);
    }

    #[test]
    fn unsupported_roles_are_refused_for_anthropic() {
        for roles in [[Role::User, Role::Tool], [Role::User, Role::System]] {
            assert_eq!(anthropic(&resumed(&roles)).err().unwrap().code(), "role_without_place");
        }
    }

    #[test]
    fn tools_are_functions_and_the_system_text_is_a_message() {
        let mut prompt = deploy();
        prompt.tools.truncate(1);
        assert_eq!(
            openai(&prompt).unwrap(),
            json!({
                "model": "sonnet",
                "messages": [
                    {"role": "system", "content": prompt.messages[0].text()},
                    {"role": "user", "content": prompt.messages[1].text()},
                ],
                "tools": [{
                    "type": "function",
                    "function": {
                        "name": "rye_file_system_read",
                        "description": "Reads a file",
                        "parameters": {
                            "type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"],
                        },
                    },
                }],
            })
        );
    }

    #[test]
    fn absent_parts_are_omitted_for_openai() {
        let body = openai(&user("Hi")).unwrap();
        assert_eq!(body, json!({"model": "general", "messages": [{"role": "user", "content": "Hi"}]}));
    }

    #[test]
    fn a_later_system_message_is_kept_and_a_tool_message_is_refused() {
        let prompt = resumed(&[Role::User, Role::System, Role::Assistant]);
        let body = openai(&prompt).unwrap();
        assert_eq!(body["messages"][1], json!({"role": "system", "content": "1"}));
        assert_eq!(openai(&resumed(&[Role::Tool])).err().unwrap().code(), "role_without_place");
    }

    #[test]
    fn system_text_and_palette_are_separate_fields_for_gemini() {
        let mut prompt = deploy();
        prompt.tools.truncate(1);
        assert_eq!(
            gemini(&prompt).unwrap(),
            json!({
                "systemInstruction": {"parts": [{"text": prompt.messages[0].text()}]},
                "contents": [{"role": "user", "parts": [{"text": prompt.messages[1].text()}]}],
                "tools": [{"functionDeclarations": [{
                    "name": "rye_file_system_read",
                    "description": "Reads a file",
                    "parametersJsonSchema": {
                        "type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"],
                    },
                }]}],
            })
        );
    }

    #[test]
    fn absent_parts_are_omitted_for_gemini() {
        let body = gemini(&user("Hi")).unwrap();
        assert_eq!(body, json!({"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}));
    }

    #[test]
    fn the_assistant_has_the_role_model() {
        let body = gemini(&resumed(&[Role::User, Role::Assistant])).unwrap();
        assert_eq!(body["contents"][1], json!({"role": "model", "parts": [{"text": "1"}]}));
    }

    #[test]
    fn unsupported_roles_are_refused_for_gemini() {
        for roles in [[Role::User, Role::Tool], [Role::User, Role::System]] {
            assert_eq!(gemini(&resumed(&roles)).err().unwrap().code(), "role_without_place");
        }
    }
}
