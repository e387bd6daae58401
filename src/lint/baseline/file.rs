use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::{Baseline, Entry, may_be_listed};
use crate::lint::rules::find;

/// The format and its version.
const FORMAT: &str = "rye-render.lint-baseline/1";

/// Why a text is no baseline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotRead {
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub help: &'static str,
    /// The 1-based line and byte column, if it is a place of the text.
    pub place: Option<(usize, usize)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[expect(dead_code, reason = "that it is there and right was seen as it was read")]
    format: Format,
    findings: Vec<Listed>,
}

/// The name of the format, and no other text.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Format;

impl TryFrom<String> for Format {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        match name == FORMAT {
            true => Ok(Self),
            false => Err(format!("its format is `{name}`, and not `{FORMAT}`")),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    rule: Listable,
    file: String,
    line: String,
    #[serde(default)]
    count: Count,
}

/// The code or the name of a rule, which is refused where it stands.
struct Listable(&'static str);

impl<'de> Deserialize<'de> for Listable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let wrong = match find(&name) {
            Some(rule) if may_be_listed(rule) => return Ok(Self(rule.code)),
            Some(rule) => format!("what {} finds is about trust and cannot stand in a baseline", rule.code),
            None => format!("there is no rule `{name}`"),
        };
        Err(D::Error::custom(wrong))
    }
}

/// How many findings are equal.
#[derive(Deserialize)]
#[serde(try_from = "u32")]
struct Count(u32);

impl Default for Count {
    fn default() -> Self {
        Self(1)
    }
}

impl TryFrom<u32> for Count {
    type Error = &'static str;

    fn try_from(count: u32) -> Result<Self, &'static str> {
        if count > 0 { Ok(Self(count)) } else { Err("a count is 1 or more") }
    }
}

pub(super) fn read(text: &str) -> Result<Baseline, NotRead> {
    let written: Written = serde_json::from_str(text).map_err(|error| {
        let said = error.to_string();
        let place = (error.line() > 0).then(|| (error.line(), error.column()));
        let said = said.rsplit_once(" at line ").map_or(&*said, |(what, _)| what);
        NotRead {
            what: format!("this is no baseline of `lint`: {said}"),
            help: "correct the file, or remove it and write it anew with --update-baseline",
            place,
        }
    })?;
    let mut entries = BTreeMap::new();
    for Listed { rule: Listable(rule), file, line, count: Count(count) } in written.findings {
        let entry = entries.entry(Entry { file, rule, line }).or_insert(0_usize);
        *entry = entry.saturating_add(count as usize);
    }
    Ok(Baseline { entries })
}

pub(super) fn write(baseline: &Baseline, out: &mut dyn Write) -> io::Result<()> {
    let text = |text: &str| Value::from(text).to_string();
    write!(out, "{{\n  \"format\": {},\n  \"findings\": [", text(FORMAT))?;
    let mut before = "";
    for (Entry { file, rule, line }, count) in &baseline.entries {
        let (file, rule, line) = (text(file), text(rule), text(line));
        write!(out, "{before}\n    {{\"file\": {file}, \"rule\": {rule}, \"line\": {line}")?;
        if *count > 1 {
            write!(out, ", \"count\": {count}")?;
        }
        write!(out, "}}")?;
        before = ",";
    }
    writeln!(out, "{}]\n}}", if baseline.is_empty() { "" } else { "\n  " })
}
