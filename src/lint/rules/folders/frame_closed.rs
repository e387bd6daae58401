use std::collections::BTreeMap;

use crate::lint::folders::{Folders, ReaderSet};
use crate::lint::rules::{Findings, Project};

pub fn check(folders: &Folders, project: &Project<'_>, found: &mut Findings<'_>) {
    for folder in &folders.context {
        for file in &folder.files {
            let Some(source) = &project.files[file.index].source else { continue };
            let mut ends: BTreeMap<(usize, &str), ReaderSet> = BTreeMap::new();
            for (index, reader) in folders.readers.iter().enumerate() {
                let ends_of = reader.names.frame_ends.iter().filter(|_| folder.readers(file).has(index));
                for end in ends_of {
                    if let Some(at) = source.text().find(end) {
                        let readers = ends.entry((at, *end)).or_default();
                        *readers = readers.with(ReaderSet::one(index));
                    }
                }
            }
            for ((at, end), readers) in ends {
                let message = format!("`{end}` ends the part of the prompt in which this file stands");
                found.at(source.span(at..at + end.len()), message).for_agents(folders.names(readers));
            }
        }
    }
}
