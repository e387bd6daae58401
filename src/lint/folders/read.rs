//! Reads the files of agents, and what coding agents see when they start in the folder.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use crate::agents::{self, AgentLook, AgentRequest, CONTEXT_NAMES, ChoiceReach, InstructionNames};
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::lint::options::LintOptions;
use crate::lint::project::{FileContent, FileKind, LintFile, Project, within_limits};
use crate::lint::scope::ignored::Ignored;
use crate::prompt::{FileOutcome, FileReason, FileState, LayerKind};
use crate::read::protocol::Protocol;
use crate::read::store::{Store, TierKind, Tiers};
use crate::read::{limits, yaml};
use crate::text::Source;
use crate::write::progress;

use super::apart::{self, of_tool};
use super::fixes::{self, PathsIgnoringCase};
use super::loss::{self, Reports};
use super::places::{Overlay, Places};
use super::readers::{Reader, ReaderSet, contexts, instruction_names, is_in_skill, seen_files, split_instructions};
use super::skills::{SkillFile, Skills};
use super::walk::FolderWalk;
use super::{AgentFile, AgentFolder, ChosenAgents, Folders, up_from};

/// The most folders below whose prompts are looked at, for each agent.
const MOST_CROWDED: usize = 100;

/// Reads the agent files in and below the folder of the project tier, and the files outside that
/// apply to it. Files in `named` are read even in ignored folders.
pub fn read<'a>(
    tiers: &'a Tiers,
    protocol: &'a Protocol,
    options: &'a LintOptions,
    around: &AgentFolder,
    named: &[&str],
) -> Project<'a> {
    let mut project = Project::empty(tiers, protocol, options);
    let Some(tier) = tiers.list().iter().position(|tier| tier.kind == TierKind::Project) else { return project };
    let overlay = Overlay::new(around, tiers, tier);
    let ignored = tiers.project_root().map(|root| Ignored::of(root, tiers.disk()));
    // The walk comes first, so that the agents find all folders listed.
    let walked = FolderWalk::of(around, true, &overlay, ignored, |_| false);
    let walked = walked.unwrap_or_else(|error| {
        project.diagnostics.push(Diagnostic::at(error.problem, tiers.place(tier, ".".to_string())));
        FolderWalk::default()
    });
    let looks = Looks::of(around, &overlay);
    let names = instruction_names(&looks.folders.readers);
    let found = walked.files(named, around, &names, &overlay);
    let FolderWalk { all, skills, refused, .. } = walked;
    let refused = refused.into_iter().map(|(path, problem)| Diagnostic::at(problem, tiers.place(tier, path)));
    project.diagnostics.extend(refused);
    let Skills { files: skills, diagnostics } = Skills::read(&skills, around, &overlay);
    project.diagnostics.extend(diagnostics.into_iter().map(|diagnostic| overlay.in_project(diagnostic)));
    let mut files = looks.files(around, &overlay);
    if around.agents.are_of_project {
        files.extend(all.iter().filter(|path| of_tool(path).is_some()).map(|path| (path.clone(), AgentFile::Other)));
    }
    files.retain(|path, _| !skills.contains_key(path));
    files.extend(found);
    project.files = skills.into_par_iter().map(|(path, skill)| overlay.skill(path, skill)).collect();
    let progress = progress::begin("reading", "files", files.len());
    let read = |(path, kind)| {
        progress.step();
        overlay.file(path, kind)
    };
    project.files.par_extend(files.into_par_iter().map(read));
    project.files = within_limits(project.files, tiers, ".", &mut project.diagnostics);
    project.files.extend(overlay.settings());
    project.files.sort_by(|left, right| left.path.cmp(&right.path));
    // A named file may be found twice; if it is a skill called `AGENTS.md`, the skill wins.
    project.files.dedup_by(|later, first| later.path == first.path);
    overlay.skip_links(&mut project.files);
    let known: HashSet<(&str, &str)> = project.files.iter().flat_map(LintFile::problems).collect();
    let label = &tiers.list()[tier].label;
    let is_known = |code: &str, path: &str| known.contains(&(code, path));
    let folders = looks.folders(around, &overlay, (&project, label), &all, is_known);
    project.folders = Some(folders);
    project
}

