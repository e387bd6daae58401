//! Which agents read which instruction files, in any folder.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use crate::agents::{self, AgentLook, CONTEXT_NAMES, ChoiceReach, InstructionNames, is_common, is_override};
use crate::lint::project::{FileKind, LintFile};
use crate::prompt::{FileReason, FileState};

use super::{AgentFile, AgentFolder, folder_of};

/// An agent that works in the folders.
#[derive(Debug, Clone)]
pub struct Reader {
    pub name: String,
    pub names: InstructionNames,
}

/// Some of the readers, by their indices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ReaderSet(u32);

/// The instruction files of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderContext {
    /// Relative to the root; empty for the root itself.
    pub folder: String,
    pub files: Vec<ContextFile>,
    /// By reader: the choice that counts in this folder.
    pub(super) choices: Vec<Option<usize>>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContextFile {
    /// In the files of the project.
    pub index: usize,
    /// By reader: the choice that the file belongs to.
    pub(super) choices: Vec<Option<usize>>,
    /// The first file of the folder with the same text; `None` if the text is blank.
    pub same_text: Option<usize>,
    /// The files beside it that it names with `@`.
    imports: BTreeSet<usize>,
    /// By reader: how many bytes it sends if not all.
    pub kept: BTreeMap<usize, usize>,
    /// Whether a reader knows the name, but leaves this file out for what it is.
    is_left_out: bool,
}

/// How many names an agent may have for instruction files: the files of a folder are compared in pairs.
const MOST_NAMES: usize = 1_000;

impl ReaderSet {
    pub fn of(is_in: impl Iterator<Item = bool>) -> Self {
        Self(is_in.take(32).enumerate().fold(0, |set, (index, is_in)| set | u32::from(is_in) << index))
    }

    pub fn one(index: usize) -> Self {
        Self::of((0..=index).map(|it| it == index))
    }

    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub fn has(self, index: usize) -> bool {
        index < 32 && self.0 >> index & 1 == 1
    }

    pub fn names(self, readers: &[Reader]) -> Vec<String> {
        let readers = readers.iter().enumerate().filter(|(index, _)| self.has(*index));
        readers.map(|(_, reader)| reader.name.clone()).collect()
    }
}

impl FolderContext {
    /// Whether a folder is this one or below it.
    pub fn holds(&self, folder: &str) -> bool {
        let rest = folder.strip_prefix(self.folder.as_str());
        self.folder.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The choice that counts for a reader.
    pub fn choice(&self, reader: usize) -> Option<usize> {
        self.choices.get(reader).copied().flatten()
    }

    /// Who reads a file of this folder when started in this folder.
    pub fn readers(&self, file: &ContextFile) -> ReaderSet {
        let pairs = file.choices.iter().zip(&self.choices);
        ReaderSet::of(pairs.map(|(choice, counts)| choice.is_some() && choice == counts))
    }

    /// Who reads another file of the folder instead of a file.
    pub fn hidden_from(&self, file: &ContextFile, by: &ContextFile) -> ReaderSet {
        let (by, pairs) = (self.readers(by), file.choices.iter().zip(&self.choices).enumerate());
        let is_hidden = |choice: &Option<usize>, counts: &Option<usize>| choice.is_some() && choice != counts;
        ReaderSet::of(pairs.map(|(index, (choice, counts))| by.has(index) && is_hidden(choice, counts)))
    }

    /// Who reads a file of this folder, and a file of a folder above or of this one, together.
    pub fn readers_of_both(
        &self,
        file: &ContextFile,
        (above, other): (&Self, &ContextFile),
        readers: &[Reader],
    ) -> ReaderSet {
        let own = self.readers(file);
        ReaderSet::of(readers.iter().enumerate().map(|(index, reader)| {
            let counts = match reader.names.reach {
                ChoiceReach::Folder => above.choices[index],
                ChoiceReach::Way => self.choices[index],
            };
            own.has(index) && other.choices[index].is_some() && other.choices[index] == counts
        }))
    }
}

/// The names of files that some agent takes for instructions, longest first.
pub fn instruction_names(readers: &[Reader]) -> Vec<&str> {
    let mut names: Vec<&str> =
        readers.iter().flat_map(|reader| reader.names.all().take(MOST_NAMES)).chain(CONTEXT_NAMES).collect();
    names.sort_unstable_by_key(|name| (std::cmp::Reverse(name.len()), *name));
    names.dedup();
    names
}

/// The folder that an instruction file applies to, and its path from there.
pub fn split_instructions<'p>(path: &'p str, names: &[&str]) -> Option<(&'p str, &'p str)> {
    let start = names.iter().find_map(|name| {
        let start = path.len().checked_sub(name.len()).filter(|_| path.ends_with(name))?;
        (start == 0 || path.as_bytes()[start - 1] == b'/').then_some(start)
    })?;
    Some((path[..start].trim_end_matches('/'), &path[start..]))
}

