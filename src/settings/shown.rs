//! `--show-settings`: every setting that counts, its value, and where it comes from.

use std::io;

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use crate::diagnostic::Diagnostic;
use crate::text::Span;
use crate::text::visible::visible;
use crate::value::{Value, to_python_json};
use crate::yaml::{Data, Node};

use super::{Entry, KEYS, LINT_KEYS, Settings, entries};

/// A setting that counts.
#[derive(Debug, Clone)]
pub struct Shown {
    /// `lint.options.prompt_tokens`
    pub name: String,
    /// What it is set to.
    pub value: Value,
    /// What sets it.
    pub by: By,
}

/// What sets something.
#[derive(Debug, Clone)]
pub enum By {
    /// Nothing: it is so by itself.
    Default,
    /// A flag.
    Flag(&'static str),
    /// The settings of a tier.
    File(Span),
}

/// Something that was typed, in place of these settings.
#[derive(Debug, Clone)]
pub struct Instead {
    /// The flag.
    pub flag: &'static str,
    /// The setting that it is.
    pub name: &'static str,
    /// What was typed.
    pub value: Value,
    /// The settings that no longer count.
    pub replaces: &'static [&'static str],
}

/// Every setting that counts: those of the files, those that were typed, and of the rest the `defaults`.
///
/// # Errors
/// What is wrong with the settings.
pub fn shown(
    settings: &Settings,
    typed: Vec<Instead>,
    defaults: Vec<(String, Value)>,
) -> Result<Vec<Shown>, Diagnostic> {
    let mut all = written(settings)?;
    all.retain(|shown| !typed.iter().any(|it| it.replaces.contains(&shown.name.as_str())));
    all.extend(typed.into_iter().map(|it| Shown { name: it.name.to_string(), value: it.value, by: By::Flag(it.flag) }));
    let unset = |(name, _): &(String, Value)| !all.iter().any(|shown| shown.name == *name);
    let unset: Vec<_> = defaults.into_iter().filter(unset).collect();
    all.extend(unset.into_iter().map(|(name, value)| Shown { name, value, by: By::Default }));
    all.sort_by_key(|shown| rank(&shown.name));
    Ok(all)
}

/// The place of a setting among the documented ones.
fn rank(name: &str) -> (usize, usize) {
    let place = |keys: &[super::Key], name: &str| {
        let name = name.split(['.', '[']).next().unwrap_or_default();
        keys.iter().position(|key| key.name == name).unwrap_or(keys.len())
    };
    (place(&KEYS, name), name.strip_prefix("lint.").map_or(0, |name| place(&LINT_KEYS, name)))
}

/// What the files say.
fn written(settings: &Settings) -> Result<Vec<Shown>, Diagnostic> {
    let mut all = Vec::new();
    if let Some(node) = settings.part("protocol") {
        leaves("protocol".to_string(), &node, &mut all);
    }
    for file in settings.files() {
        let protocols = file.node.get("protocols").and_then(Node::as_list).unwrap_or_default();
        for node in protocols {
            let name = node.get("name").and_then(Node::as_str).unwrap_or("?");
            all.extend(as_written(format!("protocols.{name}"), node));
        }
        if let Some(examples) = file.node.get("examples") {
            for Entry { key, value, .. } in entries(examples, "`examples`")? {
                all.extend(as_written(format!("examples.{key}"), value));
            }
        }
    }
    if let Some(node) = settings.part("lint") {
        leaves("lint".to_string(), &node, &mut all);
    }
    Ok(all)
}

/// What is read by the rules of another YAML than ours, in the words of the file.
fn as_written(name: String, node: &Node) -> Option<Shown> {
    let span = node.span.clone()?;
    let text = span.text().split_whitespace().collect::<Vec<_>>().join(" ");
    Some(Shown { name, value: Value::from(text.as_str()), by: By::File(span) })
}

fn leaves(name: String, node: &Node, all: &mut Vec<Shown>) {
    match &node.data {
        Data::Map(map) => {
            for (key, value) in map {
                leaves(format!("{name}.{}", key.as_str().unwrap_or("?")), value, all);
            }
        }
        Data::List(list) if list.iter().any(|entry| matches!(entry.data, Data::Map(_))) => {
            for (at, entry) in list.iter().enumerate() {
                leaves(format!("{name}[{at}]"), entry, all);
            }
        }
        _ => {
            // No setting is true or false: a bare `off` is read so.
            let value = match node.value() {
                Value::Bool(false) => Value::from("off"),
                value => value,
            };
            all.extend(node.span.clone().map(|span| Shown { name, value, by: By::File(span) }));
        }
    }
}

/// Writes them for people.
pub fn write(all: &[Shown], is_terminal: bool, out: &mut dyn io::Write) -> io::Result<()> {
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

/// Writes them for programs.
pub fn write_json(all: &[Shown], out: &mut dyn io::Write) -> io::Result<()> {
    let settings = all.iter().map(|it| Setting { name: &it.name, value: &it.value, by: it.by.written() }).collect();
    let document = SettingsDocument { format: FORMAT, tool_version: env!("CARGO_PKG_VERSION"), settings };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

impl By {
    fn words(&self) -> String {
        match self {
            Self::Default => "default".to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::File(span) => {
                let source = span.source();
                format!("{} {}:{}", source.tier(), source.path(), span.line())
            }
        }
    }

    fn written(&self) -> WrittenBy<'_> {
        match self {
            Self::Default => WrittenBy::Default,
            Self::Flag(flag) => WrittenBy::Flag { flag },
            Self::File(span) => {
                let source = span.source();
                let position = span.place().position;
                WrittenBy::File {
                    tier: source.tier(),
                    path: source.path(),
                    line: position.line,
                    column: position.column,
                }
            }
        }
    }
}

const FORMAT: &str = "rye-render.lint-settings/1";

/// The settings that count.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "rye-render.lint-settings/1"))]
pub struct SettingsDocument<'a> {
    /// Name and version of this shape.
    #[cfg_attr(test, schemars(extend("const" = "rye-render.lint-settings/1")))]
    format: &'static str,
    /// The version of the program.
    tool_version: &'static str,
    /// One by one, in the order of the documents.
    settings: Vec<Setting<'a>>,
}

/// A setting that counts.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Setting<'a> {
    /// Its keys, with dots between.
    name: &'a str,
    /// What it is set to; protocols and example inputs as they are written.
    #[cfg_attr(test, schemars(with = "serde_json::Value"))]
    value: &'a Value,
    /// What sets it.
    by: WrittenBy<'a>,
}

/// What sets something.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum WrittenBy<'a> {
    /// Nothing: it is so by itself.
    Default,
    /// A flag.
    Flag {
        /// As it is typed.
        flag: &'a str,
    },
    /// The settings of a tier.
    File {
        /// The label of the tier.
        tier: &'a str,
        /// Relative to the folder that holds `.ai/`.
        path: &'a str,
        /// The 1-based line of the value.
        line: usize,
        /// The 1-based column of the value, in Unicode scalar values.
        column: usize,
    },
}
