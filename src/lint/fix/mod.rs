//! Puts findings right: their fixes become changes of files, again and again until nothing is left to be put right.
//!
//! ```text
//! look: what is found → choose: the fixes of each file that may change → together: those that can be made at once
//!   → edited: the bytes of the file then → Changes: the tiers with them, looked at once more
//! ```
//!
//! A file whose fixes ask for one another without end is passed over, and everything is begun anew without it. Only when
//! all is settled is anything written, by [`Changes::write`].

mod changes;
#[cfg(test)]
mod composed;
mod edits;
mod left;
#[cfg(test)]
mod tests;
mod treated;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::finding::{Edit, Finding};
use super::project::Project;
use super::rule::FixKind;
use crate::diagnostic::Location;
use crate::item::is_signed;
use crate::store::{TierKind, Tiers};
use crate::text::Source;

pub use changes::Changes;
pub(super) use edits::edited;
pub use left::Left;
pub use treated::{Treated, Treatment};

/// How often a file is looked at again in which no less is left to be put right than before.
const MOST_ROUNDS: usize = 20;

/// How often files are looked at in all; what is left then is left for another run.
const MOST_IN_ALL: usize = 200;

/// How often the fixes of a file are put together anew in a round, where some cannot be made with the others.
const MOST_TRIES: usize = 100;

/// Takes a project, and what was found in it that counts.
pub type Take<'t> = dyn FnMut(&Project<'_>, Vec<Finding>) + 't;

/// Looks at the project of some tiers, and gives it with what was found.
pub type Look<'l> = dyn Fn(&Tiers, &mut Take<'_>) + 'l;

/// What was put right.
pub struct Fixed {
    /// The tiers as they are then.
    pub tiers: Tiers,
    /// The files that change.
    pub changes: Changes,
    /// How many findings were put right, by file.
    pub findings: BTreeMap<String, usize>,
    /// The files whose fixes undo each other, so that they are left as they are.
    pub unsettled: Vec<String>,
}

/// Puts right what can be, in memory: where two fixes meet the first one is made, and the other one if it is still asked
/// for when the project was looked at again. So once this is through, there is nothing more to put right, apart from what
/// [`Fixed::unsettled`] lists, and from projects in which that takes very many rounds: their rest is found again.
pub fn fix(tiers: &Tiers, look: &Look<'_>, unsafe_fixes: bool) -> Fixed {
    let mut unsettled: Vec<String> = Vec::new();
    let mut rounds = 0;
    loop {
        let mut changes = Changes::default();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut waits: HashMap<String, Wait> = HashMap::new();
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
            for (path, Chosen { source, after, findings, .. }) in chosen {
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
            // There is no time to do the others anew.
            for path in &unsettled {
                changes.forget(path);
                counts.remove(path);
            }
            return Fixed { tiers: tiers.replacing(changes.files()), changes, findings: counts, unsettled };
        }
        // The others are done anew without them, since they may have asked for something of theirs.
    }
}

/// How long a file has been waited for.
#[derive(Default)]
struct Wait {
    /// The fewest findings that were left to be put right, and the fewest bytes with as many.
    least: Option<(usize, usize)>,
    /// For how many rounds there were no fewer.
    rounds: usize,
}

impl Wait {
    /// The rounds, after one more in which so many are left.
    fn rounds(&mut self, open: (usize, usize)) -> usize {
        if self.least.is_none_or(|least| open < least) {
            (self.least, self.rounds) = (Some(open), 0);
        }
        self.rounds += 1;
        self.rounds
    }
}

/// A fix, and the file of it.
type Offered<'f> = (&'f Arc<Source>, &'f [Edit]);

/// The fixes of one file that are made together.
struct Chosen {
    source: Arc<Source>,
    after: Vec<u8>,
    findings: usize,
    /// How many findings of the file have a fix.
    open: usize,
}

fn choose(
    project: &Project<'_>,
    findings: &[Finding],
    unsafe_fixes: bool,
    passed_over: &[String],
) -> BTreeMap<String, Chosen> {
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
    let may_change: HashSet<&str> = of_project.map(|file| file.path.as_str()).collect();
    let label = project.tiers.list().iter().find(|tier| tier.kind == TierKind::Project).map(|tier| &*tier.label);
    let mut chosen = BTreeMap::new();
    for (path, fixes) in by_file {
        let source = fixes[0].0;
        let may_change = may_change.contains(path) && Some(source.tier()) == label && source.revision().is_none();
        if may_change && (unsafe_fixes || !is_signed(source)) && !passed_over.iter().any(|it| it == path) {
            let open = fixes.len();
            let fixes = fixes.iter().filter(|(of, _)| Arc::ptr_eq(of, source)).map(|(_, edits)| *edits);
            if let Some((after, findings)) = together(source, fixes) {
                chosen.insert(path.to_string(), Chosen { source: Arc::clone(source), after, findings, open });
            }
        }
    }
    chosen
}

/// What those fixes make of a file that can be made together, each whole or not at all; how many they are.
fn together<'f>(source: &Source, fixes: impl Iterator<Item = &'f [Edit]>) -> Option<(Vec<u8>, usize)> {
    // By start, so that only the neighbours of an edit can collide with it.
    let mut taken: BTreeMap<usize, &Edit> = BTreeMap::new();
    let mut findings = Vec::new();
    for fix in fixes {
        let is_free = |edit: &Edit| {
            let before = taken.range(..=edit.span.range().end).next_back();
            !before.is_some_and(|(_, other)| edits::collide(edit, other))
        };
        if fix.iter().all(is_free) && is_in_itself_whole(fix) {
            taken.extend(fix.iter().map(|edit| (edit.span.range().start, edit)));
            findings.push(fix);
        }
    }
    let all: Vec<&Edit> = taken.into_values().collect();
    let (after, made) = match edited(source, &all) {
        Some(after) => (after, findings.len()),
        None => all_but_some(source, &findings)?,
    };
    (after != source.bytes()).then_some((after, made))
}

/// The same without those that cannot be made with the ones before them.
fn all_but_some(source: &Source, fixes: &[&[Edit]]) -> Option<(Vec<u8>, usize)> {
    let mut tries = 0;
    let mut made: Vec<&[Edit]> = Vec::new();
    let mut best = None;
    // Those that come next are at the end.
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

/// Whether the edits of a fix leave each other alone.
fn is_in_itself_whole(fix: &[Edit]) -> bool {
    let mut ranges: Vec<_> = fix.iter().map(|edit| edit.span.range()).collect();
    ranges.sort_by_key(|range| (range.start, range.end));
    ranges.windows(2).all(|pair| pair[0].end <= pair[1].start && pair[0].start < pair[1].start)
}

/// That a finding can be put right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fixable {
    /// Whether its file is signed, which `--unsafe-fixes` alone changes.
    pub is_signed: bool,
}

/// Whether and how a finding can be put right.
pub fn fixable(finding: &Finding) -> Option<Fixable> {
    let Location::Span(at) = &finding.at else { return None };
    let is_offered = finding.rule.fix != FixKind::None && finding.fix.as_ref().is_some_and(|fix| !fix.edits.is_empty());
    is_offered.then(|| Fixable { is_signed: is_signed(at.source()) })
}
