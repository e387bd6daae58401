//! The types of the settings that the agent knows: a value of a wrong type stops it.

use num_bigint::{BigInt, Sign};

use super::refusal;
use crate::agents::agent::SettingKey;
use crate::diagnostic::Diagnostic;
use crate::read::value::Value;
use crate::read::yaml::{YamlData, YamlNode};

#[derive(Debug, Clone, Copy)]
enum Type {
    Text,
    Texts,
    Boolean,
    /// An integer that is not negative.
    Count,
    Integer,
    Table,
    OneOf(&'static [&'static str]),
}

/// With what each key does.
const KEYS: [(&str, Type, &str); 18] = [
    ("project_root_markers", Type::Texts, "names of files and folders that mark the top of a project"),
    ("project_doc_fallback_filenames", Type::Texts, "instruction files for folders without AGENTS.md"),
    ("project_doc_max_bytes", Type::Count, "the most bytes of instruction files that are sent"),
    ("developer_instructions", Type::Text, "a text that is sent beside the instruction files"),
    ("model_instructions_file", Type::Text, "a file that replaces the text of the agent"),
    ("instructions", Type::Text, "a text that replaces the text of the agent"),
    ("model", Type::Text, "the model"),
    ("model_context_window", Type::Integer, "the tokens that the model takes"),
    ("include_permissions_instructions", Type::Boolean, "whether the text about permissions is sent"),
    ("include_apps_instructions", Type::Boolean, "whether the text about apps is sent"),
    ("include_environment_context", Type::Boolean, "whether the text about the environment is sent"),
    ("skills", Type::Table, "which skills are listed"),
    ("skills.include_instructions", Type::Boolean, "whether skills are listed"),
    ("skills.bundled", Type::Table, "the skills that come with the agent"),
    ("skills.bundled.enabled", Type::Boolean, "whether the skills that come with the agent are listed"),
    ("projects", Type::Table, "folders, each trusted or not"),
    ("sandbox_mode", Type::OneOf(&["read-only", "workspace-write", "danger-full-access"]), "what commands may write"),
    ("personality", Type::OneOf(&["none", "friendly", "pragmatic"]), "the tone of answers"),
];

const TRUST: Type = Type::OneOf(&["trusted", "untrusted"]);

pub(super) fn keys() -> Vec<SettingKey> {
    KEYS.iter().map(|&(key, _, does)| (key, does)).collect()
}

/// Refuses a file whose values the agent cannot read.
pub(super) fn check(settings: &YamlNode) -> Result<(), Diagnostic> {
    for (key, expected, _) in KEYS {
        check_key(settings, key, expected)?;
    }
    if let Some(YamlData::Map(projects)) = settings.get("projects").map(|it| &it.data) {
        for project in projects.values() {
            expect("projects", project, Type::Table)?;
            check_key(project, "trust_level", TRUST)?;
        }
    }
    let Some(switches) = settings.at("skills.config") else { return Ok(()) };
    let Some(list) = switches.as_list() else { return Err(wrong("skills.config", switches)) };
    for switch in list {
        expect("skills.config", switch, Type::Table)?;
        check_key(switch, "name", Type::Text)?;
        check_key(switch, "path", Type::Text)?;
        match switch.get("enabled") {
            Some(enabled) => expect("skills.config.enabled", enabled, Type::Boolean)?,
            None => {
                return Err(refusal("an entry of `skills.config` lacks `enabled`".to_string(), switch.span.clone()));
            }
        }
    }
    Ok(())
}

fn check_key(settings: &YamlNode, key: &str, expected: Type) -> Result<(), Diagnostic> {
    settings.at(key).map_or(Ok(()), |value| expect(key, value, expected))
}

fn expect(key: &str, value: &YamlNode, expected: Type) -> Result<(), Diagnostic> {
    let is_right = match (expected, &value.data) {
        (Type::Text, YamlData::Scalar(Value::Str(_)))
        | (Type::Boolean, YamlData::Scalar(Value::Bool(_)))
        | (Type::Table, YamlData::Map(_)) => true,
        (Type::Integer, YamlData::Scalar(Value::Int(number))) => i64::try_from(number).is_ok(),
        (Type::Count, YamlData::Scalar(Value::Int(number))) => is_count(number),
        (Type::Texts, YamlData::List(list)) => list.iter().all(|item| item.as_str().is_some()),
        (Type::OneOf(words), YamlData::Scalar(Value::Str(word))) => words.contains(&word.as_str()),
        _ => false,
    };
    if is_right { Ok(()) } else { Err(wrong(key, value)) }
}

fn is_count(number: &BigInt) -> bool {
    number.sign() != Sign::Minus && i64::try_from(number).is_ok()
}

fn wrong(key: &str, value: &YamlNode) -> Diagnostic {
    refusal(format!("the value of `{key}` is not valid"), value.span.clone())
}
