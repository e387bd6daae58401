//! The inputs from the command line (`--input`, `--input-json`, `--inputs`), and the earlier messages of a resumed thread
//! (`--messages`).

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::decide::request::{GivenInput, SentMessage};
use crate::diagnostic::{Diagnostic, Problem, without_place};
use crate::prompt::Role;
use crate::read::store::Disk;
use crate::read::value::{Map, Value, read_json};
use crate::read::yaml::{Unreadable, read_own};
use crate::read::{files, limits};
use crate::text::{InputFrom, Source};

/// All inputs. A flag overrides the file, and a later flag overrides an earlier one.
pub(super) fn gather(
    file: Option<&Path>,
    flags: &[(String, Value)],
    disk: &Disk,
) -> Result<Vec<GivenInput>, Diagnostic> {
    let mut inputs = IndexMap::new();
    if let Some(path) = file {
        let source = files::read(path, limits::FILE_BYTES, disk)?;
        let from = if files::is_stdin(path) { InputFrom::Stdin } else { InputFrom::File };
        let given = parse(&source)?;
        if given.len() > limits::INPUTS {
            return Err(limits::over(&source, limits::INPUTS, "inputs in a file", 0));
        }
        inputs.extend(given.into_iter().map(|(name, value)| (name, (value, from))));
    }
    inputs.extend(flags.iter().map(|(name, value)| (name.clone(), (value.clone(), InputFrom::Flag))));
    Ok(inputs.into_iter().map(|(name, (value, from))| GivenInput { name, value, from }).collect())
}

/// Parses a file of inputs as JSON or YAML, by its extension or else by its first character.
fn parse(source: &Arc<Source>) -> Result<IndexMap<String, Value>, Diagnostic> {
    let path = Path::new(source.path());
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let is_json = match extension {
        "json" => true,
        "yaml" | "yml" => false,
        _ => source.text().trim_start().starts_with('{'),
    };
    let value = if is_json { json(source)? } else { yaml(source)? };
    let map = match value {
        Value::Map(map) => map,
        Value::Null if !is_json => Map::new(),
        other => {
            let what = format!("the inputs are a {}, not a map of names to values", other.type_name());
            return Err(files::wrong(source, what, "write `name: value`, one input per line", None));
        }
    };
    map.into_iter()
        .map(|(name, value)| match name {
            Value::Str(name) => Ok((name, value)),
            other => {
                let what = format!("the name of an input is of type {}, not text", other.type_name());
                Err(files::wrong(source, what, "put the name in quotes", None))
            }
        })
        .collect()
}

fn json(source: &Arc<Source>) -> Result<Value, Diagnostic> {
    limits::json(source, limits::JSON_VALUES)?;
    read_json(source.text()).map_err(|error| {
        let what = format!("the inputs are not JSON: {}", without_place(&error.to_string()));
        files::wrong(source, what, "correct the file here", Some((error.line(), error.column())))
    })
}

fn yaml(source: &Arc<Source>) -> Result<Value, Diagnostic> {
    read_own(source.text()).map(from_yaml).map_err(|Unreadable { reason, at }| {
        let what = format!("the inputs cannot be read as YAML: {reason}");
        Diagnostic::at(Problem::invalid(what, "correct the file here"), source.span(at..at))
    })
}

/// Converts a value of YAML 1.2; tags are dropped.
pub(super) fn from_yaml(yaml: serde_yaml::Value) -> Value {
    use serde_yaml::Value as Yaml;
    match yaml {
        Yaml::Null => Value::Null,
        Yaml::Bool(value) => Value::Bool(value),
        Yaml::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(int), _) => Value::Int(int.into()),
            (None, Some(int)) => Value::Int(int.into()),
            (None, None) => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Yaml::String(text) => Value::Str(text),
        Yaml::Sequence(list) => Value::List(list.into_iter().map(from_yaml).collect()),
        Yaml::Mapping(map) => {
            Value::Map(map.into_iter().map(|(key, value)| (from_yaml(key), from_yaml(value))).collect())
        }
        Yaml::Tagged(tagged) => from_yaml(tagged.value),
    }
}

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

pub(super) fn message_entries<T: DeserializeOwned>(source: &Arc<Source>) -> Result<Vec<T>, Diagnostic> {
    let list: Vec<T> = serde_json::from_str(source.text()).map_err(|error| {
        let reason = without_place(&error.to_string()).to_string();
        files::at(source, Problem::InvalidMessages { reason }, Some((error.line(), error.column())))
    })?;
    limits::messages(source, list.len())?;
    Ok(list)
}

/// Reads the earlier messages of a resumed thread. At least one must be the user's.
pub(super) fn messages(path: &Path, disk: &Disk) -> Result<Vec<SentMessage>, Diagnostic> {
    parse_messages(&files::read(path, limits::FILE_BYTES, disk)?)
}

