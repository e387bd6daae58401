//! Findings that existed when a project adopted the linter, hidden until they are fixed.
//!
//! A finding is identified by rule, file and trimmed line, not by line number, so that edits above
//! it do not bring it back. Equal findings are counted.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::diagnostic::Location;
use crate::lint::finding::{Finding, line_of};
use crate::lint::project::Project;
use crate::lint::rule::{Group, Level, Rule, find};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    entries: BTreeMap<BaselineEntry, usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct BaselineEntry {
    file: String,
    rule: &'static str,
    line: String,
}

impl BaselineEntry {
    fn of(finding: &Finding) -> Self {
        let line = match &finding.at {
            Location::Span(span) if span.range().end == 0 => "",
            at => line_of(at),
        };
        Self { file: finding.path().to_string(), rule: finding.rule.code, line: line.to_string() }
    }
}

#[derive(Debug)]
pub struct BaselineMatch {
    pub left: Vec<Finding>,
    /// The number of listed findings that no longer occur.
    pub gone: usize,
}

impl Baseline {
    /// Removes listed findings. Entries about files and rules that were not checked are kept.
    pub fn pass(&self, findings: Vec<Finding>, project: &Project<'_>) -> BaselineMatch {
        let mut unmatched = self.entries.clone();
        let mut left = findings;
        left.retain(|finding| match unmatched.get_mut(&BaselineEntry::of(finding)) {
            Some(count) if *count > 0 && may_be_listed(finding.rule) => {
                *count -= 1;
                false
            }
            _ => true,
        });
        unmatched.retain(|entry, _| was_checked(entry, project));
        BaselineMatch { left, gone: Self { entries: unmatched }.len() }
    }

    /// Replaces the entries of the checked files and rules; returns the findings that must not be listed.
    pub fn update(&mut self, findings: Vec<Finding>, project: &Project<'_>) -> Vec<Finding> {
        self.entries.retain(|entry, _| !was_checked(entry, project));
        let (listed, left): (Vec<_>, Vec<_>) = findings.into_iter().partition(|finding| may_be_listed(finding.rule));
        for finding in &listed {
            *self.entries.entry(BaselineEntry::of(finding)).or_default() += 1;
        }
        left
    }

    pub fn len(&self) -> usize {
        self.entries.values().fold(0, |sum, count| sum.saturating_add(*count))
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// A baseline must not make untrusted files acceptable.
fn may_be_listed(rule: &Rule) -> bool {
    rule.group != Group::Trust
}

/// Whether the file and the rule of an entry were checked.
fn was_checked(entry: &BaselineEntry, project: &Project<'_>) -> bool {
    let is_on = find(entry.rule).is_none_or(|rule| project.options.level(rule, &entry.file) != Level::Off);
    is_on && !project.is_unchecked(&entry.file)
}

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
