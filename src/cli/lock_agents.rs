//! `lock` for agents: the digests of their prompts in every folder that has instructions.

use std::collections::{BTreeMap, BTreeSet};

use rayon::iter::Either;
use rayon::prelude::*;

use super::arguments::LockArguments;
use super::folder::{self, FolderPromptRequest};
use super::lock::{self, no_project};
use super::repeated::deduplicated;
use super::repositories::{Repositories, check_work_tree};
use super::run::{CommandOutcome, Run};
use super::{agent_choice, agent_folders};
use crate::agents::{Agent, FolderRules, below};
use crate::answer::lock::{Lock, LockSetup, Locked, NAME};
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::read::store::{IsolatedStore, Surroundings};
use crate::write::progress;

/// `named`: the agents that flags name.
pub(super) fn run(typed: &mut LockArguments, named: Option<Vec<FolderRules>>, run: &mut Run<'_>) -> CommandOutcome {
    if let Some(flag) = typed.prompt.of_directives().or_else(|| typed.prompt.model.as_ref().map(|_| "--model".into())) {
        let what = format!("{flag} does not apply to a lock of agents");
        return Err(Diagnostic::invalid(what, "leave it out, or go to a project with directives").into());
    }
    // The settings of the user are on one machine only.
    typed.prompt.tiers.user_space = Some("none".into());
    let mut repositories = Repositories::default();
    let repository = repositories.of(None, &typed.prompt, &run.here).map_err(|error| match error.problem {
        Problem::NoRepository { .. } => no_project(),
        _ => error,
    })?;
    check_work_tree(repository)?;
    let path = typed.file.clone().unwrap_or_else(|| repository.top().join(NAME));
    let locked = typed.check.then(|| lock::read(&path)).transpose()?;
    let agents = agents(typed, named, locked.as_ref(), &run.here)?;
    let setup = LockSetup { agents: agents.iter().map(FolderRules::name).collect(), ..LockSetup::default() };
    let empty = Lock { setup, tokenizer: typed.tokenizer, flags: Vec::new(), prompts: BTreeMap::new() };
    if let Some(locked) = &locked {
        lock::check_flags(locked, &empty)?;
    }
    let listed = repository.files(None)?;
    let files = IsolatedStore::new(repository.top(), listed.clone(), &run.here.disk).map_err(|error| {
        Diagnostic::invalid(format!("{} cannot be read: {error}", repository.top().display()), "open it")
    })?;
    let (prompts, failed) = render(&requests(&listed, &files, agents, run)?, &files, typed);
    let mut failed_ids: BTreeSet<String> = failed.keys().cloned().collect();
    // An agent that does not start at the top does not say which files count in other folders.
    let silent = failed.keys().filter_map(|id| id.strip_suffix('.').filter(|agent| agent.ends_with(' ')));
    let known = locked.iter().flat_map(|lock| lock.prompts.keys()).filter(|id| !prompts.contains_key(*id));
    failed_ids.extend(silent.flat_map(|agent| known.clone().filter(move |id| id.starts_with(agent))).cloned());
    run.diagnostics.extend(deduplicated(failed.into_values().map(in_checkout)));
    let found = Lock { prompts, ..empty };
    lock::finish(typed, &path, locked, found, (&BTreeMap::new(), failed_ids), run)
}

/// The agents that flags or settings name, else those of the lock, else all, sorted by name: what is installed here does
/// not count. Each has its release: the one that is named, else that of the lock, else the newest known one.
fn agents(
    typed: &LockArguments,
    named: Option<Vec<FolderRules>>,
    locked: Option<&Lock>,
    here: &Surroundings<'_>,
) -> Result<Vec<FolderRules>, Diagnostic> {
    let locked = locked.map(|lock| lock.setup.agents.as_slice()).unwrap_or_default();
    let locked: Vec<FolderRules> = locked.iter().map(|name| folder::agent(name)).collect::<Result<_, _>>()?;
    let release = |agent: &'static Agent| {
        agent_choice::named_release(&locked, agent).unwrap_or_else(|| agent.at(None, None).version)
    };
    let named = match named {
        Some(named) => named,
        None => agent_choice::named_by_settings(&typed.prompt, here)?,
    };
    let chosen = [named, locked.clone()].into_iter().find(|agents| !agents.is_empty());
    let mut agents = BTreeMap::new();
    for rules in chosen.unwrap_or_else(agent_choice::all) {
        let rules = match rules {
            FolderRules::Agent(agent, None) => FolderRules::Agent(agent, Some(release(agent))),
            rules => rules,
        };
        if let Some(twice) = agents.insert(rules.agent_name().to_string(), rules) {
            let what = format!("{} is named twice", twice.agent_name());
            return Err(Diagnostic::invalid(what, "name one release of each agent"));
        }
    }
    Ok(agents.into_values().collect())
}

/// With paths as they are in the checkout, below its top.
fn in_checkout(mut diagnostic: Diagnostic) -> Diagnostic {
    let below_top = |path: &str| path.replace(&format!("{}/", IsolatedStore::TOP), "");
    if let Problem::AgentRefuses { reason, .. } = &mut diagnostic.problem {
        *reason = below_top(reason);
    }
    if let Some(at @ Location::Span(_)) = &diagnostic.at {
        let (path, position) = (below_top(at.path()), at.position());
        diagnostic.at = Some(Location::File { tier: "".into(), path, revision: None, position });
    }
    diagnostic
}

/// The requests for all prompts by id.
fn requests(
    listed: &[String],
    files: &IsolatedStore,
    agents: Vec<FolderRules>,
    run: &mut Run<'_>,
) -> Result<BTreeMap<String, FolderPromptRequest>, Diagnostic> {
    let mut requests = BTreeMap::new();
    for rules in agents {
        let name = rules.agent_name().to_string();
        let request = |folder: &str| {
            let top = IsolatedStore::TOP;
            let cwd = if folder.is_empty() { top.to_string() } else { below(top, folder) };
            FolderPromptRequest::isolated(cwd, rules.clone(), &run.here)
        };
        let top = request("")?;
        run.diagnostics.extend(top.release_warning());
        for folder in agent_folders::with_instructions(listed, &top.instruction_names(files)) {
            requests.insert(agent_folders::id(&name, folder), request(folder)?);
        }
    }
    Ok(requests)
}

/// Renders all prompts in parallel. Returns them, and why the others have none.
fn render(
    requests: &BTreeMap<String, FolderPromptRequest>,
    files: &IsolatedStore,
    typed: &LockArguments,
) -> (BTreeMap<String, Locked>, BTreeMap<String, Diagnostic>) {
    let progress = progress::begin("rendering", "prompts", requests.len());
    requests.par_iter().partition_map(|(id, request)| {
        let prompt = request.within(files);
        progress.step();
        let locked = prompt.and_then(|prompt| match prompt.refusal() {
            Some(refusal) => Err(refusal.clone()),
            None => Ok(Locked::in_folder(&prompt, files, typed.tokenizer)),
        });
        match locked {
            Ok(locked) => Either::Left((id.clone(), locked)),
            Err(refusal) => Either::Right((id.clone(), refusal)),
        }
    })
}
