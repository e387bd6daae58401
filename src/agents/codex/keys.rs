//! The types of the settings that the agent knows: a value of a wrong type stops it.

use super::refusal;
use crate::agents::setting_keys::{SettingKey, ValueType};
use crate::diagnostic::Diagnostic;
use crate::read::yaml::{YamlData, YamlNode};

pub(super) const KEYS: [SettingKey; 18] = [
    ("project_root_markers", ValueType::Texts, "names of files and folders that mark the top of a project"),
    ("project_doc_fallback_filenames", ValueType::Texts, "instruction files for folders without AGENTS.md"),
    ("project_doc_max_bytes", ValueType::Count, "the most bytes of instruction files that are sent"),
    ("developer_instructions", ValueType::Text, "a text that is sent beside the instruction files"),
    ("model_instructions_file", ValueType::Text, "a file that replaces the text of the agent"),
    ("instructions", ValueType::Text, "a text that replaces the text of the agent"),
    ("model", ValueType::Text, "the model"),
    ("model_context_window", ValueType::Integer, "the tokens that the model takes"),
    ("include_permissions_instructions", ValueType::Boolean, "whether the text about permissions is sent"),
    ("include_apps_instructions", ValueType::Boolean, "whether the text about apps is sent"),
    ("include_environment_context", ValueType::Boolean, "whether the text about the environment is sent"),
    ("skills", ValueType::Map, "which skills are listed"),
    ("skills.include_instructions", ValueType::Boolean, "whether skills are listed"),
    ("skills.bundled", ValueType::Map, "the skills that come with the agent"),
    ("skills.bundled.enabled", ValueType::Boolean, "whether the skills that come with the agent are listed"),
    ("projects", ValueType::Map, "folders, each trusted or not"),
    (
        "sandbox_mode",
        ValueType::OneOf(&["read-only", "workspace-write", "danger-full-access"]),
        "what commands may write",
    ),
    ("personality", ValueType::OneOf(&["none", "friendly", "pragmatic"]), "the tone of answers"),
];

const TRUST: ValueType = ValueType::OneOf(&["trusted", "untrusted"]);

/// Refuses a file whose values the agent cannot read.
pub(super) fn check(settings: &YamlNode) -> Result<(), Diagnostic> {
    for (key, expected, _) in KEYS {
        check_key(settings, key, expected)?;
    }
    if let Some(YamlData::Map(projects)) = settings.get("projects").map(|it| &it.data) {
        for project in projects.values() {
            expect("projects", project, ValueType::Map)?;
            check_key(project, "trust_level", TRUST)?;
        }
    }
    let Some(switches) = settings.at("skills.config") else { return Ok(()) };
    let Some(list) = switches.as_list() else { return Err(wrong("skills.config", switches)) };
    for switch in list {
        expect("skills.config", switch, ValueType::Map)?;
        check_key(switch, "name", ValueType::Text)?;
        check_key(switch, "path", ValueType::Text)?;
        match switch.get("enabled") {
            Some(enabled) => expect("skills.config.enabled", enabled, ValueType::Boolean)?,
            None => {
                return Err(refusal("an entry of `skills.config` lacks `enabled`".to_string(), switch.span.clone()));
            }
        }
    }
    Ok(())
}

fn check_key(settings: &YamlNode, key: &str, expected: ValueType) -> Result<(), Diagnostic> {
    settings.at(key).map_or(Ok(()), |value| expect(key, value, expected))
}

fn expect(key: &str, value: &YamlNode, expected: ValueType) -> Result<(), Diagnostic> {
    if expected.accepts(value) { Ok(()) } else { Err(wrong(key, value)) }
}

fn wrong(key: &str, value: &YamlNode) -> Diagnostic {
    refusal(format!("the value of `{key}` is not valid"), value.span.clone())
}
