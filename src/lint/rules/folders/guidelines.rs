//! Guidelines that apply together.

use std::collections::HashSet;
use std::sync::Arc;

use crate::lint::folders::{
    ApplicableGuidelines, Folders, Guideline, GuidelinePlace, MOST_REPORTED, ReaderSet, omitted_note,
};
use crate::lint::rules::{Findings, Project, Span};

/// The minimum number of words in a guideline, not counting its negation: a single word does not say what it is about.
const FEWEST_MEANT: usize = 2;

pub fn guideline_contradicted(folders: &Folders, project: &Project<'_>, found: &mut Findings<'_>) {
    let mut applying: ApplicableGuidelines<'_, (&Span, GuidelinePlace<'_>)> = ApplicableGuidelines::default();
    for file in folders.guidelines(project).filter(|file| !file.readers.is_empty()) {
        applying.enter(file.place);
        let mut opposites: Vec<(&Span, &Span, ReaderSet)> = Vec::new();
        let mut kept: HashSet<&str> = HashSet::new();
        for guideline in file.guidelines.iter().filter(|it| it.count_meant() >= FEWEST_MEANT) {
            let at = &guideline.at;
            // Within one file, the surrounding text may say when each applies.
            let opposite = applying.first(&guideline.opposite(), |&(other, place)| {
                let readers = folders.readers_of_both(&file, place);
                let is_elsewhere = !readers.is_empty() && !Arc::ptr_eq(other.source(), at.source());
                is_elsewhere.then_some((at, other, readers))
            });
            opposites.extend(opposite);
            if kept.insert(&guideline.meant) {
                applying.keep(&guideline.meant, (at, file.place));
            }
        }
        let all = opposites.len();
        for (index, (at, other, readers)) in opposites.into_iter().take(MOST_REPORTED).enumerate() {
            let path = other.source().path();
            let message = format!("{path}, which also applies here, says the opposite{}", omitted_note(all, index));
            found.at(at, message).related(other, "the opposite").for_agents(folders.names(readers));
        }
    }
}

/// Shorter guidelines are too common to report.
const FEWEST: usize = 3;

const FEWEST_LETTERS: usize = 12;

/// Consecutive guidelines that are also consecutive elsewhere.
struct RepeatedGuidelines<'g> {
    at: &'g Span,
    first: &'g Span,
    /// The indices of the last guideline, in this place and in the first.
    last: (usize, usize),
    count: usize,
    readers: ReaderSet,
}

pub fn guideline_repeated(folders: &Folders, project: &Project<'_>, found: &mut Findings<'_>) {
    let mut applying: ApplicableGuidelines<'_, (&Span, usize, GuidelinePlace<'_>)> = ApplicableGuidelines::default();
    for file in folders.guidelines(project).filter(|file| !file.readers.is_empty()) {
        applying.enter(file.place);
        let mut rows: Vec<RepeatedGuidelines<'_>> = Vec::new();
        for (index, guideline) in file.guidelines.iter().enumerate().filter(|(_, it)| is_worth_it(it)) {
            let of_both = |&(first, index, place): &(_, usize, _)| {
                let readers = folders.readers_of_both(&file, place);
                let counts = !is_in(&guideline.at, first) || !is_definition(guideline.at.text());
                (!readers.is_empty() && counts).then_some((first, index, readers))
            };
            let Some((first, place, readers)) = applying.first(&guideline.words, of_both) else {
                applying.keep(&guideline.words, (&guideline.at, index, file.place));
                continue;
            };
            match rows.last_mut() {
                Some(row) if row.last == (index.wrapping_sub(1), place.wrapping_sub(1)) && is_in(row.first, first) => {
                    (row.last, row.count) = ((index, place), row.count + 1);
                }
                _ => {
                    rows.push(RepeatedGuidelines { at: &guideline.at, first, last: (index, place), count: 1, readers })
                }
            }
        }
        let all = rows.len();
        for (index, RepeatedGuidelines { at, first, count, readers, .. }) in
            rows.into_iter().take(MOST_REPORTED).enumerate()
        {
            let what = if count == 1 { "this guideline is" } else { &format!("these {count} guidelines are") };
            let place = match is_in(at, first) {
                true => "this file",
                false => &format!("{}, which also applies here", first.source().path()),
            };
            found
                .at(at, format!("{what} already in {place}{}", omitted_note(all, index)))
                .related(first, "first appears here")
                .for_agents(folders.names(readers));
        }
    }
}

fn is_worth_it(guideline: &Guideline) -> bool {
    guideline.count() >= FEWEST && guideline.words.chars().filter(|c| c.is_alphabetic()).count() >= FEWEST_LETTERS
}

/// Whether a text says what its code means, as a list of the options of a command does.
fn is_definition(text: &str) -> bool {
    let rest = text.strip_prefix('`').and_then(|rest| rest.split_once('`'));
    rest.is_some_and(|(_, rest)| rest.trim_start().starts_with(['-', '\u{2013}', '\u{2014}', ':']))
}

fn is_in(one: &Span, other: &Span) -> bool {
    Arc::ptr_eq(one.source(), other.source())
}
