//! `settings.json` of the user and of the project.

use serde_json::{Map, Value};

use super::{Places, decoding};
use crate::agents::agent::SettingKey;
use crate::agents::files::{below, location};
use crate::agents::json;
use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{FileReason, Slot};

const NAME: &str = "settings.json";

/// What is read of a file, with what each key does.
const KEYS: [SettingKey; 6] = [
    ("codemode", "how the agent runs code"),
    ("codemode.mode", "`only` hides all other tools"),
    ("defaultProjectTrust", "whether projects are trusted; counts only in the settings of the user"),
    ("defaultTools", "the tools that are active"),
    ("packages", "packages with skills, prompts and extensions"),
    ("skills", "paths of skills"),
];

pub(super) fn keys() -> Vec<SettingKey> {
    KEYS.to_vec()
}

/// A settings file; without values if there is none.
#[derive(Default)]
pub(super) struct SettingsFile {
    values: Map<String, Value>,
}

pub(super) struct Settings {
    pub global: SettingsFile,
    pub project: SettingsFile,
}

impl Settings {
    /// An untrusted project's file is not read.
    pub fn new(visit: &mut Visit<'_>, places: &Places, global: SettingsFile, is_trusted: bool) -> Self {
        let project = if is_trusted { read(visit, &places.project, "cwd") } else { SettingsFile::default() };
        let path = below(&places.project, NAME);
        if !is_trusted && visit.is_file(Slot::SystemBase, &path) {
            visit.left_out(Slot::SystemBase, &path, FileReason::Untrusted, None);
        }
        Self { global, project }
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
