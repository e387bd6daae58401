use crate::lint::folders::Folders;
use crate::lint::rules::{Findings, Project};

pub fn check(folders: &Folders, project: &Project<'_>, found: &mut Findings<'_>) {
    for it in &folders.context {
        let Some(hidden) = it.hidden.map(|hidden| &project.files[hidden]) else { continue };
        let read = &project.files[it.effective];
        let (Some(lost), Some(kept)) = (&hidden.source, &read.source) else { continue };
        let name = read.path.rsplit('/').next().unwrap_or_default();
        let refers = lost.text().trim().strip_prefix('@').is_some_and(|path| path.trim_start_matches("./") == name);
        if lost.text() != kept.text() && !lost.text().trim().is_empty() && !refers {
            let message = format!("this file is not read, because {name} is in the same folder");
            found.at(project.location(hidden), message).related(project.location(read), "this file is read instead");
        }
    }
}
