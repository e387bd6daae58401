//! What coding agents see when they start in the folder.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rayon::prelude::*;

use super::fixes::{self, PathsIgnoringCase};
use super::loss::{self, Reports};
use super::places::Places;
use super::readers::{Reader, ReaderSet, contexts};
use super::seen::seen_files;
use super::{AgentFile, AgentFolder, ChosenAgents, Folders, apart};
use crate::agents::{self, AgentLook, AgentRequest, CONTEXT_NAMES, ChoiceReach, InstructionNames};
use crate::lint::project::{LintFile, Project};
use crate::prompt::{FileOutcome, FileReason, FileState, LayerKind};
use crate::read::limits;
use crate::read::store::Store;
use crate::text::Source;

/// The prompts of the agents.
pub(super) struct Looks {
    pub readers: Vec<Reader>,
    assembler: ReaderSet,
    looks: Vec<(usize, AgentLook)>,
    /// By reader.
    requests: Vec<Option<AgentRequest>>,
    are_guessed: bool,
    are_of_project: bool,
}

impl Looks {
    pub fn of(agents: &ChosenAgents, files: &dyn Store) -> Self {
        let (mut readers, mut requests): (Vec<Reader>, Vec<Option<AgentRequest>>) = Default::default();
        let mut looks = Vec::new();
        let of_request = |request: &AgentRequest| agents::look_as(request, files);
        let seen: Vec<AgentLook> = agents.requests.par_iter().map(of_request).collect();
        for (request, look) in agents.requests.iter().zip(seen) {
            let name = request.chosen.agent.name;
            let known = readers.iter().position(|reader| reader.name == name);
            let index = known.unwrap_or_else(|| {
                readers.push(Reader { name: name.to_string(), names: look.names.clone() });
                requests.push(Some(request.clone()));
                readers.len() - 1
            });
            looks.push((index, look));
        }
        let mut assembler = ReaderSet::default();
        if let Some(name) = &agents.assembler {
            assembler = ReaderSet::one(readers.len());
            let names = InstructionNames::first_of(CONTEXT_NAMES, ChoiceReach::Folder);
            let names = InstructionNames { keeps_mark: true, ..names };
            readers.push(Reader { name: name.clone(), names });
            requests.push(None);
        }
        Self {
            readers,
            assembler,
            looks,
            requests,
            are_guessed: agents.are_guessed,
            are_of_project: agents.are_of_project,
        }
    }

    /// The files of the project that the agents look at, except settings.
    pub fn files(&self, around: &AgentFolder, files: &dyn Store) -> HashMap<String, AgentFile> {
        let is_text = |file: &&FileOutcome| match file.state {
            FileState::Applied => false,
            FileState::LeftOut => file.path.ends_with(".md") && file.why != Some(FileReason::NotRead),
            _ => true,
        };
        let all = self.looks.iter().flat_map(|(_, look)| &look.prompt.files).filter(is_text);
        let inside = all.filter_map(|file| around.inside(&file.path));
        let files = inside.filter(|path| files.is_file(&around.whole(path))).map(|path| {
            let is_skill = path.ends_with("/SKILL.md");
            (path.to_string(), if is_skill { AgentFile::Skill } else { AgentFile::Other })
        });
        files.collect()
    }

    /// What the agents lose, and the files outside of the project that they read. `known` are the problems of skills
    /// that are already reported, by code and path, and `paths` those of all files.
    pub fn folders(
        self,
        around: &AgentFolder,
        files: &dyn Store,
        (project, tier): (&Project<'_>, &Arc<str>),
        paths: &[String],
        known: impl Fn(&str, &str) -> bool,
    ) -> Folders {
        let real = |path: &str| files.real(&around.whole(path));
        let context = contexts(&project.files, &self.readers, &seen_files(&self.looks, around), real);
        let mut places = Places::new(around, files, tier);
        let mut outside: Vec<(Arc<Source>, ReaderSet)> = Vec::new();
        if !self.assembler.is_empty() {
            let found = agents::from_outside(&around.root, &around.agent_dir, files).into_iter();
            let found = found.map(|file| file.source).filter(|source| around.inside(source.path()).is_none());
            outside.extend(found.map(|source| (source, self.assembler)));
        }
        let mut reports = Reports::new(known, self.are_guessed);
        for (index, look) in &self.looks {
            let reader = ReaderSet::one(*index);
            add_outside(look, reader, around, files, &mut outside);
            reports.add(look, reader, &mut places, files);
        }
        if !self.are_guessed {
            apart::imports(&self.looks, &self.readers, files, &mut places, &mut reports);
        }
        apart::waiting(&self.looks, paths, &mut places, &mut reports);
        let Reports { list, hidden, also, .. } = reports;
        let mut list = loss::gather(list);
        let index = project.tiers.list().iter().position(|known| known.label == *tier);
        let read = |path: &str| {
            let is_link = files.real(&around.whole(path)) != agents::below(&places.real, path);
            project.tiers.read(index.filter(|_| !is_link)?, path).ok()?
        };
        let letters = PathsIgnoringCase::of(paths);
        list.iter_mut().for_each(|report| fixes::add(report, &letters, read));
        if self.are_of_project {
            list.extend(apart::unread(&context, &project.files, project.tiers));
            let named = context.iter().flat_map(|folder| &folder.files).filter(|file| !file.is_for_nobody());
            let named = named.map(|file| around.whole(&project.files[file.index].path));
            let seen = self.looks.iter().flat_map(|(_, look)| &look.prompt.files);
            let seen = seen.filter(|file| file.why != Some(FileReason::NotRead)).map(|file| file.path.clone());
            let known: HashSet<String> = named.chain(seen).map(|path| files.real(&path)).collect();
            let is_read = |file: &&LintFile| known.contains(&files.real(&around.whole(&file.path)));
            let (own, others): (Vec<_>, Vec<_>) = project.files.iter().partition(is_read);
            list.extend(apart::of_others(&own, &others, &self.readers));
        }
        let (own, settings) = (around.folder.clone(), around.settings.clone());
        let Self { readers, assembler, requests, looks, .. } = self;
        let (mut prompts, mut imports) = (Vec::new(), Vec::new());
        for (_, look) in looks {
            prompts.push(look.prompt);
            imports.extend(look.imports);
        }
        Folders {
            settings,
            readers,
            outside,
            context,
            reports: list,
            prompts,
            imports,
            hidden,
            also,
            own,
            assembler,
            requests,
            ..Folders::default()
        }
    }
}

fn add_outside(
    look: &AgentLook,
    reader: ReaderSet,
    around: &AgentFolder,
    files: &dyn Store,
    outside: &mut Vec<(Arc<Source>, ReaderSet)>,
) {
    let prompt = &look.prompt;
    for file in prompt.files.iter().filter(|file| file.state == FileState::Loaded) {
        let layer = file.layer.and_then(|layer| prompt.layers.get(layer));
        let is_instructions = layer.is_some_and(|layer| layer.kind == LayerKind::Context);
        if !is_instructions || around.inside(&file.path).is_some() {
            continue;
        }
        if let Some((_, readers)) = outside.iter_mut().find(|(source, _)| source.path() == file.path) {
            *readers = readers.with(reader);
        } else if let Ok(bytes) = files.read(&file.path, limits::FILE_BYTES) {
            outside.push((Source::read_raw(None, "agent".into(), &file.path, &bytes), reader));
        }
    }
}
