//! Findings that existed when a project adopted the linter, hidden until they are fixed.
//!
//! A finding is identified by rule, file and trimmed line, not by line number, so that edits above
//! it do not bring it back. Equal findings are counted.

mod file;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet};

use super::finding::{Finding, line_of};
use super::project::Project;
use super::rule::{Group, Level, Rule};
use crate::diagnostic::Location;

pub use file::InvalidBaseline;

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
        let checked = CheckedScope::new(project);
        unmatched.retain(|entry, _| checked.holds(entry));
        BaselineMatch { left, gone: Self { entries: unmatched }.len() }
    }

    /// Replaces the entries of the checked files and rules; returns the findings that must not be listed.
    pub fn update(&mut self, findings: Vec<Finding>, project: &Project<'_>) -> Vec<Finding> {
        let checked = CheckedScope::new(project);
        self.entries.retain(|entry, _| !checked.holds(entry));
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

/// The files and rules that were checked.
struct CheckedScope<'p> {
    project: &'p Project<'p>,
    unchecked: HashSet<&'p str>,
}

impl<'p> CheckedScope<'p> {
    fn new(project: &'p Project<'p>) -> Self {
        let unchecked = project.files.iter().filter(|file| !file.is_linted && project.is_of_project(file));
        Self { project, unchecked: unchecked.map(|file| file.path.as_str()).collect() }
    }

    fn holds(&self, entry: &BaselineEntry) -> bool {
        let rule = super::pages::find(entry.rule);
        let is_on = rule.is_none_or(|rule| self.project.options.level(rule, &entry.file) != Level::Off);
        is_on && !self.unchecked.contains(entry.file.as_str())
    }
}
