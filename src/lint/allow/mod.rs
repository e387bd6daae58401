//! Allowances: comments that hide findings, in places that are neither sent to a model nor signed.

mod add;
mod comment;
mod directive;
mod files;
mod markdown;
#[cfg(test)]
mod tests;
mod yaml;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use rayon::prelude::*;

use crate::diagnostic::Location;
use crate::lint::finding::Finding;
use crate::lint::project::{LintFile, Project};
use crate::lint::rule::Rule;
use crate::text::Span;

pub use add::{AllowReason, add, may_be_allowed};
pub use comment::TRUST;

/// Rules about allowances, which neither a comment nor the settings of a path can turn off.
pub const CANNOT_BE_ALLOWED: [&str; 2] = ["RR901", "RR902"];

pub(super) use files::SentWhole;

#[derive(Debug)]
pub struct Allowance {
    pub span: Span,
    /// The known rules that it names.
    pub rules: Vec<AllowedRule>,
    /// The part of the file that it applies to.
    pub reach: Reach,
    /// A misplaced allowance, or one without a reason, has no effect.
    pub faults: Vec<AllowanceFault>,
}

#[derive(Debug)]
pub struct AllowedRule {
    pub rule: &'static Rule,
    pub span: Span,
    /// Whether it hid a finding.
    pub is_used: bool,
}

/// Where an allowance applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    File,
    /// The findings that begin in the range.
    Range(Range<usize>),
    Nowhere,
}

#[derive(Debug, Clone)]
pub struct AllowanceFault {
    pub at: Span,
    pub message: String,
    /// If `None`, the help points to the settings.
    pub help: Option<String>,
}

impl Allowance {
    /// Whether the allowance itself is valid, even if some of its rule names are not.
    pub fn holds(&self) -> bool {
        let is_named = |fault: &AllowanceFault| fault.at.range() != self.span.range();
        self.faults.iter().all(is_named)
    }

    /// The comment with the white space before it, or its whole line if nothing else is on it.
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

/// Removes allowed findings. Returns the allow comments, which record what they allowed.
pub(super) fn remove_allowed(project: &Project<'_>, found: &mut Vec<Finding>) -> Vec<Allowance> {
    let linted = project.files.par_iter().filter(|file| file.is_linted && files::may_hold_one(file));
    let linted: Vec<&LintFile> = linted.collect();
    if linted.is_empty() {
        return Vec::new();
    }
    let sent = SentWhole::of(project);
    let mut allowances: Vec<Allowance> =
        linted.par_iter().flat_map_iter(|file| files::allowances(file, &sent)).collect();
    let mut here: HashMap<(String, &'static str), RuleInFile<'_>> = HashMap::new();
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
    let allowed: HashSet<usize> = here.into_values().flat_map(RuleInFile::allowed).collect();
    let mut index = 0..;
    found.retain(|_| index.next().is_none_or(|index| !allowed.contains(&index)));
    allowances
}

/// Where a finding begins; `None` if it is about the whole file.
fn place(finding: &Finding) -> Option<usize> {
    match &finding.at {
        // An empty span at the start stands for the whole file.
        Location::Span(span) if span.range().end > 0 => Some(span.range().start),
        _ => None,
    }
}

#[derive(Default)]
struct RuleInFile<'a> {
    named: Vec<(&'a Reach, &'a mut AllowedRule)>,
    findings: Vec<(Option<usize>, usize)>,
}

impl RuleInFile<'_> {
    /// The indices of allowed findings. A single sweep keeps many allowances in one file cheap.
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
        // Where the ranges of the used allowances end.
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
