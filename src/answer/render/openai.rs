//! The body of a request to OpenAI's Chat Completions API.

use serde::Serialize;

use super::provider::{ChatMessage, ObjectSchema, refuse_role};
use crate::diagnostic::Diagnostic;
use crate::prompt::{Prompt, Role};

/// A body for `POST /v1/chat/completions`.
#[derive(Serialize)]
pub struct OpenaiBody<'a> {
    model: &'a str,
    messages: Vec<ChatMessage<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<OpenaiTool<'a>>,
}

#[derive(Serialize)]
struct OpenaiTool<'a> {
    #[serde(rename = "type")]
    tool_type: &'static str,
    function: OpenaiFunction<'a>,
}

#[derive(Serialize)]
struct OpenaiFunction<'a> {
    name: &'a str,
    description: &'a str,
    parameters: ObjectSchema<'a>,
}

/// `model` is the effective model, which the API knows only if `--model` or the directive names it. The system text
/// is a message, as this API expects.
///
/// # Errors
///
/// The thread has a message from a tool, which would need the id of its call.
pub fn body(prompt: &Prompt) -> Result<OpenaiBody<'_>, Diagnostic> {
    let messages = prompt.request().iter().map(|message| match message.role {
        Role::System | Role::Developer | Role::User | Role::Assistant => Ok(ChatMessage::new(message)),
        Role::Tool => Err(refuse_role(message.role, "openai")),
    });
    let tools = prompt.tools.iter().map(|tool| OpenaiTool {
        tool_type: "function",
        function: OpenaiFunction {
            name: &tool.name,
            description: &tool.description,
            parameters: ObjectSchema(&tool.input_schema),
        },
    });
    Ok(OpenaiBody {
        model: &prompt.model.effective,
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
    fn tools_are_functions_and_the_system_text_is_a_message() {
        let mut prompt = deploy();
        prompt.tools.truncate(1);
        assert_eq!(
            to_value(body(&prompt).unwrap()).unwrap(),
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
    fn absent_parts_are_omitted() {
        let body = to_value(body(&user("Hi")).unwrap()).unwrap();
        assert_eq!(body, json!({"model": "general", "messages": [{"role": "user", "content": "Hi"}]}));
    }

    #[test]
    fn a_later_system_message_is_kept_and_a_tool_message_is_refused() {
        let prompt = resumed(&[Role::User, Role::System, Role::Assistant]);
        let body = to_value(super::body(&prompt).unwrap()).unwrap();
        assert_eq!(body["messages"][1], json!({"role": "system", "content": "1"}));
        assert_eq!(super::body(&resumed(&[Role::Tool])).err().unwrap().code(), "role_without_place");
    }
}
