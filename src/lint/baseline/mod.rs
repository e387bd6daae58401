//! Findings that were there when a project took the linter up, and are passed over until somebody puts them right.
//!
//! A finding is known by its rule, its file and the trimmed text of its line, and equal ones by their number; never by
//! the number of the line, so that nothing comes back when a file grows above it.

mod file;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

use super::finding::{Finding, line_of};
use super::project::Project;
use super::rule::{Group, Level, Rule};
use crate::diagnostic::Location;

pub use file::NotRead;

/// What is passed over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    entries: BTreeMap<Entry, usize>,
}

/// Findings that are equal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    file: String,
    rule: &'static str,
    line: String,
}

impl Entry {
    fn of(finding: &Finding) -> Self {
        let line = match &finding.at {
            // At the start of the file and without extent: it is about the file.
            Location::Span(span) if span.range().end == 0 => "",
            at => line_of(at),
        };
        Self { file: finding.path().to_string(), rule: finding.rule.code, line: line.to_string() }
    }
}

/// What a baseline made of findings.
#[derive(Debug)]
pub struct Passed {
    /// Those that it does not list.
    pub left: Vec<Finding>,
    /// How many it passed over.
    pub passed: usize,
    /// How many it lists that were looked for and are no longer there.
    pub gone: usize,
}

impl Baseline {
    /// Takes away what it lists. What is listed of files and rules that nobody asked about may be there still.
    pub fn pass(&self, findings: Vec<Finding>, project: &Project<'_>) -> Passed {
        let mut left_of = self.entries.clone();
        let all = findings.len();
        let mut left = findings;
        left.retain(|finding| match left_of.get_mut(&Entry::of(finding)) {
            Some(count) if *count > 0 && may_be_listed(finding.rule) => {
                *count -= 1;
                false
            }
            _ => true,
        });
        let judged = Judged::new(project);
        let gone = left_of.iter().filter(|(entry, _)| judged.holds(entry)).map(|(_, count)| *count);
        let gone = gone.fold(0, usize::saturating_add);
        Passed { passed: all - left.len(), left, gone }
    }

    /// Lists findings instead of those that were listed of the same files and rules; what is left are those that cannot be
    /// listed.
    pub fn update(&mut self, findings: Vec<Finding>, project: &Project<'_>) -> Vec<Finding> {
        let judged = Judged::new(project);
        self.entries.retain(|entry, _| !judged.holds(entry));
        let (listed, left): (Vec<_>, Vec<_>) = findings.into_iter().partition(|finding| may_be_listed(finding.rule));
        for finding in &listed {
            *self.entries.entry(Entry::of(finding)).or_default() += 1;
        }
        left
    }

    /// How many findings it lists.
    pub fn len(&self) -> usize {
        self.entries.values().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// Whether it lists none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Reads what [`Baseline::write`] wrote.
    ///
    /// # Errors
    /// A text that is nothing of the kind, and where.
    pub fn read(text: &str) -> Result<Self, NotRead> {
        file::read(text)
    }

    /// Writes it: sorted, a line an entry, so that a change of one finding is a change of one line.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        file::write(self, out)
    }
}

/// Whether a baseline may list what a rule finds. Nobody gets used to a file that cannot be trusted.
fn may_be_listed(rule: &Rule) -> bool {
    rule.group != Group::Trust
}

/// What was looked at, so that what is not found is gone.
struct Judged<'p> {
    project: &'p Project<'p>,
    unasked: HashSet<&'p str>,
}

impl<'p> Judged<'p> {
    fn new(project: &'p Project<'p>) -> Self {
        let unasked = project.files.iter().filter(|file| !file.is_linted && project.is_of_project(file));
        Self { project, unasked: unasked.map(|file| file.path.as_str()).collect() }
    }

    fn holds(&self, entry: &Entry) -> bool {
        let rule = super::rules::find(entry.rule);
        let is_asked = rule.is_none_or(|rule| self.project.options.level(rule, &entry.file) != Level::Off);
        is_asked && !self.unasked.contains(entry.file.as_str())
    }
}