/// The folders with instruction files, parents before the folders below them. `seen` is what prompts say of files, and
/// `real` resolves the links of a path.
pub fn contexts(
    files: &[LintFile],
    readers: &[Reader],
    seen: &HashMap<&str, SeenFile>,
    real: impl Fn(&str) -> String,
) -> Vec<FolderContext> {
    let names = instruction_names(readers);
    let mut found: BTreeMap<Vec<&str>, Vec<ContextFile>> = BTreeMap::new();
    for (index, file) in files.iter().enumerate() {
        let is_read = file.kind == FileKind::Agents(AgentFile::Context) && file.source.is_some();
        // Nobody starts an agent in a skill.
        let is_read = is_read && !is_in_skill(&file.path);
        let Some((folder, name)) = split_instructions(&file.path, &names).filter(|_| is_read) else { continue };
        let choices = readers.iter().map(|reader| reader.names.choice(name)).collect();
        let kept = seen.get(&*file.path).map(|seen| seen.kept.clone()).unwrap_or_default();
        found.entry(folder.split('/').collect()).or_default().push(ContextFile {
            index,
            choices,
            kept,
            ..ContextFile::default()
        });
    }
    // Prompts are those of the top. In a folder below, other settings may apply.
    let seen_of = |file: &ContextFile| {
        let path = files[file.index].path.as_str();
        seen.get(path).filter(|_| split_instructions(path, &names).is_some_and(|(folder, _)| folder.is_empty()))
    };
    let mut contexts: Vec<FolderContext> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (folder, mut in_folder) in found {
        compare(&mut in_folder, files);
        join(&mut in_folder, files, readers, &real);
        let folder = folder.join("/");
        while open.pop_if(|above| !contexts[*above].holds(&folder)).is_some() {}
        let above = open.last().map(|above| &contexts[*above].choices);
        let choices = readers.iter().enumerate().map(|(index, reader)| {
            // A prompt says which files count; without one, their names do.
            let sent = in_folder.iter().filter(|file| seen_of(file).is_some_and(|seen| seen.sent.has(index)));
            let sent = sent.filter_map(|file| file.choices[index]).min();
            let own = sent.or_else(|| in_folder.iter().filter_map(|file| file.choices[index]).min());
            let above = above.and_then(|choices| choices[index]);
            match reader.names.reach {
                ChoiceReach::Folder => own,
                ChoiceReach::Way => own.into_iter().chain(above).min(),
            }
        });
        let choices: Vec<Option<usize>> = choices.collect();
        for file in &mut in_folder {
            let Some(seen) = seen_of(file) else { continue };
            for (index, counts) in choices.iter().enumerate() {
                if seen.sent.has(index) {
                    file.choices[index] = *counts;
                } else if seen.left_out.has(index) {
                    file.choices[index] = None;
                    file.is_left_out = true;
                }
            }
        }
        open.push(contexts.len());
        contexts.push(FolderContext { folder, files: in_folder, choices });
    }
    contexts
}

/// Whether a path is in a folder of `.claude/skills` or its like.
pub fn is_in_skill(path: &str) -> bool {
    let folders: Vec<&str> = path.split('/').collect();
    folders.windows(3).any(|it| it[0].starts_with('.') && matches!(it[1], "skills" | "skill"))
}

/// Finds out which files of a folder say the same and which name others.
fn compare(in_folder: &mut [ContextFile], files: &[LintFile]) {
    let mut texts: HashMap<&str, usize> = HashMap::new();
    let place = |index: usize| agents::joined("/", &files[index].path);
    let places: HashMap<String, usize> = in_folder.iter().map(|file| (place(file.index), file.index)).collect();
    for file in in_folder {
        let Some(source) = &files[file.index].source else { continue };
        let text = source.text().trim();
        file.same_text = (!text.is_empty()).then(|| *texts.entry(text).or_insert(file.index));
        let named = text.split_whitespace().filter_map(|word| word.strip_prefix('@'));
        let folder = agents::joined("/", folder_of(&files[file.index].path));
        file.imports = named.filter_map(|path| places.get(&agents::joined(&folder, path)).copied()).collect();
    }
}

