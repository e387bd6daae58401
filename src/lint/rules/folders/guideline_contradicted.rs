use std::collections::HashSet;
use std::sync::Arc;

use crate::lint::folders::{ApplicableGuidelines, Folders, GuidelinePlace, MOST_REPORTED, ReaderSet, omitted_note};
use crate::lint::rules::{Findings, Project, Span};

/// The minimum number of words in a guideline, not counting its negation: a single word does not say what it is about.
const FEWEST: usize = 2;

pub fn check(folders: &Folders, project: &Project<'_>, found: &mut Findings<'_>) {
    let mut applying: ApplicableGuidelines<'_, (&Span, GuidelinePlace<'_>)> = ApplicableGuidelines::default();
    for file in folders.guidelines(project).filter(|file| !file.readers.is_empty()) {
        applying.enter(file.place);
        let mut opposites: Vec<(&Span, &Span, ReaderSet)> = Vec::new();
        let mut kept: HashSet<&str> = HashSet::new();
        for guideline in file.guidelines.iter().filter(|it| it.count_meant() >= FEWEST) {
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
