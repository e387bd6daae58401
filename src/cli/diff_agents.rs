//! `diff --all` for agents: the effect of a change on their prompts in every folder that has instructions.

use std::collections::{BTreeMap, BTreeSet};

use super::arguments::{Diff, SideFlags};
use super::diff::options;
use super::diff_all::{self, ComparedTrees};
use super::folder::FolderPromptRequest;
use super::repeated::deduplicated;
use super::run::{CommandOutcome, Failure, Run};
use super::{agent_choice, agent_folders, leak};
use crate::agents::{self, FolderRules};
use crate::answer::diff::Pair;
use crate::answer::impact::{AgentSides, Impact, ImpactOptions, WhichSide};
use crate::diagnostic::Diagnostic;
use crate::prompt::Prompt;
use crate::read::store::{AtRevision, PathKind, Snapshot, Store, Surroundings};
use crate::system::{self, text};

/// The rules of both sides. Without flags, they are the same.
type AgentPair = Pair<FolderRules>;

/// The agents that the flags name.
pub(super) fn named(sides: &Pair<SideFlags>, here: &Surroundings<'_>) -> Result<Option<Vec<AgentPair>>, Diagnostic> {
    let named = sides.as_ref().map(|side| agent_choice::named(side.folder.agent.as_deref(), &side.prompt, here));
    match (named.left?, named.right?) {
        (Some(left), Some(right)) if left.len() == right.len() => {
            check_folders(sides)?;
            Ok(Some(left.into_iter().zip(right).map(|(left, right)| Pair { left, right }).collect()))
        }
        (None, None) => Ok(None),
        _ => Err(Diagnostic::invalid(
            "the sides name different numbers of agents",
            "write --left-agent A --right-agent B",
        )),
    }
}

/// Refuses to compare all folders and one.
fn check_folders(sides: &Pair<SideFlags>) -> Result<(), Diagnostic> {
    match sides.as_ref().into_array().iter().any(|side| side.folder.cwd.is_some()) {
        true => Err(Diagnostic::invalid("--all compares the prompts of all folders", "leave --cwd out")),
        false => Ok(()),
    }
}

/// Compares the prompts of the named agents, else those of the project's agents.
pub(super) fn run(
    typed: &mut Diff,
    named: Option<Vec<AgentPair>>,
    trees: ComparedTrees,
    run: &mut Run<'_>,
) -> CommandOutcome {
    let agents = match named {
        Some(named) => named,
        None => {
            let agents = agent_choice::of_project(&typed.sides.right.prompt, &run.here)?;
            agents.into_iter().map(|rules| Pair { left: rules.clone(), right: rules }).collect()
        }
    };
    check_folders(&typed.sides)?;
    let now = agents::present();
    for side in [&mut typed.sides.left, &mut typed.sides.right] {
        side.folder.now.get_or_insert_with(|| now.clone());
    }
    let ComparedTrees { mut repositories, revisions, snapshots } = trees;
    let repository = repositories.of(None, &typed.sides.right.prompt, &run.here)?;
    let top = text(repository.top());
    let listed =
        Pair { left: repository.files(revisions.left.as_ref())?, right: repository.files(revisions.right.as_ref())? };
    let (here, folders) = (&run.here, FolderPrompts::new());
    let mut all = AllFolders { typed, agents: &agents, folders, snapshots: &snapshots, here, top: &top };
    let mut warnings = Vec::new();
    all.find(&listed, &mut warnings)?;
    run.diagnostics.extend(deduplicated(warnings));
    let titles = diff_all::titles(typed, &revisions);
    let impact = all.compare(titles);
    leak((all.folders, repositories));
    diff_all::finish(typed, &impact, None, run)
}

/// A prompt on both sides.
struct FolderPrompt {
    /// `codex`, or `pi → codex`.
    agent: String,
    /// An index into the pairs of agents.
    pair: usize,
    /// Relative to the top of the repository; empty for the top.
    folder: String,
}

/// `codex services/api`, `codex .`
type FolderPrompts = BTreeMap<String, FolderPrompt>;

struct AllFolders<'a> {
    typed: &'a Diff,
    agents: &'a [AgentPair],
    folders: FolderPrompts,
    snapshots: &'a Pair<Option<Snapshot>>,
    here: &'a Surroundings<'a>,
    /// The top of the repository.
    top: &'a str,
}

