use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::{Baseline, BaselineEntry, may_be_listed};
use crate::lint::pages::find;
use crate::lint::rule::Rule;

const FORMAT: &str = "rye-render.lint-baseline/1";

/// Why a file is not a valid baseline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidBaseline {
    pub what: String,
    pub help: &'static str,
    /// Line and byte column, from 1.
    pub place: Option<(usize, usize)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineDocument {
    #[serde(deserialize_with = "format", rename = "format")]
    _format: (),
    findings: Vec<ListedFinding>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListedFinding {
    #[serde(deserialize_with = "rule")]
    rule: &'static Rule,
    file: String,
    line: String,
    #[serde(deserialize_with = "count", default = "one")]
    count: usize,
}

// Each field is checked while it is read, so that an error has a line and a column.

fn format<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    let name = String::deserialize(deserializer)?;
    let other = || D::Error::custom(format!("its format is `{name}`, not `{FORMAT}`"));
    (name == FORMAT).then_some(()).ok_or_else(other)
}

fn rule<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static Rule, D::Error> {
    let name = String::deserialize(deserializer)?;
    match find(&name) {
        Some(rule) if may_be_listed(rule) => Ok(rule),
        Some(rule) => Err(format!("{} is about trust, and its findings cannot be in a baseline", rule.code)),
        None => Err(format!("unknown rule `{name}`")),
    }
    .map_err(D::Error::custom)
}

fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    match u32::deserialize(deserializer)? {
        0 => Err(D::Error::custom("a count must be 1 or more")),
        count => Ok(count as usize),
    }
}

fn one() -> usize {
    1
}

impl Baseline {
    pub fn read(text: &str) -> Result<Self, InvalidBaseline> {
        let document: BaselineDocument = serde_json::from_str(text).map_err(|error| {
            let message = error.to_string();
            let message = message.rsplit_once(" at line ").map_or(&*message, |(message, _)| message);
            InvalidBaseline {
                what: format!("this is not a `lint` baseline: {message}"),
                help: "correct the file, or delete it and write a new one with --update-baseline",
                place: (error.line() > 0).then(|| (error.line(), error.column())),
            }
        })?;
        let mut entries = BTreeMap::new();
        for ListedFinding { rule, file, line, count } in document.findings {
            let entry = entries.entry(BaselineEntry { file, rule: rule.code, line }).or_insert(0_usize);
            *entry = entry.saturating_add(count);
        }
        Ok(Self { entries })
    }

    /// Writes the entries sorted, one per line, so that diffs stay small.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let text = |text: &str| Value::from(text).to_string();
        write!(out, "{{\n  \"format\": {},\n  \"findings\": [", text(FORMAT))?;
        let mut separator = "";
        for (BaselineEntry { file, rule, line }, count) in &self.entries {
            let (file, rule, line) = (text(file), text(rule), text(line));
            let count = if *count > 1 { format!(", \"count\": {count}") } else { String::new() };
            write!(out, "{separator}\n    {{\"file\": {file}, \"rule\": {rule}, \"line\": {line}{count}}}")?;
            separator = ",";
        }
        writeln!(out, "{}]\n}}", if self.is_empty() { "" } else { "\n  " })
    }
}
