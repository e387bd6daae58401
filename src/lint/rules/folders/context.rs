//! Instruction files that are hidden, too long, or end their frame.

use std::collections::{BTreeMap, HashMap, HashSet};

use rayon::prelude::*;

use crate::agents::{ChoiceReach, ENDS_FRAME, cut_at, is_common};
use crate::lint::folders::{ContextFile, FolderContext, Folders, ReaderSet};
use crate::lint::project::LintFile;
use crate::lint::rules::{Findings, Project};
use crate::text::numbers::thousands;

/// How many of the files that one file hides are shown.
const MOST_RELATED: usize = 3;

/// By the indices of a hidden file and of the file that is read instead.
type HiddenFiles = BTreeMap<(usize, usize), ReaderSet>;

pub fn context_hidden(folders: &Folders, project: &Project<'_>, found: &mut Findings<'_>) {
    let mut told = HashSet::new();
    for folder in &folders.context {
        let hidden = in_folder(folder, project);
        for (&(file, by), &readers) in &hidden {
            let other = hidden.get(&(by, file)).copied().unwrap_or_default();
            told.insert(file);
            // Of two files that hide each other, the one that more agents miss is reported.
            if (other.len(), by) > (readers.len(), file) && !other.is_empty() {
                continue;
            }
            let (file, by) = (&project.files[file], &project.files[by]);
            let name = by.path.rsplit('/').next().unwrap_or_default();
            let message = format!("this file is not read, because {name} is in the same folder");
            let finding = found.at(project.location(file), message);
            finding.related(project.location(by), instead(by));
            if !other.is_empty() {
                let names = folders.names(other).join(", ");
                finding.related(project.location(by), format!("this file is not read by {names}"));
            }
            finding.for_agents(folders.names(readers));
        }
    }
    elsewhere(folders, &told, project, found);
}

fn instead(file: &LintFile) -> &'static str {
    match file.is_private {
        true => "this file is read instead; git ignores it, so others may not have it",
        false => "this file is read instead",
    }
}

/// Reports files that are hidden by one in another folder. Those that the same agents miss are one finding, since one
/// file may hide many.
fn elsewhere(folders: &Folders, told: &HashSet<usize>, project: &Project<'_>, found: &mut Findings<'_>) {
    let mut by_readers: BTreeMap<Vec<String>, Vec<HiddenFile<'_>>> = BTreeMap::new();
    let places: HashMap<usize, (&FolderContext, &ContextFile)> = folders
        .context
        .iter()
        .flat_map(|folder| folder.files.iter().map(move |file| (file.index, (folder, file))))
        .collect();
    for (path, readers) in &folders.hidden {
        let index = project.files.binary_search_by(|file| file.path.as_str().cmp(path));
        let place = index.ok().filter(|index| !told.contains(index)).and_then(|index| places.get(&index));
        let Some(&(folder, file)) = place else { continue };
        let readers = lost((folder, file), *readers, project);
        if !readers.is_empty() {
            by_readers.entry(folders.names(readers)).or_default().push(HiddenFile { folder, file, readers });
        }
    }
    for (agents, hidden) in by_readers {
        let Some((first, others)) = hidden.split_first() else { continue };
        let by = first.by(folders, project);
        let what = match others.len() {
            0 => "this file is not read".to_string(),
            1 => "this file and one other are not read".to_string(),
            more => format!("this file and {more} others are not read"),
        };
        let because = by.map_or("another file", |file| &file.path);
        let places = if others.is_empty() { "its place" } else { "their place" };
        let at = |hidden: &HiddenFile<'_>| project.location(&project.files[hidden.file.index]);
        let finding = found.at(at(first), format!("{what}, because {because} takes {places}"));
        if let Some(by) = by {
            finding.related(project.location(by), instead(by));
        }
        for other in others.iter().take(MOST_RELATED) {
            finding.related(at(other), "this file is not read, either");
        }
        finding.for_agents(agents);
    }
}

struct HiddenFile<'f> {
    folder: &'f FolderContext,
    file: &'f ContextFile,
    readers: ReaderSet,
}

impl<'f> HiddenFile<'f> {
    /// A file on the way whose name counts instead.
    fn by(&self, folders: &Folders, project: &'f Project<'_>) -> Option<&'f LintFile> {
        let reader = (0..folders.readers.len()).find(|index| self.readers.has(*index))?;
        let counts = self.folder.choice(reader)?;
        let on_the_way = folders.context.iter().filter(|above| above.holds(&self.folder.folder));
        let mut files =
            on_the_way.flat_map(|above| above.files.iter().map(move |file| (above, &project.files[file.index])));
        let names = &folders.readers[reader].names;
        let is_it = |above: &FolderContext, file: &LintFile| {
            let name = file.path[above.folder.len()..].trim_start_matches('/');
            names.choice(name) == Some(counts)
        };
        files.find(|(above, file)| is_it(above, file)).map(|(_, file)| file)
    }
}

fn in_folder(folder: &FolderContext, project: &Project<'_>) -> HiddenFiles {
    let mut hidden = HiddenFiles::new();
    for file in &folder.files {
        for by in folder.files.iter().filter(|by| by.index != file.index) {
            let readers = folder.hidden_from(file, by);
            if !readers.is_empty() && file.says_more_than(by, &project.files) {
                hidden.insert((file.index, by.index), readers);
            }
        }
    }
    hidden
}

