//! `diff --all` for agents: the effect of a change on their prompts in every folder that has instructions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::arguments::{Color, Diff, FolderSideFlags, PromptFlags};
use super::diff_all::{self, snapshots};
use super::diff_options::options;
use super::diff_sides::with_flags;
use super::folder::{FolderPromptRequest, agent, protocol, text};
use super::report::{CommandOutcome, Failure};
use super::repositories::Repositories;
use super::resolve::{tier_arguments, wrong};
use super::{agent_choice, leak};
use crate::agents::{self, FolderRules};
use crate::answer::diff::Pair;
use crate::answer::impact::{AgentSides, Impact, ImpactOptions, WhichSide};
use crate::diagnostic::Diagnostic;
use crate::prompt::Prompt;
use crate::read::store::{
    AtRevision, ItemKind, PathKind, Repository, Revision, Snapshot, Store, Surroundings, find_project,
};

/// The rules of both sides. Without flags, they are the same.
type AgentPair = Pair<FolderRules>;

/// The agents that the flags name, else those of the project if it has no directives; `None` for directives.
pub(super) fn agents(typed: &Diff, here: &Surroundings<'_>) -> Result<Option<Vec<AgentPair>>, Diagnostic> {
    let sides = &typed.sides;
    let left = named(&sides.left, &sides.folders.left, here)?;
    let right = named(&sides.right, &sides.folders.right, here)?;
    match (left, right) {
        (Some(left), Some(right)) if left.len() == right.len() => {
            Ok(Some(left.into_iter().zip(right).map(|(left, right)| Pair { left, right }).collect()))
        }
        (None, None) if has_directives(&sides.right, here)? => Ok(None),
        (None, None) => {
            let agents = agent_choice::of_project(&sides.right, here)?;
            Ok(Some(agents.into_iter().map(|rules| Pair { left: rules.clone(), right: rules }).collect()))
        }
        _ => Err(wrong("the sides name different numbers of agents", "write --left-agent A --right-agent B")),
    }
}

fn named(
    prompt: &PromptFlags,
    flags: &FolderSideFlags,
    here: &Surroundings<'_>,
) -> Result<Option<Vec<FolderRules>>, Diagnostic> {
    match &flags.folder.agent {
        Some(typed) => typed.split(',').map(agent).collect::<Result<_, _>>().map(Some),
        None => Ok(protocol(prompt, &here.disk)?.map(|protocol| vec![FolderRules::Protocol(Box::new(protocol))])),
    }
}

fn has_directives(flags: &PromptFlags, here: &Surroundings<'_>) -> Result<bool, Diagnostic> {
    let is_named = flags.protocol.is_some() || flags.tiers.project.is_some() || !flags.tiers.system.is_empty();
    let project = find_project(&tier_arguments(&flags.tiers, None), here)?;
    let has_folder = |root: PathBuf| here.disk.is_folder(&root.join(ItemKind::Directive.folder()));
    Ok(is_named || project.is_some_and(has_folder))
}

