//! The bodies of requests to providers.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{Message, Prompt, Role};
use crate::read::value::{Map, Value};

/// Anthropic's API requires a limit, and the protocols define none. Every model allows this one.
const MAX_TOKENS: u32 = 4096;

/// A body for `POST /v1/messages` of Anthropic.
#[derive(Serialize)]
pub struct AnthropicBody<'a> {
    model: &'a str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<&'a str>,
    messages: Vec<ChatMessage<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<ProviderTool<'a>>,
}

/// A body for `POST /v1/chat/completions` of OpenAI.
#[derive(Serialize)]
pub struct OpenaiBody<'a> {
    model: &'a str,
    messages: Vec<ChatMessage<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<OpenaiTool<'a>>,
}

/// For `POST /v1beta/models/MODEL:generateContent` of Google; the model is part of the URL.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GeminiBody<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<GeminiContent<'a>>,
    contents: Vec<GeminiContent<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<[GeminiTools<'a>; 1]>,
}

/// A message in the format of Anthropic's and OpenAI's APIs.
#[derive(Serialize)]
struct ChatMessage<'a> {
    role: Role,
    content: &'a str,
}

#[derive(Serialize)]
struct GeminiContent<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    parts: [GeminiPart<'a>; 1],
}

#[derive(Serialize)]
struct GeminiPart<'a> {
    text: &'a str,
}

#[derive(Serialize)]
struct OpenaiTool<'a> {
    #[serde(rename = "type")]
    tool_type: &'static str,
    function: ProviderTool<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GeminiTools<'a> {
    function_declarations: Vec<ProviderTool<'a>>,
}

/// A tool; only the name of the key with its schema differs between the APIs.
struct ProviderTool<'a> {
    name: &'a str,
    description: &'a str,
    schema_key: &'static str,
    schema: &'a Value,
}

impl Serialize for ProviderTool<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(Some(3))?;
        out.serialize_entry("name", self.name)?;
        out.serialize_entry("description", self.description)?;
        out.serialize_entry(self.schema_key, &ObjectSchema(self.schema))?;
        out.end()
    }
}

/// The APIs require an object schema: `type` defaults to `object`, and a schema that is not a map accepts any object.
struct ObjectSchema<'a>(&'a Value);

impl Serialize for ObjectSchema<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let none = Map::new();
        let map = self.0.as_map().unwrap_or(&none);
        if map.contains_key(&Value::from("type")) {
            return self.0.serialize(serializer);
        }
        let mut out = serializer.serialize_map(Some(map.len() + 1))?;
        out.serialize_entry("type", "object")?;
        for (key, value) in map {
            out.serialize_entry(&key.as_str().unwrap_or_default(), value)?;
        }
        out.end()
    }
}

/// `model` is the effective model, which the API knows only if `--model` or the directive names it.
///
/// # Errors
///
/// The thread has a message from a tool.
pub fn anthropic(prompt: &Prompt) -> Result<AnthropicBody<'_>, Diagnostic> {
    let (system, rest) = system_and_rest(prompt);
    Ok(AnthropicBody {
        model: &prompt.model.effective,
        max_tokens: MAX_TOKENS,
        system,
        messages: messages(rest, &[Role::User, Role::Assistant], "anthropic", chat_message)?,
        tools: tools(prompt, ANTHROPIC_SCHEMA).collect(),
    })
}

/// `model` is the effective model, which the API knows only if `--model` or the directive names it. The system text
/// is a message, as this API expects.
///
/// # Errors
///
/// The thread has a message from a tool, which would need the id of its call.
pub fn openai(prompt: &Prompt) -> Result<OpenaiBody<'_>, Diagnostic> {
    let roles = [Role::System, Role::Developer, Role::User, Role::Assistant];
    let tools = tools(prompt, "parameters").map(|function| OpenaiTool { tool_type: "function", function });
    Ok(OpenaiBody {
        model: &prompt.model.effective,
        messages: messages(prompt.request(), &roles, "openai", chat_message)?,
        tools: tools.collect(),
    })
}

/// `parametersJsonSchema` accepts any JSON Schema; the older `parameters` accepts a subset.
///
/// # Errors
///
/// The thread has a message from a tool.
pub fn gemini(prompt: &Prompt) -> Result<GeminiBody<'_>, Diagnostic> {
    let (system, rest) = system_and_rest(prompt);
    let content = |role, text| GeminiContent { role, parts: [GeminiPart { text }] };
    let role = |role| if role == Role::Assistant { "model" } else { "user" };
    let functions = || GeminiTools { function_declarations: tools(prompt, "parametersJsonSchema").collect() };
    Ok(GeminiBody {
        system_instruction: system.map(|text| content(None, text)),
        contents: messages(rest, &[Role::User, Role::Assistant], "gemini", |message| {
            content(Some(role(message.role)), message.text())
        })?,
        tools: (!prompt.tools.is_empty()).then(|| [functions()]),
    })
}

