use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::agents::{ChoiceReach, cut_at};
use crate::lint::folders::{ContextFile, FolderContext, Folders, ReaderSet};
use crate::lint::rules::{Findings, Project};
use crate::text::numbers::thousands;

/// By reader, the tokens of all files up to a folder, by the choice that they belong to.
type Sums = Vec<BTreeMap<usize, usize>>;

pub fn check(folders: &Folders, project: &Project<'_>, found: &mut Findings<'_>) {
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
