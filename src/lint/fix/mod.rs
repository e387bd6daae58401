//! Applies fixes in memory and checks the project again until no fix is left.
//!
//! A file whose fixes never settle is dropped, and the run starts over without it. [`FileChanges::write`] writes to
//! disk only at the end.

mod changes;
mod outcome;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use crate::diagnostic::Location;
use crate::lint::finding::{Edit, Finding};
use crate::lint::project::Project;
use crate::lint::rule::FixKind;
use crate::read::item::is_signed;
use crate::read::store::Tiers;
use crate::text::Source;

pub use changes::FileChanges;
pub use outcome::{FileOutcome, FixOutcome, NotFixed};

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
    let of_agents = reports.filter_map(|report| report.at.as_ref()).map(Location::path);
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
            !before.is_some_and(|(_, other)| collide(edit, other))
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

/// The bytes of a file after edits, which are ordered and do not overlap. All other bytes stay the same, and inserted
/// lines use the line ending of the line in which they begin.
///
/// None if the result would be read differently: a lone CR next to an LF becomes one line ending.
pub(in crate::lint) fn edited(source: &Source, edits: &[&Edit]) -> Option<Vec<u8>> {
    let text = source.text();
    let before = source.bytes();
    let (mut bytes, mut meant) = (Vec::with_capacity(before.len()), String::with_capacity(text.len()));
    let mut done = 0;
    for edit in edits {
        let Range { start, end } = edit.span.range();
        if start < done {
            return None;
        }
        bytes.extend_from_slice(&before[source.on_disk(done)..source.on_disk(start)]);
        bytes.extend_from_slice(edit.as_written().as_bytes());
        meant.push_str(&text[done..start]);
        meant.push_str(&edit.text);
        done = end;
    }
    bytes.extend_from_slice(&before[source.on_disk(done)..]);
    meant.push_str(&text[done..]);
    let read = Source::read(source.tier().into(), source.path(), bytes.clone()).ok()?;
    (read.text() == meant).then_some(bytes)
}

/// Whether two edits overlap or touch: one may depend on what the other changes.
pub(super) fn collide(one: &Edit, other: &Edit) -> bool {
    let (one, other) = (one.span.range(), other.span.range());
    one.start <= other.end && other.start <= one.end
}

#[cfg(test)]
mod edits_tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;

    fn source(bytes: &str) -> Arc<Source> {
        Source::read("project".into(), "x.md", bytes.as_bytes().to_vec()).unwrap()
    }

    fn after(bytes: &str, edits: &[(Range<usize>, &str)]) -> Option<String> {
        let source = source(bytes);
        let edits: Vec<_> = edits.iter().map(|(at, text)| Edit::replace(&source.span(at.clone()), *text)).collect();
        let bytes = edited(&source, &edits.iter().collect::<Vec<_>>())?;
        Some(String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn new_lines_use_the_line_endings_of_the_file() {
        assert_eq!(after("a\nb\n", &[(1..1, "\nx")]).unwrap(), "a\nx\nb\n");
        assert_eq!(after("a\r\nb\r\n", &[(1..1, "\nx"), (2..3, "c\nd")]).unwrap(), "a\r\nx\r\nc\r\nd\r\n");
        assert_eq!(after("a\rb\r", &[(2..3, "c\nd")]).unwrap(), "a\rc\rd\r");
        assert_eq!(after("a\r\nb\n", &[(3..3, "\nx"), (4..4, "y")]).unwrap(), "a\r\nb\nx\ny");
        // A whole line is removed with its line ending.
        assert_eq!(after("a\r\nb\r\nc", &[(2..4, "")]).unwrap(), "a\r\nc");
    }

    #[test]
    fn line_endings_that_would_merge_are_refused() {
        assert_eq!(after("a\rb\nc", &[(2..3, "")]), None);
        assert_eq!(after("a\n", &[(0..1, "x\r")]), None, "an edit uses LF only");
    }

    #[test]
    fn edits_that_touch_collide() {
        let source = source("abcdef");
        let edit = |at: Range<usize>| Edit::replace(&source.span(at), "");
        assert!(collide(&edit(1..3), &edit(2..4)));
        assert!(collide(&edit(1..3), &edit(3..4)));
        assert!(collide(&edit(1..1), &edit(1..1)));
        assert!(!collide(&edit(1..2), &edit(3..4)));
    }

    proptest! {
        #[test]
        fn bytes_outside_of_edits_are_untouched(
            parts in prop::collection::vec(
                prop::sample::select(vec!["a", "é", "\n", "\r\n", "\r", "x y", "😀"]),
                0..30,
            ),
            cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 0..8),
            new in prop::sample::select(vec!["", "new", "\n", "one\ntwo\n"]),
        ) {
            let bytes = parts.concat();
            let source = source(&bytes);
            let boundaries: Vec<usize> =
                (0..=source.text().len()).filter(|&at| source.text().is_char_boundary(at)).collect();
            let mut at: Vec<usize> = cuts.iter().map(|(index, _)| *index.get(&boundaries)).collect();
            at.sort_unstable();
            let edits: Vec<Edit> =
                at.chunks_exact(2).map(|pair| Edit::replace(&source.span(pair[0]..pair[1]), new)).collect();
            let Some(after) = edited(&source, &edits.iter().collect::<Vec<_>>()) else { return Ok(()) };
            // The text between the edits is unchanged and in order, with only the new text in between.
            let (mut rest, mut done) = (after.as_slice(), 0);
            for edit in &edits {
                let kept = &bytes.as_bytes()[source.on_disk(done)..source.on_disk(edit.span.range().start)];
                prop_assert_eq!(&rest[..kept.len()], kept);
                rest = &rest[kept.len()..];
                let put = new.replace('\n', source.line_end(edit.span.range().start));
                prop_assert_eq!(&rest[..put.len()], put.as_bytes());
                rest = &rest[put.len()..];
                done = edit.span.range().end;
            }
            prop_assert_eq!(rest, &bytes.as_bytes()[source.on_disk(done)..]);
        }

        #[test]
        fn an_empty_list_of_edits_changes_nothing(bytes in "[a\r\né]{0,20}") {
            prop_assert_eq!(edited(&source(&bytes), &[]).unwrap(), bytes.into_bytes());
        }
    }
}
