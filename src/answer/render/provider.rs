//! Shared parts of the providers' request bodies.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{Message, Prompt, Role};
use crate::read::value::{Map, Value};

pub fn system_and_rest(prompt: &Prompt) -> (Option<&str>, &[Message]) {
    match prompt.request().split_first() {
        Some((first, rest)) if first.role == Role::System => (Some(first.text()), rest),
        _ => (None, prompt.request()),
    }
}

/// A message in the format of Anthropic's and OpenAI's APIs.
#[derive(Serialize)]
pub struct ChatMessage<'a> {
    role: &'static str,
    content: &'a str,
}

impl<'a> ChatMessage<'a> {
    pub fn new(message: &'a Message) -> Self {
        Self { role: message.role.into_str(), content: message.text() }
    }
}

/// Every API requires the id or name of the call that a tool's message answers, which `{role, content}` does not
/// record.
pub fn refuse_role(role: Role, provider: &'static str) -> Diagnostic {
    Diagnostic::new(Problem::RoleWithoutPlace { role: role.into_str(), provider })
}

/// The APIs require an object schema: `type` defaults to `object`, and a schema that is not a map accepts any object.
pub struct ObjectSchema<'a>(pub &'a Value);

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

#[cfg(test)]
mod tests {
    use super::*;
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
}
