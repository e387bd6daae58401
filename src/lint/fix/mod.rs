//! Applies fixes in memory and checks the project again until no fix is left.
//!
//! A file whose fixes never settle is dropped, and the run starts over without it. [`FileChanges::write`] writes to
//! disk only at the end.

mod changes;
mod edits;
mod left;
mod outcome;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::finding::{self, Edit, Finding};
use super::project::Project;
use super::rule::FixKind;
use crate::diagnostic::Location;
use crate::read::item::is_signed;
use crate::read::store::Tiers;
use crate::text::Source;

pub use changes::FileChanges;
pub(super) use edits::edited;
pub use left::NotFixed;
pub use outcome::{FileOutcome, FixOutcome};

/// The maximum number of rounds in which a file makes no progress.
const MOST_ROUNDS: usize = 20;

/// The maximum number of rounds in total; a second run applies the rest.
const MOST_IN_ALL: usize = 200;

/// The maximum number of attempts per round to combine the fixes of a file.
const MOST_TRIES: usize = 100;

pub type ReceiveFindings<'t> = dyn FnMut(&Project<'_>, Vec<Finding>) + 't;

pub type CheckProject<'l> = dyn Fn(&Tiers, &mut ReceiveFindings<'_>) + 'l;

pub struct Fixed {
    pub tiers: Tiers,
    pub changes: FileChanges,
    pub findings: BTreeMap<String, usize>,
    /// Files whose fixes undo each other, left unchanged.
    pub unsettled: Vec<String>,
}

/// Applies fixes in memory. If two collide, the first is applied, and the second only if the next check still offers
/// it. Nothing fixable is left afterwards, except in `unsettled` files and in projects that need too many rounds.
pub fn fix(tiers: &Tiers, look: &CheckProject<'_>, unsafe_fixes: bool) -> Fixed {
    let mut unsettled: Vec<String> = Vec::new();
    let mut rounds = 0;
    loop {
        let mut changes = FileChanges::default();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut waits: HashMap<String, Stagnation> = HashMap::new();
        let mut now = tiers.replacing([]);
        let stuck: Vec<String> = loop {
            let mut chosen = BTreeMap::new();
            look(&now, &mut |project, findings| chosen = choose(project, &findings, unsafe_fixes, &unsettled));
            let mut stuck = Vec::new();
            for (path, chosen) in &chosen {
                if waits.entry(path.clone()).or_default().rounds((chosen.open, chosen.after.len())) > MOST_ROUNDS {
                    stuck.push(path.clone());
                }
            }
            if chosen.is_empty() || !stuck.is_empty() {
                break stuck;
            }
            if rounds >= MOST_IN_ALL {
                break waits.into_iter().filter(|(_, wait)| wait.rounds > 1).map(|(path, _)| path).collect();
            }
            rounds += 1;
            for (path, ChosenFixes { source, after, findings, .. }) in chosen {
                *counts.entry(path).or_default() += findings;
                changes.put(&source, after);
            }
            now = tiers.replacing(changes.files());
        };
        if stuck.is_empty() {
            return Fixed { tiers: now, changes, findings: counts, unsettled };
        }
        unsettled.extend(stuck);
        if rounds >= MOST_IN_ALL {
            // No rounds are left to start over.
            for path in &unsettled {
                changes.forget(path);
                counts.remove(path);
            }
            return Fixed { tiers: tiers.replacing(changes.files()), changes, findings: counts, unsettled };
        }
        // Start over: other fixes may have depended on the dropped ones.
    }
}

#[derive(Default)]
struct Stagnation {
    /// The fewest open findings so far, then the fewest bytes.
    least: Option<(usize, usize)>,
    rounds: usize,
}

impl Stagnation {
    fn rounds(&mut self, open: (usize, usize)) -> usize {
        if self.least.is_none_or(|least| open < least) {
            (self.least, self.rounds) = (Some(open), 0);
        }
        self.rounds += 1;
        self.rounds
    }
}

type Offered<'f> = (&'f Arc<Source>, &'f [Edit]);

struct ChosenFixes {
    source: Arc<Source>,
    after: Vec<u8>,
    findings: usize,
    /// Findings of the file that have a fix.
    open: usize,
}