impl Overlay<'_> {
    /// A skill with the problems that its discovery reported.
    fn skill(&self, path: String, SkillFile { name, wrong }: SkillFile) -> LintFile {
        let mut file = self.file(path, AgentFile::Skill);
        // Discovery may have reported that it cannot be read.
        if !wrong.is_empty() {
            file.diagnostics.retain(|diagnostic| matches!(diagnostic.problem, Problem::InvalidUtf8 { .. }));
        }
        let wrong: Vec<Diagnostic> = wrong.into_iter().map(|diagnostic| self.placed(diagnostic, &file)).collect();
        file.diagnostics.extend(wrong);
        file.id = name;
        file
    }

    fn file(&self, path: String, kind: AgentFile) -> LintFile {
        let mut file = LintFile::new(self.tier, FileKind::Agents(kind), path.clone(), path);
        file.is_linted = true;
        match self.tiers.read(self.tier, &file.path) {
            Ok(source) => file.source = source,
            Err(error) => file.diagnostics.push(error),
        }
        if file.source.is_some() {
            file.content = FileContent::Markdown;
        }
        if let Some(source) = file.source.as_ref().filter(|it| kind == AgentFile::Base && it.text().is_empty()) {
            file.diagnostics.push(Diagnostic::at(Problem::EmptyBase, source.whole()));
        }
        file
    }

    /// Gives a diagnostic without a tier a place in the project.
    fn in_project(&self, diagnostic: Diagnostic) -> Diagnostic {
        match diagnostic.at {
            Some(Location::File { path, .. }) => Diagnostic::at(diagnostic.problem, self.tiers.place(self.tier, path)),
            _ => diagnostic,
        }
    }

    /// Moves a diagnostic from the agent's copy of a file to the project's.
    fn placed(&self, diagnostic: Diagnostic, file: &LintFile) -> Diagnostic {
        let at = match (diagnostic.at, &file.source) {
            (Some(Location::Span(span)), Some(source)) if span.source().text() == source.text() => {
                source.span(span.range()).into()
            }
            _ => file.location(&self.tiers.list()[self.tier].label),
        };
        Diagnostic::at(diagnostic.problem, at)
    }

    fn settings(&self) -> Option<LintFile> {
        let path = self.around.settings.clone();
        let source = self.tiers.read(self.tier, &path).ok()??;
        let mut file = LintFile::new(self.tier, FileKind::Configuration, path.clone(), path);
        let loaded = yaml::load(&source.whole()).ok()?;
        file.content = FileContent::Configuration(loaded.node);
        file.source = Some(source);
        file.is_linted = true;
        Some(file)
    }

    /// Excludes links that leave the project or lead to a different agent file in it.
    fn skip_links(&self, files: &mut [LintFile]) {
        let root = self.real(&self.around.root);
        let own: HashSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let is_other = |file: &LintFile| {
            let real = self.real(&self.around.whole(&file.path));
            let inside = Path::new(&real).strip_prefix(&root).ok().and_then(Path::to_str);
            !self.around.piped.contains(&file.path)
                && inside.is_none_or(|inside| inside != file.path && own.contains(inside))
        };
        let is_other: Vec<bool> = files.par_iter().map(is_other).collect();
        for (file, is_other) in files.iter_mut().zip(is_other) {
            file.is_linted &= !is_other;
        }
    }
}

/// The prompts of the agents.
pub(super) struct Looks {
    /// What the project says of its folders; what the prompts say is added.
    pub folders: Folders,
    /// By the index of the reader.
    looks: Vec<(usize, AgentLook)>,
}