const ANTHROPIC_SCHEMA: &str = "input_schema";

/// A tool in the format of Anthropic's API.
pub(crate) fn anthropic_tool(name: &str, description: &str, schema: &Value) -> String {
    let tool = ProviderTool { name, description, schema_key: ANTHROPIC_SCHEMA, schema };
    serde_json::to_string(&tool).unwrap_or_default()
}

fn tools<'a>(prompt: &'a Prompt, schema_key: &'static str) -> impl Iterator<Item = ProviderTool<'a>> {
    let tools = prompt.tools.iter();
    tools.map(move |tool| ProviderTool {
        name: &tool.name,
        description: &tool.description,
        schema_key,
        schema: &tool.input_schema,
    })
}

fn system_and_rest(prompt: &Prompt) -> (Option<&str>, &[Message]) {
    match prompt.request().split_first() {
        Some((first, rest)) if first.role == Role::System => (Some(first.text()), rest),
        _ => (None, prompt.request()),
    }
}

fn chat_message(message: &Message) -> ChatMessage<'_> {
    ChatMessage { role: message.role, content: message.text() }
}

/// Every API requires the id or name of the call that a tool's message answers, which `{role, content}` does not
/// record.
fn messages<'a, T>(
    messages: &'a [Message],
    roles: &[Role],
    provider: &'static str,
    written: impl Fn(&'a Message) -> T,
) -> Result<Vec<T>, Diagnostic> {
    let refused = |role: Role| Diagnostic::new(Problem::RoleWithoutPlace { role: role.into_str(), provider });
    let message = |it: &'a Message| if roles.contains(&it.role) { Ok(written(it)) } else { Err(refused(it.role)) };
    messages.iter().map(message).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{json, to_value};

    use super::*;
    use crate::prompt::testing::{deploy, resumed, user};
    use crate::read::value::from_json;

    #[test]
    fn a_schema_is_an_object_schema() {
        for (schema, expected) in [
            (r#"{"type":"object","x":1}"#, r#"{"type":"object","x":1}"#),
            (r#"{"properties":{"a":{}}}"#, r#"{"type":"object","properties":{"a":{}}}"#),
            ("[1]", r#"{"type":"object"}"#),
            ("null", r#"{"type":"object"}"#),
        ] {
            let schema = from_json(serde_json::from_str(schema).unwrap());
            assert_eq!(serde_json::to_string(&ObjectSchema(&schema)).unwrap(), expected);
        }
    }

    #[test]
    fn system_text_and_palette_are_separate_fields_for_anthropic() {
        let prompt = deploy();
        assert_eq!(
            to_value(anthropic(&prompt).unwrap()).unwrap(),
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
        let body = to_value(anthropic(&user("Hi")).unwrap()).unwrap();
        let expected = json!({
            "model": "general", "max_tokens": 4096, "messages": [{"role": "user", "content": "Hi"}],
        });
        assert_eq!(body, expected);
    }

    #[test]
    fn earlier_messages_come_first() {
        let body = to_value(anthropic(&resumed(&[Role::User, Role::Assistant, Role::User])).unwrap()).unwrap();
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
            to_value(openai(&prompt).unwrap()).unwrap(),
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
        let body = to_value(openai(&user("Hi")).unwrap()).unwrap();
        assert_eq!(body, json!({"model": "general", "messages": [{"role": "user", "content": "Hi"}]}));
    }

    #[test]
    fn a_later_system_message_is_kept_and_a_tool_message_is_refused() {
        let prompt = resumed(&[Role::User, Role::System, Role::Assistant]);
        let body = to_value(openai(&prompt).unwrap()).unwrap();
        assert_eq!(body["messages"][1], json!({"role": "system", "content": "1"}));
        assert_eq!(openai(&resumed(&[Role::Tool])).err().unwrap().code(), "role_without_place");
    }

    #[test]
    fn system_text_and_palette_are_separate_fields_for_gemini() {
        let mut prompt = deploy();
        prompt.tools.truncate(1);
        assert_eq!(
            to_value(gemini(&prompt).unwrap()).unwrap(),
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
        let body = to_value(gemini(&user("Hi")).unwrap()).unwrap();
        assert_eq!(body, json!({"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}));
    }

    #[test]
    fn the_assistant_has_the_role_model() {
        let body = to_value(gemini(&resumed(&[Role::User, Role::Assistant])).unwrap()).unwrap();
        assert_eq!(body["contents"][1], json!({"role": "model", "parts": [{"text": "1"}]}));
    }

    #[test]
    fn unsupported_roles_are_refused_for_gemini() {
        for roles in [[Role::User, Role::Tool], [Role::User, Role::System]] {
            assert_eq!(gemini(&resumed(&roles)).err().unwrap().code(), "role_without_place");
        }
    }
}
