//! `settings.json` of the user and of the project, and whether the user trusts the project.

use serde_json::{Map, Value};

use super::{Arguments, Places, decoding};
use crate::agents::agent::FolderTrust;
use crate::agents::files::{ancestors, below, location};
use crate::agents::json;
use crate::agents::setting_keys::{SettingKey, ValueType};
use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{FileReason, Slot};

const NAME: &str = "settings.json";

/// What is read of a file.
pub(super) const KEYS: [SettingKey; 6] = [
    ("codemode", ValueType::Any, "how the agent runs code"),
    ("codemode.mode", ValueType::Any, "`only` hides all other tools"),
    ("defaultProjectTrust", ValueType::Any, "whether projects are trusted; counts only in the settings of the user"),
    ("defaultTools", ValueType::Any, "the tools that are active"),
    ("packages", ValueType::Any, "packages with skills, prompts and extensions"),
    ("skills", ValueType::Any, "paths of skills"),
];

/// A settings file; without values if there is none.
#[derive(Default)]
pub(super) struct SettingsFile {
    values: Map<String, Value>,
}

pub(super) struct Settings {
    pub global: SettingsFile,
    pub project: SettingsFile,
    /// Whether the user trusts the project.
    pub is_trusted: bool,
}

impl Settings {
    /// An untrusted project's file is not read.
    pub fn new(visit: &mut Visit<'_>, places: &Places, global: SettingsFile, is_trusted: bool) -> Self {
        let project = if is_trusted { read(visit, &places.project, "cwd") } else { SettingsFile::default() };
        let path = below(&places.project, NAME);
        if !is_trusted && visit.is_file(Slot::SystemBase, &path) {
            visit.left_out(Slot::SystemBase, &path, FileReason::Untrusted, None);
        }
        Self { global, project, is_trusted }
    }

    /// A value of a table; the project's wins.
    pub fn text_in(&self, table: &str, key: &str) -> Option<&str> {
        let value = |file: &'_ SettingsFile| file.values.get(table).and_then(|table| table.get(key)).is_some();
        let file = if value(&self.project) { &self.project } else { &self.global };
        file.values.get(table)?.get(key)?.as_str()
    }
}

impl SettingsFile {
    pub fn text(&self, key: &str) -> Option<&str> {
        self.values.get(key)?.as_str()
    }

    pub fn list(&self, key: &str) -> Option<&[Value]> {
        Some(self.values.get(key)?.as_array()?)
    }

    /// The texts in a list.
    pub fn texts(&self, key: &str) -> Vec<&str> {
        self.list(key).unwrap_or_default().iter().filter_map(Value::as_str).collect()
    }
}

/// The settings file in a folder.
pub(super) fn read(visit: &mut Visit<'_>, folder: &str, tier: &str) -> SettingsFile {
    let path = below(folder, NAME);
    let is_file = visit.is_file(Slot::SystemBase, &path);
    if !is_file && visit.kind(&path).is_none() {
        return SettingsFile::default();
    }
    match object(visit, &path, tier) {
        Ok(values) => SettingsFile { values },
        Err(error) => {
            visit.left_out(Slot::SystemBase, &path, FileReason::Invalid, None);
            visit.diagnostics.push(error);
            SettingsFile::default()
        }
    }
}

/// The members of a JSON file, none if it holds another value. Fails with what is wrong.
pub(super) fn object(visit: &Visit<'_>, path: &str, tier: &str) -> Result<Map<String, Value>, Diagnostic> {
    let span = visit.text(path, tier, decoding(visit)).map_err(|_| {
        let problem = Problem::AgentSettingsUnreadable { reason: "it cannot be read".to_string() };
        Diagnostic::at(problem, location(path, tier, visit.files.revision(path)))
    })?;
    match serde_json::from_str(span.text()) {
        Ok(Value::Object(values)) => Ok(values),
        Ok(_) => Ok(Map::new()),
        Err(error) => Err(json::unreadable(&span, &error)),
    }
}

/// The first that says something decides: a flag, the user's list of folders, the user's settings. Fails if the list
/// is invalid, which stops the agent.
pub(super) fn trusts(
    visit: &mut Visit<'_>,
    places: &Places,
    arguments: &Arguments,
    global: &SettingsFile,
) -> Result<bool, Diagnostic> {
    if visit.request.trust >= FolderTrust::Trusted || !visit.since("0.79.0") {
        return Ok(true);
    }
    if let Some(trusts) = arguments.trusts {
        return Ok(trusts);
    }
    if let Some(trusts) = listed_trust(visit, places)? {
        return Ok(trusts);
    }
    Ok(global.text("defaultProjectTrust") == Some("always"))
}

/// What the list says about the nearest folder that it names.
fn listed_trust(visit: &mut Visit<'_>, places: &Places) -> Result<Option<bool>, Diagnostic> {
    let path = below(&places.agent, "trust.json");
    let is_file = visit.is_file(Slot::SystemBase, &path);
    if !is_file && visit.kind(&path).is_none() {
        return Ok(None);
    }
    let entries = match trust_entries(visit, &path) {
        Ok(entries) => entries,
        Err(reason) => {
            visit.left_out(Slot::SystemBase, &path, FileReason::Invalid, None);
            let agent = visit.request.chosen.agent.name;
            return Err(Diagnostic::new(Problem::AgentRefuses { agent, reason: format!("{path}: {reason}") }));
        }
    };
    // Before 1.5, keys were compared as they are.
    let is_resolved = visit.since("1.5.0");
    let names = |key: &str, folder: &str| match is_resolved {
        true => crate::agents::files::resolved(key, &places.cwd, "~") == folder,
        false => key == folder,
    };
    let decision = |folder: &str| entries.iter().find(|(key, _)| names(key, folder)).map(|(_, trusts)| *trusts);
    Ok(ancestors(&places.cwd).find_map(decision))
}

/// The folders that are trusted or not, in the order of the file.
fn trust_entries(visit: &Visit<'_>, path: &str) -> Result<Vec<(String, bool)>, String> {
    let text = visit.text(path, "agent", decoding(visit)).map_err(|_| "it cannot be read".to_string())?;
    let Value::Object(values) = serde_json::from_str(text.text()).map_err(|error| error.to_string())? else {
        return Err("it is not an object".to_string());
    };
    let mut entries = Vec::new();
    for (key, value) in values {
        match value {
            Value::Bool(trusts) => entries.push((key, trusts)),
            Value::Null => {}
            _ => return Err(format!("`{key}` is neither true nor false nor null")),
        }
    }
    Ok(entries)
}
