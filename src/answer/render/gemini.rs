//! The body of a request to Google's Gemini API.

use serde::Serialize;

use super::provider::{ObjectSchema, refuse_role, system_and_rest};
use crate::diagnostic::Diagnostic;
use crate::prompt::{Prompt, Role};

/// For `POST /v1beta/models/MODEL:generateContent`; the model is part of the URL.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GeminiBody<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<GeminiContent<'a>>,
    contents: Vec<GeminiContent<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<[GeminiTools<'a>; 1]>,
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
#[serde(rename_all = "camelCase")]
struct GeminiTools<'a> {
    function_declarations: Vec<GeminiFunction<'a>>,
}

/// `parametersJsonSchema` accepts any JSON Schema; the older `parameters` accepts a subset.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GeminiFunction<'a> {
    name: &'a str,
    description: &'a str,
    parameters_json_schema: ObjectSchema<'a>,
}

/// # Errors
///
/// The thread has a message from a tool.
pub fn body(prompt: &Prompt) -> Result<GeminiBody<'_>, Diagnostic> {
    let (system, rest) = system_and_rest(prompt);
    let content = |role, text| GeminiContent { role, parts: [GeminiPart { text }] };
    let contents = rest.iter().map(|message| match message.role {
        Role::User => Ok(content(Some("user"), message.text())),
        Role::Assistant => Ok(content(Some("model"), message.text())),
        Role::System | Role::Developer | Role::Tool => Err(refuse_role(message.role, "gemini")),
    });
    let functions = prompt.tools.iter().map(|tool| GeminiFunction {
        name: &tool.name,
        description: &tool.description,
        parameters_json_schema: ObjectSchema(&tool.input_schema),
    });
    Ok(GeminiBody {
        system_instruction: system.map(|text| content(None, text)),
        contents: contents.collect::<Result<_, _>>()?,
        tools: (!prompt.tools.is_empty()).then(|| [GeminiTools { function_declarations: functions.collect() }]),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{json, to_value};

    use super::*;
    use crate::prompt::testing::{deploy, resumed, user};

    #[test]
    fn system_text_and_palette_are_separate_fields() {
        let mut prompt = deploy();
        prompt.tools.truncate(1);
        assert_eq!(
            to_value(body(&prompt).unwrap()).unwrap(),
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
    fn absent_parts_are_omitted() {
        let body = to_value(body(&user("Hi")).unwrap()).unwrap();
        assert_eq!(body, json!({"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}));
    }

    #[test]
    fn the_assistant_has_the_role_model() {
        let body = to_value(body(&resumed(&[Role::User, Role::Assistant])).unwrap()).unwrap();
        assert_eq!(body["contents"][1], json!({"role": "model", "parts": [{"text": "1"}]}));
    }

    #[test]
    fn unsupported_roles_are_refused() {
        for roles in [[Role::User, Role::Tool], [Role::User, Role::System]] {
            assert_eq!(body(&resumed(&roles)).err().unwrap().code(), "role_without_place");
        }
    }
}
