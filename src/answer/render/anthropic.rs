//! The body of a request to Anthropic's Messages API.

use serde::Serialize;

use super::provider::{ChatMessage, ObjectSchema, refuse_role, system_and_rest};
use crate::diagnostic::Diagnostic;
use crate::prompt::{Prompt, Role};
use crate::read::value::Value;

/// The API requires a limit, and the protocols define none. Every model allows this one.
const MAX_TOKENS: u32 = 4096;

/// A body for `POST /v1/messages`.
#[derive(Serialize)]
pub struct AnthropicBody<'a> {
    model: &'a str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<&'a str>,
    messages: Vec<ChatMessage<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<AnthropicTool<'a>>,
}

#[derive(Serialize)]
struct AnthropicTool<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: ObjectSchema<'a>,
}

pub(crate) fn tool(name: &str, description: &str, schema: &Value) -> String {
    serde_json::to_string(&AnthropicTool { name, description, input_schema: ObjectSchema(schema) }).unwrap_or_default()
}

/// `model` is the effective model, which the API knows only if `--model` or the directive names it.
///
/// # Errors
///
/// The thread has a message from a tool.
pub fn body(prompt: &Prompt) -> Result<AnthropicBody<'_>, Diagnostic> {
    let (system, rest) = system_and_rest(prompt);
    let messages = rest.iter().map(|message| match message.role {
        Role::User | Role::Assistant => Ok(ChatMessage::new(message)),
        Role::System | Role::Developer | Role::Tool => Err(refuse_role(message.role, "anthropic")),
    });
    let tools = prompt.tools.iter().map(|tool| AnthropicTool {
        name: &tool.name,
        description: &tool.description,
        input_schema: ObjectSchema(&tool.input_schema),
    });
    Ok(AnthropicBody {
        model: &prompt.model.effective,
        max_tokens: MAX_TOKENS,
        system,
        messages: messages.collect::<Result<_, _>>()?,
        tools: tools.collect(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{json, to_value};

    use super::*;
    use crate::prompt::testing::{deploy, resumed, user};

    #[test]
    fn system_text_and_palette_are_separate_fields() {
        let prompt = deploy();
        assert_eq!(
            to_value(body(&prompt).unwrap()).unwrap(),
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
    fn absent_parts_are_omitted() {
        let body = to_value(body(&user("Hi")).unwrap()).unwrap();
        let expected = json!({
            "model": "general", "max_tokens": 4096, "messages": [{"role": "user", "content": "Hi"}],
        });
        assert_eq!(body, expected);
    }

    #[test]
    fn earlier_messages_come_first() {
        let body = to_value(body(&resumed(&[Role::User, Role::Assistant, Role::User])).unwrap()).unwrap();
        let expected = json!([
            {"role": "user", "content": "0"}, {"role": "assistant", "content": "1"}, {"role": "user", "content": "2"},
        ]);
        assert_eq!(body["messages"], expected);
    }

    #[test]
    fn unsupported_roles_are_refused() {
        for roles in [[Role::User, Role::Tool], [Role::User, Role::System]] {
            assert_eq!(body(&resumed(&roles)).err().unwrap().code(), "role_without_place");
        }
    }
}