/// Gives a file the choice of another one in its folder that is a link to it or imports it, so that reading one is
/// reading both.
fn join(in_folder: &mut Vec<ContextFile>, files: &[LintFile], readers: &[Reader], real: &impl Fn(&str) -> String) {
    if in_folder.len() < 2 {
        return;
    }
    let places: Vec<String> = in_folder.iter().map(|file| real(&files[file.index].path)).collect();
    let mut first: HashMap<&str, usize> = HashMap::new();
    let mut is_link = vec![false; in_folder.len()];
    // A path that is its own real path comes first.
    let mut order: Vec<usize> = (0..in_folder.len()).collect();
    order.sort_by_key(|&at| !Path::new(&places[at]).ends_with(&files[in_folder[at].index].path));
    for at in order {
        match first.get(places[at].as_str()) {
            Some(&target) => {
                is_link[at] = true;
                let choices = in_folder[at].choices.clone();
                lower(&mut in_folder[target].choices, &choices, |_| true);
            }
            None => drop(first.insert(&places[at], at)),
        }
    }
    let by_index: HashMap<usize, usize> = in_folder.iter().enumerate().map(|(at, file)| (file.index, at)).collect();
    for at in 0..in_folder.len() {
        let ContextFile { choices, imports, .. } = in_folder[at].clone();
        for target in imports.iter().filter_map(|index| by_index.get(index)).filter(|target| **target != at) {
            lower(&mut in_folder[*target].choices, &choices, |index| readers[index].names.has_imports);
        }
    }
    let mut is_link = is_link.into_iter();
    in_folder.retain(|_| !is_link.next().unwrap_or_default());
}

fn lower(choices: &mut [Option<usize>], others: &[Option<usize>], counts: impl Fn(usize) -> bool) {
    for (index, (choice, other)) in choices.iter_mut().zip(others).enumerate() {
        if counts(index) {
            *choice = choice.iter().chain(other).copied().min();
        }
    }
}

impl ContextFile {
    /// Whether no reader knows a file of this name.
    pub fn is_for_nobody(&self) -> bool {
        !self.is_left_out && self.choices.iter().all(Option::is_none)
    }

    /// Whether readers of a different file of the folder miss something if they do not read this one.
    pub fn says_more_than(&self, kept: &Self, files: &[LintFile]) -> bool {
        let [lost, by] = [self, kept].map(|file| files[file.index].path.as_str());
        let is_blank = self.same_text.is_none() || kept.same_text.is_none();
        let is_led_to = self.same_text == kept.same_text || self.imports.contains(&kept.index);
        !is_blank && !is_led_to && !is_override(by) && !is_common(lost)
    }
}

/// What became of a file. A reader that sends it in one folder and leaves it out in another sends it.
#[derive(Debug, Clone, Default)]
pub struct SeenFile {
    pub sent: ReaderSet,
    /// Left out for what the file is itself, not for another file.
    pub left_out: ReaderSet,
    /// By reader: how many bytes are sent if not all are.
    pub kept: BTreeMap<usize, usize>,
}

/// By path in the project. The looks are those of the readers with the indices.
pub fn seen_files<'l>(looks: &'l [(usize, AgentLook)], around: &AgentFolder) -> HashMap<&'l str, SeenFile> {
    let mut seen: HashMap<&str, SeenFile> = HashMap::new();
    for (index, file) in looks.iter().flat_map(|(index, look)| look.prompt.files.iter().map(move |file| (*index, file)))
    {
        let Some(path) = around.inside(&file.path) else { continue };
        let (reader, of_file) = (ReaderSet::one(index), seen.entry(path).or_default());
        let kept = match (file.state, file.why) {
            (FileState::Loaded, _) => usize::MAX,
            (FileState::Cut(kept), _) => kept,
            (FileState::LeftOut, Some(FileReason::Budget)) => 0,
            (FileState::LeftOut, Some(why)) if is_of_file(why) => {
                of_file.left_out = of_file.left_out.with(reader);
                continue;
            }
            _ => continue,
        };
        if kept > 0 {
            of_file.sent = of_file.sent.with(reader);
        }
        let most = of_file.kept.entry(index).or_default();
        *most = kept.max(*most);
    }
    for file in seen.values_mut() {
        file.left_out = file.left_out.without(file.sent);
        file.kept.retain(|_, kept| *kept < usize::MAX);
    }
    seen
}

fn is_of_file(why: FileReason) -> bool {
    use FileReason::{Empty, Excluded, Invalid, TooLarge};
    matches!(why, Empty | Excluded | Invalid | TooLarge)
}
