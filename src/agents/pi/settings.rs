//! `settings.json` of the user and of the project, and whether the user trusts the project.

use serde_json::{Map, Value};

use super::{Arguments, Places, decoding};
use crate::agents::agent::FolderTrust;
use crate::agents::files::{ancestors, below, location};
use crate::agents::json;
use crate::agents::setting_keys::{SettingKey, ValueType};
use crate::agents::visit::Visit;
use crate::diagnostic::{Diagnostic, Location, Problem, without_place};
use crate::prompt::{Declared, FileReason, Slot};
use crate::read::yaml::YamlNode;
use crate::text::Span;

const NAME: &str = "settings.json";
const LIST: &str = "trust.json";

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
    /// With positions, if they are known.
    node: Option<YamlNode>,
}

/// Whether the user trusts the project, and what decided.
#[derive(Default)]
pub(super) struct Trust {
    pub is_trusted: bool,
    pub by: Option<Declared>,
}

impl Trust {
    fn by(is_trusted: bool, by: impl Into<String>, span: Option<Span>) -> Self {
        Self { is_trusted, by: Some(Declared { by: by.into(), span }) }
    }
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

    /// An entry of `skills`.
    pub fn entry(&self, entry: String) -> Declared {
        let entries = self.node.as_ref().and_then(|node| node.get("skills")?.as_list());
        let item = entries.and_then(|entries| entries.iter().find(|item| item.as_str() == Some(&entry)));
        Declared { span: item.and_then(|item| item.span.clone()), by: entry }
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
    match text(visit, &path, tier).and_then(|text| Ok((values(&text)?, json::places(&text)))) {
        Ok((values, node)) => SettingsFile { values, node },
        Err(error) => {
            visit.left_out(Slot::SystemBase, &path, FileReason::Invalid, None);
            visit.diagnostics.push(error);
            SettingsFile::default()
        }
    }
}

/// The members of a JSON file, none if it holds another value. Fails with what is wrong.
pub(super) fn object(visit: &Visit<'_>, path: &str, tier: &str) -> Result<Map<String, Value>, Diagnostic> {
    values(&text(visit, path, tier)?)
}

fn text(visit: &Visit<'_>, path: &str, tier: &str) -> Result<Span, Diagnostic> {
    visit.text(path, tier, decoding(visit)).map_err(|_| {
        let problem = Problem::AgentSettingsUnreadable { reason: "it cannot be read".to_string() };
        Diagnostic::at(problem, location(path, tier, visit.files.revision(path)))
    })
}

fn values(text: &Span) -> Result<Map<String, Value>, Diagnostic> {
    match serde_json::from_str(text.text()) {
        Ok(Value::Object(values)) => Ok(values),
        Ok(_) => Ok(Map::new()),
        Err(error) => Err(json::unreadable(text, &error)),
    }
}

/// The first that says something decides: a flag, the user's list of folders, the user's settings. Fails if the list
/// is invalid, which stops the agent.
pub(super) fn trusts(
    visit: &mut Visit<'_>,
    places: &Places,
    arguments: &Arguments,
    global: &SettingsFile,
) -> Result<Trust, Diagnostic> {
    if visit.request.trust >= FolderTrust::Trusted || !visit.since("0.79.0") {
        return Ok(Trust { is_trusted: true, by: None });
    }
    if let Some(trusts) = arguments.trusts {
        return Ok(Trust::by(trusts, if trusts { "--approve" } else { "--no-approve" }, None));
    }
    if let Some(trust) = listed_trust(visit, places)? {
        return Ok(trust);
    }
    let word = global.text("defaultProjectTrust").filter(|word| ["always", "never"].contains(word));
    let span = global.node.as_ref().and_then(|node| node.get("defaultProjectTrust")?.span.clone());
    Ok(word.map_or_else(Trust::default, |word| Trust::by(word == "always", "defaultProjectTrust", span)))
}

/// The path of the user's list of folders.
pub(super) fn list(places: &Places) -> String {
    below(&places.agent, LIST)
}

/// What the list says about the nearest folder that it names.
fn listed_trust(visit: &mut Visit<'_>, places: &Places) -> Result<Option<Trust>, Diagnostic> {
    let path = list(places);
    let is_file = visit.is_file(Slot::SystemBase, &path);
    if !is_file && visit.kind(&path).is_none() {
        return Ok(None);
    }
    let entries = match trust_entries(visit, &path) {
        Ok(entries) => entries,
        Err((reason, at)) => {
            visit.left_out(Slot::SystemBase, &path, FileReason::Invalid, None);
            let (agent, reason) = (visit.request.chosen.agent.name, format!("{path} cannot be used: {reason}"));
            let at = at.map_or_else(|| location(&path, "agent", visit.files.revision(&path)), Location::from);
            return Err(Diagnostic::at(Problem::AgentRefuses { agent, reason }, at));
        }
    };
    // Before 1.5, keys were compared as they are.
    let is_resolved = visit.since("1.5.0");
    let names = |key: &str, folder: &str| match is_resolved {
        true => crate::agents::files::resolved(key, &places.cwd, "~") == folder,
        false => key == folder,
    };
    let decision = |folder: &str| entries.iter().find(|(key, ..)| names(key, folder));
    let nearest = ancestors(&places.cwd).find_map(decision);
    Ok(nearest.map(|(_, trusts, span)| Trust::by(*trusts, LIST, span.clone())))
}

/// A folder, whether it is trusted, and the place of the word.
type TrustEntry = (String, bool, Option<Span>);

/// The folders that are trusted or not, in the order of the file. The error is its reason and its place.
fn trust_entries(visit: &Visit<'_>, path: &str) -> Result<Vec<TrustEntry>, (String, Option<Span>)> {
    let text = visit.text(path, "agent", decoding(visit)).map_err(|_| ("it cannot be read".to_string(), None))?;
    let values = serde_json::from_str(text.text())
        .map_err(|error| (without_place(&error.to_string()).to_string(), Some(json::error_place(&text, &error))))?;
    let Value::Object(values) = values else {
        return Err(("it is not an object".to_string(), Some(text.slice(0..0))));
    };
    let places = json::places(&text);
    let mut entries = Vec::new();
    for (key, value) in values {
        let span = places.as_ref().and_then(|places| places.get(&key)?.span.clone());
        match value {
            Value::Bool(trusts) => entries.push((key, trusts, span)),
            Value::Null => {}
            _ => return Err((format!("`{key}` is neither true nor false nor null"), span)),
        }
    }
    Ok(entries)
}
