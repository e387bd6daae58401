use std::sync::Arc;

use crate::lint::folders::{ApplicableGuidelines, Folders, MOST_REPORTED, omitted_note};
use crate::lint::rules::{Findings, Project, Span};

/// The minimum number of words in a guideline, not counting its negation: a single word does not say what it is about.
const FEWEST: usize = 2;

pub fn check(folders: &Folders, project: &Project<'_>, found: &mut Findings<'_>) {
    let mut applying: ApplicableGuidelines<'_, &Span> = ApplicableGuidelines::default();
    for file in folders.guidelines(project) {
        applying.enter(file.folder);
        let mut opposites: Vec<(&Span, &Span)> = Vec::new();
        for guideline in file.guidelines.iter().filter(|it| it.count_meant() >= FEWEST) {
            let at = &guideline.at;
            // Within one file, the surrounding text may say when each applies.
            let opposite = applying.first(&guideline.opposite()).copied();
            let elsewhere = opposite.filter(|other| !Arc::ptr_eq(other.source(), at.source()));
            opposites.extend(elsewhere.map(|other| (at, other)));
            applying.keep(&guideline.meant, at);
        }
        let all = opposites.len();
        for (index, (at, other)) in opposites.into_iter().take(MOST_REPORTED).enumerate() {
            let path = other.source().path();
            let message = format!("{path}, which also applies here, says the opposite{}", omitted_note(all, index));
            found.at(at, message).related(other, "the opposite");
        }
    }
}
