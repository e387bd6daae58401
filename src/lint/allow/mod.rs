//! Allowances: comments that let a finding be, where nothing is sent to a model and nothing is signed.

mod add;
mod comment;
mod directive;
mod markdown;
mod read;

mod sent;
mod stray;
#[cfg(test)]
mod tests;
mod yaml;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use rayon::prelude::*;

use super::finding::{Finding, Findings};
use super::project::{File, Project};
use super::rule::{Check, Level, Rule};
use super::rules::RULES;
use crate::diagnostic::Location;
use crate::text::Span;

pub use add::{Added, InvalidReason, Reason, add};
pub use read::TRUST;

/// The codes of the rules about allowances, which no allowance lets be, in a comment or in the settings of a path.
pub const CANNOT_BE_ALLOWED: [&str; 2] = ["RR901", "RR902"];

pub(super) use sent::Sent;

/// A comment that lets findings be.
#[derive(Debug)]
pub struct Allowance {
    /// The comment.
    pub span: Span,
    /// The rules that it names and that there are.
    pub rules: Vec<Named>,
    /// Where it holds.
    pub reach: Reach,
    /// What is wrong with it. One that stands in a wrong place, or gives no reason, allows nothing.
    pub faults: Vec<Fault>,
}

/// A rule that an allowance names.
#[derive(Debug)]
pub struct Named {
    /// The rule.
    pub rule: &'static Rule,
    /// Where it is named.
    pub span: Span,
    /// Whether it let a finding be.
    pub is_used: bool,
}

/// Where an allowance holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// In the whole file.
    File,
    /// For what begins in a range of it.
    Range(Range<usize>),
    /// Nowhere.
    Nowhere,
}

/// What is wrong with an allowance.
#[derive(Debug, Clone)]
pub struct Fault {
    /// Where.
    pub at: Span,
    /// What.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl Allowance {
    /// Whether it lets anything be, if that is found.
    pub fn holds(&self) -> bool {
        let is_named = |fault: &Fault| fault.at.range() != self.span.range();
        self.faults.iter().all(is_named)
    }

    /// The comment and what goes with it: its line if it has one of its own, else the blanks before it.
    pub fn with_blanks(&self) -> Span {
        let source = self.span.source();
        let (start, end) = (self.span.range().start, self.span.range().end);
        let before = source.text()[..start].trim_end_matches([' ', '\t']).len();
        let line = &source.text()[end..];
        let rest = line.trim_start_matches([' ', '\t']);
        let begins = before == 0 || source.text()[..before].ends_with('\n');
        match (begins, rest.strip_prefix('\n')) {
            (true, Some(after)) => source.span(before..source.text().len() - after.len()),
            (true, None) => source.span(start..end),
            (false, _) => source.span(before..end),
        }
    }
}

/// What is left of findings when what is allowed is taken away, and what is wrong with the allowances themselves.
pub(super) fn pass(project: &Project<'_>, mut found: Vec<Finding>) -> Vec<Finding> {
    let linted = project.files.par_iter().filter(|file| file.is_linted && read::may_hold_one(file));
    let linted: Vec<&File> = linted.collect();
    if linted.is_empty() {
        return found;
    }
    let sent = Sent::of(project);
    let mut allowances: Vec<Allowance> =
        linted.par_iter().flat_map_iter(|file| read::allowances(file, &sent)).collect();
    let mut here: HashMap<(String, &'static str), Here<'_>> = HashMap::new();
    for allowance in &mut allowances {
        let path = allowance.span.source().path().to_string();
        for named in &mut allowance.rules {
            here.entry((path.clone(), named.rule.code)).or_default().named.push((&allowance.reach, named));
        }
    }
    for (index, finding) in found.iter().enumerate() {
        if let Some(here) = here.get_mut(&(finding.path().to_string(), finding.rule.code)) {
            here.findings.push((place(finding), index));
        }
    }
    let allowed: HashSet<usize> = here.into_values().flat_map(Here::allowed).collect();
    let mut index = 0..;
    found.retain(|_| index.next().is_none_or(|index| !allowed.contains(&index)));
    for rule in RULES.iter().copied().filter(|rule| project.options.speaks(rule)) {
        if let Check::Allowances(look) = rule.check {
            look(&allowances, project, &mut Findings::new(rule, &mut found));
        }
    }
    found
}

/// Where a finding begins; none for what is about the whole file.
fn place(finding: &Finding) -> Option<usize> {
    match &finding.at {
        // One at the start of the file and without extent is about the file.
        Location::Span(span) if span.range().end > 0 => Some(span.range().start),
        _ => None,
    }
}

/// What one rule finds in one file, and what allows it there.
#[derive(Default)]
struct Here<'a> {
    named: Vec<(&'a Reach, &'a mut Named)>,
    /// Each with its index among all.
    findings: Vec<(Option<usize>, usize)>,
}

impl Here<'_> {
    /// The findings that are allowed. All allowances are used that allow one; each is looked at once, from start to end.
    fn allowed(mut self) -> Vec<usize> {
        self.findings.sort_unstable();
        let mut whole = false;
        let mut ranges = Vec::new();
        for (reach, named) in self.named {
            match reach {
                Reach::File => {
                    whole = true;
                    named.is_used |= !self.findings.is_empty();
                }
                Reach::Range(range) => ranges.push((range.clone(), named)),
                Reach::Nowhere => {}
            }
        }
        ranges.sort_by_key(|(range, _)| range.start);
        let mut ranges = ranges.into_iter().peekable();
        // How far those reach that are used.
        let mut end = 0;
        let mut allowed = Vec::new();
        for (place, index) in self.findings {
            while let Some((range, named)) = place.and_then(|at| ranges.next_if(|(range, _)| range.start <= at)) {
                if place.is_some_and(|at| range.contains(&at)) {
                    named.is_used = true;
                    end = end.max(range.end);
                }
            }
            if whole || place.is_some_and(|at| at < end) {
                allowed.push(index);
            }
        }
        allowed
    }
}

/// Whether a rule is asked about a file.
pub(super) fn is_asked(project: &Project<'_>, rule: &Rule, path: &str) -> bool {
    project.options.level(rule, path) != Level::Off
}