impl Looks {
    pub fn of(around: &AgentFolder, files: &dyn Store) -> Self {
        let (own, settings) = (around.folder.clone(), around.settings.clone());
        let mut folders = Folders { own, settings, ..Folders::default() };
        let mut looks = Vec::new();
        let of_request = |request: &AgentRequest| agents::look_as(request, files);
        let seen: Vec<AgentLook> = around.agents.requests.par_iter().map(of_request).collect();
        for (request, look) in around.agents.requests.iter().zip(seen) {
            let name = request.chosen.agent.name;
            let known = folders.readers.iter().position(|reader| reader.name == name);
            let index = known.unwrap_or_else(|| {
                folders.readers.push(Reader { name: name.to_string(), names: look.names.clone() });
                folders.requests.push(Some(request.clone()));
                folders.readers.len() - 1
            });
            looks.push((index, look));
        }
        if let Some(name) = &around.agents.assembler {
            folders.assembler = ReaderSet::one(folders.readers.len());
            let names = InstructionNames::first_of(CONTEXT_NAMES, ChoiceReach::Folder);
            let names = InstructionNames { keeps_mark: true, ..names };
            folders.readers.push(Reader { name: name.clone(), names });
            folders.requests.push(None);
        }
        Self { folders, looks }
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
        let crowded = self.crowded(around, &project.files);
        let Self { mut folders, mut looks } = self;
        looks.par_extend(crowded.par_iter().map(|(index, request)| (*index, agents::look_as(request, files))));
        let ChosenAgents { are_guessed, are_of_project, .. } = around.agents;
        let real = |path: &str| files.real(&around.whole(path));
        folders.context = contexts(&project.files, &folders.readers, &seen_files(&looks, around), real);
        let mut places = Places::new(around, files, tier);
        if !folders.assembler.is_empty() {
            let found = agents::from_outside(&around.root, &around.agent_dir, files).into_iter();
            let found = found.map(|file| file.source).filter(|source| around.inside(source.path()).is_none());
            folders.outside.extend(found.map(|source| (source, folders.assembler)));
        }
        let mut reports = Reports::new(known, are_guessed);
        for (index, look) in &looks {
            let reader = ReaderSet::one(*index);
            add_outside(look, reader, around, files, &mut folders.outside);
            reports.add(look, reader, &mut places, files);
        }
        if !are_guessed {
            apart::imports(&looks, &folders.readers, files, &mut places, &mut reports);
        }
        apart::waiting(&looks, paths, &mut places, &mut reports);
        (folders.hidden, folders.also) = (reports.hidden, reports.also);
        folders.reports = loss::gather(reports.list);
        let index = project.tiers.list().iter().position(|known| known.label == *tier);
        let read = |path: &str| {
            let is_link = files.real(&around.whole(path)) != agents::below(&places.real, path);
            project.tiers.read(index.filter(|_| !is_link)?, path).ok()?
        };
        let letters = PathsIgnoringCase::of(paths);
        folders.reports.iter_mut().for_each(|report| fixes::add(report, &letters, read));
        if are_of_project {
            folders.reports.extend(apart::unread(&folders.context, &project.files, project.tiers));
            let named = folders.context.iter().flat_map(|folder| &folder.files).filter(|file| !file.is_for_nobody());
            let named = named.map(|file| around.whole(&project.files[file.index].path));
            let seen = looks.iter().flat_map(|(_, look)| &look.prompt.files);
            let seen = seen.filter(|file| file.why != Some(FileReason::NotRead)).map(|file| file.path.clone());
            let known: HashSet<String> = named.chain(seen).map(|path| files.real(&path)).collect();
            let is_read = |file: &&LintFile| known.contains(&files.real(&around.whole(&file.path)));
            let (own, others): (Vec<_>, Vec<_>) = project.files.iter().partition(is_read);
            folders.reports.extend(apart::of_others(&own, &others, &folders.readers));
        }
        for (_, look) in looks {
            folders.prompts.push(look.prompt);
            folders.imports.extend(look.imports);
        }
        folders
    }

    /// The first of the folders below, each with an agent whose budget does not hold all instruction files on the way
    /// there, so that its prompt there loses text. By the index of the reader.
    fn crowded(&self, around: &AgentFolder, files: &[LintFile]) -> Vec<(usize, AgentRequest)> {
        let names = instruction_names(&self.folders.readers);
        let mut crowded = Vec::new();
        for (index, look) in &self.looks {
            let (Some(budget), Some(request)) = (look.budget, &self.folders.requests[*index]) else { continue };
            // By folder, the choice that counts and its bytes.
            let mut own: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
            for file in files.iter().filter(|file| file.kind == FileKind::Agents(AgentFile::Context)) {
                let found = split_instructions(&file.path, &names).filter(|_| !is_in_skill(&file.path));
                let choice = found.and_then(|(folder, name)| Some((folder, look.names.choice(name)?)));
                if let (Some((folder, choice)), Some(source)) = (choice, &file.source) {
                    let counts = (choice, source.length());
                    own.entry(folder).and_modify(|known| *known = counts.min(*known)).or_insert(counts);
                }
            }
            let bytes = |folder| up_from(folder).filter_map(|it| Some(own.get(it)?.1)).sum::<usize>();
            let below = own.keys().filter(|folder| **folder != around.folder && bytes(**folder) > budget);
            let request = |folder: &&str| AgentRequest { cwd: around.whole(folder), ..request.clone() };
            crowded.extend(below.take(MOST_CROWDED).map(|folder| (*index, request(folder))));
        }
        crowded
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