fn parse_messages(source: &Arc<Source>) -> Result<Vec<SentMessage>, Diagnostic> {
    let message = |MessageEntry { role, content }| SentMessage { role, text: content };
    let messages: Vec<_> = message_entries(source)?.into_iter().map(message).collect();
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
    use crate::diagnostic::Location;
    use crate::read::value::python_str;

    fn parsed(path: &str, text: &str) -> Result<Vec<String>, (String, usize, usize)> {
        let source = Source::read("".into(), path, text.as_bytes().to_vec()).unwrap();
        match parse(&source) {
            Ok(map) => Ok(map.iter().map(|(name, value)| format!("{name}={}", python_str(value))).collect()),
            Err(diagnostic) => {
                let Some(Location::Span(span)) = &diagnostic.at else { panic!("{diagnostic:?}") };
                let position = span.place().position;
                Err((diagnostic.message(), position.line, position.column))
            }
        }
    }

    #[test]
    fn json_and_yaml_values_have_types() {
        let json = r#"{"a": 1, "b": 1.0, "c": [null, "x"], "a": 12345678901234567890123}"#;
        let expected = ["a=12345678901234567890123", "b=1.0", "c=[None, 'x']"];
        assert_eq!(parsed("in.json", json).unwrap(), expected);
        assert_eq!(parsed("standard input", json).unwrap(), expected);
        let yaml = "a: 1\nb: 1.0\nc: [null, x, yes]\nd: !t {e: true}\n";
        assert_eq!(parsed("in.yaml", yaml).unwrap(), ["a=1", "b=1.0", "c=[None, 'x', 'yes']", "d={'e': True}"]);
        assert_eq!(parsed("in.yml", "{a: 1}").unwrap(), ["a=1"]);
        assert_eq!(parsed("in.yaml", "# nothing\n").unwrap(), [""; 0]);
    }

    #[test]
    fn errors_have_a_position() {
        let (message, line, column) = parsed("in.json", "{\n \"a\": 1,}").unwrap_err();
        assert_eq!((message.as_str(), line, column), ("the inputs are not JSON: trailing comma", 2, 9));
        let long = format!(r#"{{"a": [-{}]}}"#, "9".repeat(4301));
        assert_eq!(
            parsed("in.json", &long).unwrap_err().0,
            "the inputs are not JSON: an integer with more than 4300 digits"
        );
        assert!(parsed("in.json", &long.replacen('9', "", 1)).is_ok());
        let (message, ..) = parsed("in.json", "[1]").unwrap_err();
        assert_eq!(message, "the inputs are a list, not a map of names to values");
        let (message, ..) = parsed("in.yaml", "1: x").unwrap_err();
        assert_eq!(message, "the name of an input is of type int, not text");
        let (message, line, _) = parsed("in.yaml", "a: 1\nb: [1\n").unwrap_err();
        assert!(message.starts_with("the inputs cannot be read as YAML: "), "{message}");
        assert!(line >= 2);
    }

    #[test]
    fn depth_and_aliases_are_bounded() {
        assert!(parsed("in.json", &"[".repeat(100_000)).is_err());
        assert!(parsed("in.yaml", &"[".repeat(100_000)).is_err());
        let bomb: String = (0..30).fold("a0: &a0 [x]\n".to_string(), |yaml, n| {
            yaml + &format!("a{}: &a{} [{}]\n", n + 1, n + 1, vec![format!("*a{n}"); 10].join(","))
        });
        assert!(parsed("in.yaml", &bomb).is_err());
    }

    #[test]
    fn a_flag_overrides_an_earlier_flag() {
        let flags = [("a", "1"), ("b", "2"), ("a", "3")].map(|(name, value)| (name.to_string(), Value::from(value)));
        let inputs = gather(None, &flags, &Disk::default()).unwrap();
        let shown: Vec<_> = inputs.iter().map(|input| (input.name.as_str(), input.value.as_str().unwrap())).collect();
        assert_eq!(shown, [("a", "3"), ("b", "2")]);
    }

    fn parsed_messages(text: &str) -> Result<Vec<SentMessage>, String> {
        let source = Source::read("".into(), "messages.json", text.as_bytes().to_vec()).unwrap();
        parse_messages(&source).map_err(|diagnostic| {
            assert_eq!(diagnostic.code(), "invalid_messages");
            diagnostic.message()
        })
    }

    #[test]
    fn roles_and_texts_are_kept_exactly() {
        let messages =
            parsed_messages(r#"[{"role":"user","content":" a\r\n"},{"content":"","role":"assistant"}]"#).unwrap();
        let expected = [(Role::User, " a\r\n"), (Role::Assistant, "")];
        assert_eq!(messages, expected.map(|(role, text)| SentMessage { role, text: text.to_string() }));
    }

    #[test]
    fn invalid_messages_are_refused() {
        for text in ["", "{}", "[]", "[1]", r#"[{"role":"assistant","content":"x"}]"#, r#"[{"role":"user"}]"#] {
            assert!(parsed_messages(text).is_err(), "{text}");
        }
        assert!(parsed_messages(r#"[{"role":"bot","content":"x"}]"#).unwrap_err().contains("bot"));
    }
}