fn choose(
    project: &Project<'_>,
    findings: &[Finding],
    unsafe_fixes: bool,
    unsettled: &[String],
) -> BTreeMap<String, ChosenFixes> {
    let mut by_file: BTreeMap<&str, Vec<Offered<'_>>> = BTreeMap::new();
    for finding in findings {
        let (Some(fix), Location::Span(at)) = (&finding.fix, &finding.at) else { continue };
        let is_of_file = |edit: &Edit| Arc::ptr_eq(edit.span.source(), at.source());
        if finding.rule.fix != FixKind::None && !fix.edits.is_empty() && fix.edits.iter().all(is_of_file) {
            by_file.entry(finding.path()).or_default().push((at.source(), &fix.edits));
        }
    }
    if by_file.is_empty() {
        return BTreeMap::new();
    }
    let of_project = project.files.iter().filter(|file| file.is_linted && project.is_of_project(file));
    // Agents read further files.
    let reports = project.folders.iter().flat_map(|folders| &folders.reports).filter(|report| report.fix.is_some());
    let of_agents = reports.filter_map(|report| report.at.as_ref()).map(finding::path);
    let known: HashSet<&str> = project.files.iter().map(|file| file.path.as_str()).collect();
    let of_agents = of_agents.filter(|path| !known.contains(path));
    let may_change: HashSet<&str> = of_project.map(|file| file.path.as_str()).chain(of_agents).collect();
    let mut chosen = BTreeMap::new();
    for (path, fixes) in by_file {
        let source = fixes[0].0;
        let is_read = project.is_project_tier(source.tier()) && source.revision().is_none();
        if may_change.contains(path)
            && is_read
            && (unsafe_fixes || !is_signed(source))
            && !unsettled.iter().any(|it| it == path)
        {
            let open = fixes.len();
            let fixes = fixes.iter().filter(|(of, _)| Arc::ptr_eq(of, source)).map(|(_, edits)| *edits);
            if let Some((after, findings)) = combine(source, fixes) {
                chosen.insert(path.to_string(), ChosenFixes { source: Arc::clone(source), after, findings, open });
            }
        }
    }
    chosen
}

/// The file after all fixes that can be applied together, and their number; each is applied whole or not at all.
fn combine<'f>(source: &Source, fixes: impl Iterator<Item = &'f [Edit]>) -> Option<(Vec<u8>, usize)> {
    // By start: only neighbours can collide.
    let mut taken: BTreeMap<usize, &Edit> = BTreeMap::new();
    let mut findings = Vec::new();
    for fix in fixes {
        let is_free = |edit: &Edit| {
            let before = taken.range(..=edit.span.range().end).next_back();
            !before.is_some_and(|(_, other)| edits::collide(edit, other))
        };
        if fix.iter().all(is_free) && edits_are_disjoint(fix) {
            taken.extend(fix.iter().map(|edit| (edit.span.range().start, edit)));
            findings.push(fix);
        }
    }
    let all: Vec<&Edit> = taken.into_values().collect();
    let (after, made) = match edited(source, &all) {
        Some(after) => (after, findings.len()),
        None => combine_by_bisection(source, &findings)?,
    };
    (after != source.bytes()).then_some((after, made))
}

/// Leaves out fixes that conflict with earlier ones, by bisection.
fn combine_by_bisection(source: &Source, fixes: &[&[Edit]]) -> Option<(Vec<u8>, usize)> {
    let mut tries = 0;
    let mut made: Vec<&[Edit]> = Vec::new();
    let mut best = None;
    // A stack: the next part is last.
    let mut parts = vec![fixes];
    while let Some(part) = parts.pop().filter(|_| tries < MOST_TRIES) {
        tries += 1;
        let mut edits: Vec<&Edit> = made.iter().chain(part).copied().flatten().collect();
        edits.sort_by_key(|edit| edit.span.range().start);
        if let Some(after) = edited(source, &edits) {
            made.extend(part);
            best = Some((after, made.len()));
        } else if part.len() > 1 {
            let (first, second) = part.split_at(part.len() / 2);
            parts.extend([second, first]);
        }
    }
    best
}

fn edits_are_disjoint(fix: &[Edit]) -> bool {
    let mut ranges: Vec<_> = fix.iter().map(|edit| edit.span.range()).collect();
    ranges.sort_by_key(|range| (range.start, range.end));
    ranges.windows(2).all(|pair| pair[0].end <= pair[1].start && pair[0].start < pair[1].start)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fixable {
    /// If so, only `--unsafe-fixes` applies the fix.
    pub is_signed: bool,
}

/// Whether a finding has a fix.
pub fn fixable(finding: &Finding) -> Option<Fixable> {
    let Location::Span(at) = &finding.at else { return None };
    let is_offered = finding.rule.fix != FixKind::None && finding.fix.as_ref().is_some_and(|fix| !fix.edits.is_empty());
    is_offered.then(|| Fixable { is_signed: is_signed(at.source()) })
}