impl AllFolders<'_> {
    /// Every folder with instructions on either side, and the top of the repository, for each agent.
    fn find(&mut self, listed: &Pair<Vec<String>>, diagnostics: &mut Vec<Diagnostic>) -> Result<(), Failure> {
        for (index, pair) in self.agents.iter().enumerate() {
            let mut folders = BTreeSet::new();
            for (which, files) in [(WhichSide::Left, &listed.left), (WhichSide::Right, &listed.right)] {
                let (request, snapshot) = self.request(which, pair, self.top)?;
                diagnostics.extend(request.release_warning());
                let names = request.instruction_names(&*self.files(snapshot));
                folders.extend(agent_folders::with_instructions(files, &names));
            }
            let agent = match (pair.left.name(), pair.right.name()) {
                (left, right) if left == right => left,
                (left, right) => format!("{left} → {right}"),
            };
            self.folders.extend(folders.into_iter().map(|folder| {
                let prompt = FolderPrompt { agent: agent.clone(), pair: index, folder: folder.to_string() };
                (agent_folders::id(&agent, folder), prompt)
            }));
        }
        Ok(())
    }

    /// The request for the prompt of a folder on one side, and that side's files.
    fn request(
        &self,
        which: WhichSide,
        pair: &AgentPair,
        cwd: &str,
    ) -> Result<(FolderPromptRequest, Option<&Snapshot>), Diagnostic> {
        let (side, rules, snapshot) = match which {
            WhichSide::Left => (&self.typed.sides.left, &pair.left, &self.snapshots.left),
            WhichSide::Right => (&self.typed.sides.right, &pair.right, &self.snapshots.right),
        };
        let (asked, words) = (side.asked(self.here), side.words.as_deref());
        let request = FolderPromptRequest::new(asked, &system::path(cwd), words, rules.clone())?;
        Ok((request, snapshot.as_ref()))
    }

    fn compare(&self, titles: Pair<String>) -> Impact {
        let files = self.snapshots.as_ref().map(|snapshot| self.files(snapshot.as_ref()));
        let render = |which, id: &str| self.prompt(which, id);
        let sides = AgentSides::new(
            titles,
            self.folders.iter().map(|(id, prompt)| (id.clone(), prompt.agent.clone())).collect(),
            files.as_ref().map(|files| &**files),
            self.top,
            &render,
            !self.typed.sides.differ(),
        );
        let options = ImpactOptions { compared: options(self.typed), skip_unchanged: false, settings_file: None };
        Impact::of_agents(&sides, &options)
    }

    fn files(&self, snapshot: Option<&Snapshot>) -> Box<dyn Store> {
        match snapshot {
            Some(snapshot) => Box::new(AtRevision::new(snapshot.clone(), &self.here.disk)),
            None => Box::new(self.here.disk.whole()),
        }
    }

    fn prompt(&self, which: WhichSide, id: &str) -> Result<Option<Prompt>, Vec<Diagnostic>> {
        let Some(FolderPrompt { pair, folder, .. }) = self.folders.get(id) else { return Ok(None) };
        let cwd = if folder.is_empty() { self.top.to_string() } else { format!("{}/{folder}", self.top) };
        let rendered = || -> Result<Option<Prompt>, Failure> {
            let (request, snapshot) = self.request(which, &self.agents[*pair], &cwd)?;
            let Some(snapshot) = snapshot else {
                return self.here.disk.is_folder(&system::path(&cwd)).then(|| request.prompt()).transpose();
            };
            // Its own store: a store limits how much is read through it.
            let files = AtRevision::new(snapshot.clone(), &self.here.disk);
            match files.kind(&cwd) {
                Ok(PathKind::Folder) => request.at(&files).map(Some),
                _ => files.failure().map_or(Ok(None), |error| Err(error.into())),
            }
        };
        let prompt = rendered().map_err(|Failure(errors)| errors)?;
        match prompt.as_ref().and_then(Prompt::refusal) {
            Some(refusal) => Err(vec![refusal.clone()]),
            None => Ok(prompt),
        }
    }
}
