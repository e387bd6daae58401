//! The digests of a prompt, for `--expect-sha256` and the lock.

use std::io;

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::text::numbers::hex;

use crate::prompt::{Message, ToolEntry};

/// SHA-256, in lower-case hex digits, of the UTF-8 JSON list of `[role, text]` pairs without white space, in which
/// only `"`, `\` and U+0000 to U+001F are escaped (output contract, "render").
pub fn sha256(messages: &[Message]) -> String {
    let pairs: Vec<_> = messages.iter().map(|message| (message.role.into_str(), message.text())).collect();
    sha256_of_pairs(&pairs)
}

/// [`sha256`] of messages as pairs of role and text.
pub fn sha256_of_pairs(pairs: &[(&str, &str)]) -> String {
    of_json(&pairs)
}

/// [`sha256`] of the list of `[name, description, input_schema]` of the tools.
pub fn sha256_of_tools(tools: &[ToolEntry]) -> String {
    let seen: Vec<_> = tools.iter().map(|tool| (&tool.name, &tool.description, &tool.input_schema)).collect();
    of_json(&seen)
}

/// SHA-256, in lower-case hex digits.
pub fn sha256_of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// SHA-256, in lower-case hex digits, of a value as JSON without white space.
pub(crate) fn of_json(value: &impl Serialize) -> String {
    let mut hasher = Hasher(Sha256::new());
    // Writing to a hash cannot fail, and lists of strings and values can always be serialized.
    serde_json::to_writer(&mut hasher, value).expect("lists can be serialized");
    hex(&hasher.0.finalize())
}

struct Hasher(Sha256);

impl io::Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::Role;
    use crate::read::value::Value;
    use crate::text::Traced;

    fn digest(messages: &[(Role, &str)]) -> String {
        let messages: Vec<_> = messages
            .iter()
            .map(|&(role, text)| {
                let mut message = Message::new(role);
                message.push(&Traced::protocol(text), None);
                message
            })
            .collect();
        sha256(&messages)
    }

    fn sha256_of(text: &str) -> String {
        Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn a_prompt_without_messages_is_hashed_as_an_empty_list() {
        assert_eq!(digest(&[]), "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945");
    }

    #[test]
    fn tools_are_hashed_as_the_model_sees_them() {
        let schema = Value::Map([(Value::from("type"), Value::from("object"))].into_iter().collect());
        let tool = ToolEntry {
            name: "a".to_string(),
            description: "says \"é\"".to_string(),
            input_schema: schema,
            item_id: "x/a".to_string(),
            primary: "execute",
            source: None,
            schema_span: None,
            description_span: None,
        };
        let json = "[[\"a\",\"says \\\"é\\\"\",{\"type\":\"object\"}]]";
        assert_eq!(sha256_of_tools(&[tool]), sha256_of(json));
        assert_eq!(sha256_of_tools(&[]), digest(&[]));
    }

    #[test]
    fn only_what_json_requires_is_escaped() {
        let text = "\"\\/\u{8}\t\n\u{c}\r\u{0}\u{b}\u{1f}\u{7f}\u{80}é\u{2028}😀</>";
        let json = "[[\"system\",\"a\"],[\"user\",\"\\\"\\\\/\\b\\t\\n\\f\\r\\u0000\\u000b\\u001f\u{7f}\u{80}é\u{2028}😀</>\"]]";
        assert_eq!(digest(&[(Role::System, "a"), (Role::User, text)]), sha256_of(json));
    }
}
