use std::collections::BTreeMap;

use crate::agents::ENDS_FRAME;
use crate::lint::folders::{Folders, ReaderSet};
use crate::lint::rules::{Findings, Project};

pub fn check(folders: &Folders, project: &Project<'_>, found: &mut Findings<'_>) {
    for folder in &folders.context {
        for file in &folder.files {
            let Some(source) = &project.files[file.index].source else { continue };
            let mut ends: BTreeMap<(usize, usize), ReaderSet> = BTreeMap::new();
            for (index, reader) in
                folders.readers.iter().enumerate().filter(|(index, _)| folder.readers(file).has(*index))
            {
                for end in reader.names.ends_of_frame(source.text()) {
                    let readers = ends.entry((end.start, end.end)).or_default();
                    *readers = readers.with(ReaderSet::one(index));
                }
            }
            for ((start, end), readers) in ends {
                let place = source.span(start..end);
                let message = format!("`{}` {ENDS_FRAME}", place.text());
                found.at(place, message).for_agents(folders.names(readers));
            }
        }
    }
}
