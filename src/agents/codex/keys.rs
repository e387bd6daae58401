//! The types of the settings that the agent knows: a value of a wrong type stops it.

use num_bigint::{BigInt, Sign};

use super::refusal;
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

const KEYS: [(&str, Type); 18] = [
    ("project_root_markers", Type::Texts),
    ("project_doc_fallback_filenames", Type::Texts),
    ("project_doc_max_bytes", Type::Count),
    ("developer_instructions", Type::Text),
    ("model_instructions_file", Type::Text),
    ("instructions", Type::Text),
    ("model", Type::Text),
    ("model_context_window", Type::Integer),
    ("include_permissions_instructions", Type::Boolean),
    ("include_apps_instructions", Type::Boolean),
    ("include_environment_context", Type::Boolean),
    ("skills", Type::Table),
    ("skills.include_instructions", Type::Boolean),
    ("skills.bundled", Type::Table),
    ("skills.bundled.enabled", Type::Boolean),
    ("projects", Type::Table),
    ("sandbox_mode", Type::OneOf(&["read-only", "workspace-write", "danger-full-access"])),
    ("personality", Type::OneOf(&["none", "friendly", "pragmatic"])),
];

const TRUST: Type = Type::OneOf(&["trusted", "untrusted"]);

/// Refuses a file whose values the agent cannot read.
pub(super) fn check(settings: &YamlNode) -> Result<(), Diagnostic> {
    for (key, expected) in KEYS {
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
