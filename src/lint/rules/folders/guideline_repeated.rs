use std::sync::Arc;

use crate::lint::folders::{ApplicableGuidelines, Folders, Guideline, MOST_REPORTED, omitted_note};
use crate::lint::rules::{Findings, Project, Span};

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
}

pub fn check(folders: &Folders, project: &Project<'_>, found: &mut Findings<'_>) {
    let mut applying: ApplicableGuidelines<'_, (&Span, usize)> = ApplicableGuidelines::default();
    for file in folders.guidelines(project) {
        applying.enter(file.folder);
        let mut rows: Vec<RepeatedGuidelines<'_>> = Vec::new();
        for (index, guideline) in file.guidelines.iter().enumerate().filter(|(_, it)| is_worth_it(it)) {
            let Some(&(first, place)) = applying.first(&guideline.words) else {
                applying.keep(&guideline.words, (&guideline.at, index));
                continue;
            };
            match rows.last_mut() {
                Some(row) if row.last == (index.wrapping_sub(1), place.wrapping_sub(1)) && is_in(row.first, first) => {
                    (row.last, row.count) = ((index, place), row.count + 1);
                }
                _ => rows.push(RepeatedGuidelines { at: &guideline.at, first, last: (index, place), count: 1 }),
            }
        }
        let all = rows.len();
        for (index, RepeatedGuidelines { at, first, count, .. }) in rows.into_iter().take(MOST_REPORTED).enumerate() {
            let what = if count == 1 { "this guideline is" } else { &format!("these {count} guidelines are") };
            let place = match is_in(at, first) {
                true => "this file",
                false => &format!("{}, which also applies here", first.source().path()),
            };
            found
                .at(at, format!("{what} already in {place}{}", omitted_note(all, index)))
                .related(first, "first appears here");
        }
    }
}

fn is_worth_it(guideline: &Guideline) -> bool {
    guideline.count() >= FEWEST && guideline.words.chars().filter(|c| c.is_alphabetic()).count() >= FEWEST_LETTERS
}

fn is_in(one: &Span, other: &Span) -> bool {
    Arc::ptr_eq(one.source(), other.source())
}