pub(super) fn run(
    typed: &mut Diff,
    agents: &[AgentPair],
    color: Color,
    here: &Surroundings<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> CommandOutcome {
    let now = agents::present();
    for side in [&mut typed.sides.folders.left, &mut typed.sides.folders.right] {
        if side.folder.cwd.is_some() {
            return Err(wrong("--all compares the prompts of all folders", "leave --cwd out").into());
        }
        side.folder.now.get_or_insert_with(|| now.clone());
    }
    let mut repositories = Repositories::default();
    let revisions = diff_all::revisions(typed, &mut repositories)?;
    let snapshots = snapshots(typed, &revisions, &mut repositories)?;
    let repository = repositories.of(None, &typed.sides.right)?;
    let folders = folders(agents, &revisions, repository)?;
    let top = text(repository.top());
    let all = AllFolders { typed, agents, folders, snapshots: &snapshots, here, top: &top };
    let exit = all.compare(&revisions, color, diagnostics);
    leak((all.folders, repositories));
    exit
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

/// Every folder with instructions on either side, and the top of the repository, for each agent.
fn folders(
    agents: &[AgentPair],
    revisions: &Pair<Option<Revision>>,
    repository: &Repository,
) -> Result<FolderPrompts, Diagnostic> {
    let left = repository.files(revisions.left.as_ref())?;
    let right = repository.files(revisions.right.as_ref())?;
    let mut ids = BTreeMap::new();
    for (index, pair) in agents.iter().enumerate() {
        let of_side = |rules: &FolderRules, files: &[String]| -> BTreeSet<String> {
            files.iter().filter_map(|path| rules.folder_of(path)).map(str::to_string).collect()
        };
        let mut folders = of_side(&pair.left, &left);
        folders.extend(of_side(&pair.right, &right));
        folders.insert(String::new());
        let agent = match (pair.left.name(), pair.right.name()) {
            (left, right) if left == right => left.to_string(),
            (left, right) => format!("{left} → {right}"),
        };
        ids.extend(folders.into_iter().map(|folder| {
            let shown = if folder.is_empty() { "." } else { &folder };
            (format!("{agent} {shown}"), FolderPrompt { agent: agent.clone(), pair: index, folder })
        }));
    }
    Ok(ids)
}

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
    fn compare(
        &self,
        revisions: &Pair<Option<Revision>>,
        color: Color,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> CommandOutcome {
        let of_one = &self.typed.sides.of_one;
        let titles = revisions.as_ref().zip(of_one.as_ref());
        let titles = titles.map(|(revision, own)| with_flags(diff_all::title(revision.as_ref()), own));
        let files = self.snapshots.as_ref().map(|snapshot| self.files(snapshot.as_ref()));
        let render = |which, id: &str| self.prompt(which, id);
        let sides = AgentSides::new(
            titles,
            self.folders.iter().map(|(id, prompt)| (id.clone(), prompt.agent.clone())).collect(),
            files.as_ref().map(|files| &**files),
            self.top,
            &render,
            *of_one == Pair::default(),
        );
        let options = ImpactOptions { compared: options(self.typed), skip_unchanged: false, settings_file: None };
        let impact = Impact::of_agents(&sides, &options);
        diff_all::finish(self.typed, &impact, None, color, diagnostics)
    }

    fn files(&self, snapshot: Option<&Snapshot>) -> Box<dyn Store> {
        match snapshot {
            Some(snapshot) => Box::new(AtRevision::new(snapshot.clone(), &self.here.disk)),
            None => Box::new(self.here.disk.whole()),
        }
    }

    fn prompt(&self, which: WhichSide, id: &str) -> Result<Option<Prompt>, Vec<Diagnostic>> {
        let Some(FolderPrompt { pair, folder, .. }) = self.folders.get(id) else { return Ok(None) };
        let (pair, sides) = (&self.agents[*pair], &self.typed.sides);
        let (rules, prompt, flags, snapshot) = match which {
            WhichSide::Left => (&pair.left, &sides.left, &sides.folders.left, &self.snapshots.left),
            WhichSide::Right => (&pair.right, &sides.right, &sides.folders.right, &self.snapshots.right),
        };
        let cwd = if folder.is_empty() { self.top.to_string() } else { format!("{}/{folder}", self.top) };
        let rendered = || -> Result<Option<Prompt>, Failure> {
            let path = PathBuf::from(&cwd);
            let request = || {
                let words = flags.prompt.as_deref();
                FolderPromptRequest::new(&path, &flags.folder, prompt, words, rules.clone(), self.here)
            };
            match snapshot {
                // Its own store: a store limits how much is read through it.
                Some(snapshot) => {
                    let files = AtRevision::new(snapshot.clone(), &self.here.disk);
                    match files.kind(&cwd) {
                        Ok(PathKind::Folder) => request()?.at(&files).map(Some),
                        _ => files.failure().map_or(Ok(None), |error| Err(error.into())),
                    }
                }
                None if !self.here.disk.is_folder(&path) => Ok(None),
                None => request()?.prompt().map(Some),
            }
        };
        let prompt = rendered().map_err(|Failure(errors)| errors)?;
        match prompt.as_ref().and_then(Prompt::refusal) {
            Some(refusal) => Err(vec![refusal.clone()]),
            None => Ok(prompt),
        }
    }
}
