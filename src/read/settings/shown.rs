//! `--show-settings`: every effective setting with its source.

use std::io;

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use crate::diagnostic::Diagnostic;
use crate::read::value::{Value, to_python_json};
use crate::read::yaml::{YamlData, YamlNode};
use crate::text::visible::visible;
use crate::text::{Position, Span};

use super::{KEYS, LINT_KEYS, SettingEntry, Settings, entries};

/// A setting that a flag sets.
#[derive(Debug, Clone)]
pub struct TypedSetting {
    pub flag: &'static str,
    pub name: &'static str,
    pub value: Value,
    /// The settings that it overrides.
    pub replaces: &'static [&'static str],
}

/// The settings from files and flags, and the defaults of all others.
pub fn shown(
    settings: &Settings,
    typed: Vec<TypedSetting>,
    defaults: Vec<(String, Value)>,
) -> Result<Vec<Setting>, Diagnostic> {
    let mut all = of_files(settings)?;
    all.retain(|shown| !typed.iter().any(|it| it.replaces.contains(&shown.name.as_str())));
    all.extend(typed.into_iter().map(|TypedSetting { flag, name, value, .. }| Setting {
        name: name.to_string(),
        value,
        by: SourceDocument::Flag { flag },
    }));
    let unset = |(name, _): &(String, Value)| !all.iter().any(|shown| shown.name == *name);
    let unset: Vec<_> = defaults.into_iter().filter(unset).collect();
    all.extend(unset.into_iter().map(|(name, value)| Setting { name, value, by: SourceDocument::Default }));
    all.sort_by_key(|shown| rank(&shown.name));
    Ok(all)
}

/// Sorts settings in the order of the documentation.
fn rank(name: &str) -> (usize, usize) {
    let place = |keys: &[&str], name: &str| {
        let name = name.split(['.', '[']).next().unwrap_or_default();
        keys.iter().position(|key| *key == name).unwrap_or(keys.len())
    };
    (place(&KEYS, name), name.strip_prefix("lint.").map_or(0, |name| place(&LINT_KEYS, name)))
}

fn of_files(settings: &Settings) -> Result<Vec<Setting>, Diagnostic> {
    let mut all = Vec::new();
    for key in ["protocol", "agents"] {
        if let Some(node) = settings.part(key) {
            leaves(key.to_string(), &node, &mut all);
        }
    }
    for file in settings.files() {
        let protocols = file.node.get("protocols").and_then(YamlNode::as_list).unwrap_or_default();
        for node in protocols {
            let name = node.get("name").and_then(YamlNode::as_str).unwrap_or("?");
            all.extend(as_written(format!("protocols.{name}"), node));
        }
        if let Some(examples) = file.node.get("examples") {
            for SettingEntry { key, value, .. } in entries(examples, "`examples`")? {
                all.extend(as_written(format!("examples.{key}"), value));
            }
        }
    }
    if let Some(node) = settings.part("lint") {
        leaves("lint".to_string(), &node, &mut all);
    }
    Ok(all)
}

/// Protocols and examples are parsed as YAML 1.2, so they are shown as written.
fn as_written(name: String, node: &YamlNode) -> Option<Setting> {
    let span = node.span.as_ref()?;
    let text = span.text().split_whitespace().collect::<Vec<_>>().join(" ");
    Some(Setting { name, value: Value::from(text.as_str()), by: span.into() })
}

fn leaves(name: String, node: &YamlNode, all: &mut Vec<Setting>) {
    match &node.data {
        YamlData::Map(map) => {
            for (key, value) in map {
                leaves(format!("{name}.{}", key.as_str().unwrap_or("?")), value, all);
            }
        }
        YamlData::List(list) if list.iter().any(|entry| matches!(entry.data, YamlData::Map(_))) => {
            for (at, entry) in list.iter().enumerate() {
                leaves(format!("{name}[{at}]"), entry, all);
            }
        }
        _ => {
            // No setting is a boolean: false is a bare `off`.
            let value = match node.value() {
                Value::Bool(false) => Value::from("off"),
                value => value,
            };
            all.extend(node.span.as_ref().map(|span| Setting { name, value, by: span.into() }));
        }
    }
}

/// Writes the settings for people.
pub fn write(all: &[Setting], is_terminal: bool, out: &mut dyn io::Write) -> io::Result<()> {
    let rows: Vec<[String; 3]> =
        all.iter().map(|it| [it.name.clone(), to_python_json(&it.value), it.by.words()]).collect();
    let widest = |column: usize| rows.iter().map(|row| row[column].width()).filter(|width| *width <= 48).max();
    let (names, values) = (widest(0).unwrap_or(0), widest(1).unwrap_or(0));
    for [name, value, by] in &rows {
        let pad = |text: &str, width: usize| " ".repeat(width.saturating_sub(text.width()));
        let line = format!("{name}{} = {value}{}  {by}", pad(name, names), pad(value, values));
        let line = if is_terminal { visible(&line) } else { line.into() };
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Writes the settings for programs.
pub fn write_json(all: &[Setting], out: &mut dyn io::Write) -> io::Result<()> {
    let document = SettingsDocument { format: FORMAT, tool_version: env!("CARGO_PKG_VERSION"), settings: all };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

impl From<&Span> for SourceDocument {
    fn from(span: &Span) -> Self {
        let (source, Position { line, column }) = (span.source(), span.place().position);
        Self::File { tier: source.tier().to_string(), path: source.path().to_string(), line, column }
    }
}

impl SourceDocument {
    fn words(&self) -> String {
        match self {
            Self::Default => "default".to_string(),
            Self::Flag { flag } => flag.to_string(),
            Self::File { tier, path, line, .. } => format!("{tier} {path}:{line}").trim_start().to_string(),
        }
    }
}

const FORMAT: &str = "rye-render.lint-settings/1";

/// The effective settings.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "rye-render.lint-settings/1"))]
pub struct SettingsDocument<'a> {
    /// Name and version of this format.
    #[cfg_attr(test, schemars(extend("const" = "rye-render.lint-settings/1")))]
    format: &'static str,
    /// The version of rye-render that wrote it.
    tool_version: &'static str,
    /// The settings in the order of the documentation.
    settings: &'a [Setting],
}

/// An effective setting.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Setting {
    /// Its keys, joined with dots.
    pub(super) name: String,
    /// Its value; protocols and example inputs as written.
    #[cfg_attr(test, schemars(with = "serde_json::Value"))]
    value: Value,
    /// Where the value comes from.
    by: SourceDocument,
}

/// The source of a value.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum SourceDocument {
    /// The default.
    Default,
    /// A flag.
    Flag {
        /// The flag as typed.
        flag: &'static str,
    },
    /// A settings file.
    File {
        /// The label of the tier; empty for a file outside the tiers, such as the user-wide `config.yaml`.
        tier: String,
        /// Relative to the folder that holds `.ai/` or `.sf/`; the full path for a file outside the tiers.
        path: String,
        /// The 1-based line of the value.
        line: usize,
        /// The 1-based column of the value, in Unicode scalar values.
        column: usize,
    },
}
