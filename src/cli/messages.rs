//! The earlier messages of a resumed thread: `--messages`.

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::decide::request::SentMessage;
use crate::diagnostic::{Diagnostic, Problem, without_place};
use crate::prompt::Role;
use crate::read::store::Disk;
use crate::read::{files, limits};
use crate::text::Source;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MessageEntry {
    #[serde(deserialize_with = "RoleName::deserialize")]
    role: Role,
    content: String,
}

/// Without the aliases of request bodies.
#[derive(Deserialize)]
#[serde(remote = "Role", rename_all = "lowercase")]
enum RoleName {
    System,
    User,
    Assistant,
    Tool,
}

pub(super) fn entries<T: DeserializeOwned>(source: &Arc<Source>) -> Result<Vec<T>, Diagnostic> {
    let list: Vec<T> = serde_json::from_str(source.text()).map_err(|error| {
        let reason = without_place(&error.to_string()).to_string();
        files::at(source, Problem::InvalidMessages { reason }, Some((error.line(), error.column())))
    })?;
    limits::messages(source, list.len())?;
    Ok(list)
}

/// Reads the messages. At least one must be the user's.
pub(super) fn read(path: &Path, disk: &Disk) -> Result<Vec<SentMessage>, Diagnostic> {
    parse(&files::read(path, limits::FILE_BYTES, disk)?)
}

fn parse(source: &Arc<Source>) -> Result<Vec<SentMessage>, Diagnostic> {
    let message = |MessageEntry { role, content }| SentMessage { role, text: content };
    let messages: Vec<_> = entries(source)?.into_iter().map(message).collect();
    if messages.iter().any(|message| message.role == Role::User) {
        Ok(messages)
    } else {
        let reason = "no message has the role `user`".to_string();
        Err(files::at(source, Problem::InvalidMessages { reason }, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Vec<SentMessage>, String> {
        let source = Source::read("".into(), "messages.json", text.as_bytes().to_vec()).unwrap();
        parse(&source).map_err(|diagnostic| {
            assert_eq!(diagnostic.code(), "invalid_messages");
            diagnostic.message()
        })
    }

    #[test]
    fn roles_and_texts_are_kept_exactly() {
        let messages = parsed(r#"[{"role":"user","content":" a\r\n"},{"content":"","role":"assistant"}]"#).unwrap();
        let expected = [(Role::User, " a\r\n"), (Role::Assistant, "")];
        assert_eq!(messages, expected.map(|(role, text)| SentMessage { role, text: text.to_string() }));
    }

    #[test]
    fn invalid_messages_are_refused() {
        for text in ["", "{}", "[]", "[1]", r#"[{"role":"assistant","content":"x"}]"#, r#"[{"role":"user"}]"#] {
            assert!(parsed(text).is_err(), "{text}");
        }
        assert!(parsed(r#"[{"role":"bot","content":"x"}]"#).unwrap_err().contains("bot"));
    }
}
