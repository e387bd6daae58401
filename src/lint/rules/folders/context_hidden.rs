use std::collections::BTreeMap;

use crate::agents::{is_common, is_override};
use crate::lint::folders::{ContextFile, FolderContext, Folders, ReaderSet, imports};
use crate::lint::project::LintFile;
use crate::lint::rules::{Findings, Project};

/// By the indices of a hidden file and of the file that is read instead.
type HiddenFiles = BTreeMap<(usize, usize), ReaderSet>;

pub fn check(folders: &Folders, project: &Project<'_>, found: &mut Findings<'_>) {
    let mut told = Vec::new();
    for folder in &folders.context {
        let hidden = in_folder(folder, project);
        for (&(file, by), &readers) in &hidden {
            let other = hidden.get(&(by, file)).copied().unwrap_or_default();
            told.push(file);
            // Of two files that hide each other, the one that more agents miss is reported.
            if (other.len(), by) > (readers.len(), file) && !other.is_empty() {
                continue;
            }
            let (file, by) = (&project.files[file], &project.files[by]);
            let name = by.path.rsplit('/').next().unwrap_or_default();
            let message = format!("this file is not read, because {name} is in the same folder");
            let finding = found.at(project.location(file), message);
            finding.related(project.location(by), "this file is read instead");
            if !other.is_empty() {
                let names = folders.names(other).join(", ");
                finding.related(project.location(by), format!("this file is not read by {names}"));
            }
            finding.for_agents(folders.names(readers));
        }
    }
    for (path, readers) in &folders.hidden {
        let Ok(index) = project.files.binary_search_by(|file| file.path.as_str().cmp(path)) else { continue };
        let readers =
            if told.contains(&index) { ReaderSet::default() } else { lost(folders, index, *readers, project) };
        if !readers.is_empty() {
            let message = "this file is not read, because another one takes its place";
            found.at(project.location(&project.files[index]), message).for_agents(folders.names(readers));
        }
    }
}

fn in_folder(folder: &FolderContext, project: &Project<'_>) -> HiddenFiles {
    let mut hidden = HiddenFiles::new();
    for file in &folder.files {
        for by in folder.files.iter().filter(|by| by.index != file.index) {
            let readers = folder.hidden_from(file, by);
            if !readers.is_empty() && is_loss(file, by, project) {
                hidden.insert((file.index, by.index), readers);
            }
        }
    }
    hidden
}

/// Whether a file that another one hides says something that the other one does not.
fn is_loss(file: &ContextFile, by: &ContextFile, project: &Project<'_>) -> bool {
    let [lost, kept] = [file, by].map(|it| &project.files[it.index]);
    let text = |file: &LintFile| file.source.as_ref().map_or(String::new(), |source| source.text().trim().to_string());
    let (lost_text, kept_text) = (text(lost), text(kept));
    let is_blank = lost_text.is_empty() || kept_text.is_empty();
    !is_blank && lost_text != kept_text && !imports(lost, kept) && !is_override(&kept.path) && !is_common(&lost.path)
}

/// The agents that do not learn what a hidden file says: no file beside it says the same or leads to it.
fn lost(folders: &Folders, index: usize, readers: ReaderSet, project: &Project<'_>) -> ReaderSet {
    let mut files = folders.context.iter().flat_map(|folder| folder.files.iter().map(move |file| (folder, file)));
    let Some((folder, file)) = files.find(|(_, file)| file.index == index) else { return ReaderSet::default() };
    let mut others = folder.files.iter().filter(|other| other.index != index);
    let is_said = is_common(&project.files[index].path) || others.any(|other| !is_loss(file, other, project));
    if is_said { ReaderSet::default() } else { readers.without(folder.readers(file)) }
}