/// The agents that do not learn what a hidden file says: no file beside it says the same or leads to it.
fn lost((folder, file): (&FolderContext, &ContextFile), readers: ReaderSet, project: &Project<'_>) -> ReaderSet {
    let mut others = folder.files.iter().filter(|other| other.index != file.index);
    let is_said =
        is_common(&project.files[file.index].path) || others.any(|other| !file.says_more_than(other, &project.files));
    if is_said { ReaderSet::default() } else { readers.without(folder.readers(file)) }
}

/// By reader, the tokens of all files up to a folder, by the choice that they belong to.
type Sums = Vec<BTreeMap<usize, usize>>;

pub fn context_over_budget(folders: &Folders, project: &Project<'_>, found: &mut Findings<'_>) {
    let options = project.options;
    let tokenizer = options.tokenizer;
    let count = |file: &ContextFile| {
        let file = &project.files[file.index];
        let text = file.source.as_ref().map_or("", |source| source.text());
        *file.tokens.get_or_init(|| tokenizer.count(text))
    };
    let sent = |file: &ContextFile, reader| match (&project.files[file.index].source, file.kept.get(&reader)) {
        (Some(source), Some(kept)) => tokenizer.count(&source.text()[..cut_at(source, &source.bytes(), *kept)]),
        _ => count(file),
    };
    folders.context.par_iter().flat_map_iter(|folder| &folder.files).for_each(|file| {
        count(file);
    });
    let outside: Vec<usize> = folders.outside.par_iter().map(|(source, _)| tokenizer.count(source.text())).collect();
    let outside_of = |reader| {
        let counts = folders.outside.iter().zip(&outside);
        counts.filter(|((_, readers), _)| readers.has(reader)).map(|(_, count)| count).sum::<usize>()
    };
    let outside: Vec<usize> = (0..folders.readers.len()).map(outside_of).collect();
    let mut open: Vec<(&FolderContext, Sums)> = Vec::new();
    for folder in &folders.context {
        let prompts = match folder.folder.as_str() {
            "" => "every prompt".to_string(),
            path => format!("every prompt in {path}"),
        };
        // Copies in a folder, each for other agents, are one text.
        let mut own: BTreeMap<(usize, usize), ReaderSet> = BTreeMap::new();
        for file in folder.files.iter().filter(|file| count(file) > options.context_tokens) {
            let readers = folder.readers(file);
            for index in (0..folders.readers.len()).filter(|index| readers.has(*index)) {
                let readers = own.entry((first_copy(file), sent(file, index))).or_default();
                *readers = readers.with(ReaderSet::one(index));
            }
        }
        // An agent that cuts the file has a finding about that; it is named here if no other agent sends more.
        let most: BTreeMap<usize, (usize, ReaderSet)> =
            own.into_iter().map(|((file, tokens), readers)| (file, (tokens, readers))).collect();
        for (file, (tokens, readers)) in most.into_iter().filter(|(_, (tokens, _))| *tokens > options.context_tokens) {
            let [tokens, most] = [tokens, options.context_tokens].map(thousands);
            let message = format!("this file adds {tokens} tokens to {prompts}; the limit is {most}");
            found.at(project.location(&project.files[file]), message).for_agents(folders.names(readers));
        }
        while open.pop_if(|(above, _)| !above.holds(&folder.folder)).is_some() {}
        let mut sums = open.last().map_or_else(|| vec![BTreeMap::new(); folders.readers.len()], |(_, it)| it.clone());
        // By the last file that each reader has here, and the sum.
        let mut exceeding: BTreeMap<(usize, usize), ReaderSet> = BTreeMap::new();
        for (index, reader) in folders.readers.iter().enumerate() {
            let Some(choice) = folder.choice(index) else { continue };
            // Where each folder has its own choice, all of them add up.
            let key = if reader.names.reach == ChoiceReach::Way { choice } else { 0 };
            let mut read = folder.files.iter().filter(|file| folder.readers(file).has(index));
            let own: usize = read.clone().map(|file| sent(file, index)).sum();
            let sum = sums[index].entry(key).or_default();
            let above = outside[index] + *sum;
            *sum += own;
            let all = above + own;
            if let Some(last) = read.next_back()
                && above <= options.context_chain_tokens
                && all > options.context_chain_tokens
                // A file that is too long by itself is already reported.
                && !(all == sent(last, index) && all > options.context_tokens)
            {
                let readers = exceeding.entry((first_copy(last), all)).or_default();
                *readers = readers.with(ReaderSet::one(index));
            }
        }
        for ((file, sum), readers) in exceeding {
            let [sum, most] = [sum, options.context_chain_tokens].map(thousands);
            let message = format!("with the files above it, this adds {sum} tokens to {prompts}; the limit is {most}");
            found.at(project.location(&project.files[file]), message).for_agents(folders.names(readers));
        }
        open.push((folder, sums));
    }
}

/// The index of the first file in the folder with the same text.
fn first_copy(file: &ContextFile) -> usize {
    file.same_text.unwrap_or(file.index)
}

pub fn frame_closed(folders: &Folders, project: &Project<'_>, found: &mut Findings<'_>) {
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
