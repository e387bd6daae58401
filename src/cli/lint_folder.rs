//! `lint` in an agent's working folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::agent_choice;
use super::arguments::{Lint, PromptFlags};
use super::folder::{of_agent, real};
use super::folder_protocol::agent_dir;
use super::resolve::{Resolved, tier_arguments, user_config};
use crate::agents::{self, AgentRequest, FolderRules};
use crate::decide::request::Request;
use crate::diagnostic::{Diagnostic, Problem, system_reason};
use crate::lint::folders::{AgentFolder, ChosenAgents, holds_any};
use crate::lint::scope::repository;
use crate::read::files;
use crate::read::protocol::{Builtin, Protocol, Protocols};
use crate::read::settings::Settings;
use crate::read::store::{FolderStore, Surroundings, Tier, TierArguments, TierKind, absolute, find_tiers};
use crate::system::{self, text};

/// The folder to check for a path: the top of its repository, else the working folder if it contains the path.
pub(super) fn root(folder: &Path, here: &Surroundings<'_>) -> PathBuf {
    let without = if folder.starts_with(&here.working_folder) { here.working_folder.as_path() } else { folder };
    repository(folder, &here.disk).unwrap_or(without).to_path_buf()
}

/// Whether an agent's file applies to a folder or is below it.
pub(super) fn is_for_agents(folder: &Path, protocol: &agents::Protocol, here: &Surroundings<'_>) -> bool {
    agents_file(folder, protocol, here).is_some() || holds_any(&around(folder, protocol, here), &here.disk)
}

/// The path of an agent's file that shows that agents work in a folder.
pub(super) fn agents_file(folder: &Path, protocol: &agents::Protocol, here: &Surroundings<'_>) -> Option<String> {
    agents::agents_file(&text(folder), &protocol.folder, &here.disk.whole())
}

pub(super) fn around(root: &Path, protocol: &agents::Protocol, here: &Surroundings<'_>) -> AgentFolder {
    let home = here.home.clone().unwrap_or_default();
    let agent_dir = text(&agent_dir(None, protocol, here));
    AgentFolder::on_disk(text(root), agent_dir, text(&home), protocol.folder.clone(), &here.disk)
}

/// The folder as a project, with the settings of the user and without bundles.
pub(super) fn resolved(
    flags: &PromptFlags,
    around: &AgentFolder,
    replaced: Option<(String, Vec<u8>)>,
    here: &Surroundings<'_>,
) -> Result<Resolved, Diagnostic> {
    let arguments = TierArguments { project: None, ..tier_arguments(&flags.tiers, None) };
    let (tiers, _) = find_tiers(&arguments, here, Builtin::Layers)?;
    let root = system::path(&around.root);
    // Agents follow links out of the folder, too.
    let store = FolderStore::open(&root, true, &here.disk).map_err(|error| {
        Diagnostic::at(Problem::Unreadable { reason: system_reason(&error) }, files::location(around.root.clone()))
    })?;
    let project = Tier {
        kind: TierKind::Project,
        label: "project".into(),
        store: Arc::new(store),
        root: Some(root),
        modules: None,
    };
    let tiers = tiers.filter(|tier| tier.kind == TierKind::User).with_project(project).keeping(replaced);
    let mut diagnostics = Vec::new();
    let settings =
        Settings::read_at(&around.settings, &tiers, user_config(&flags.tiers, &here.disk)?, &mut diagnostics)?;
    let protocol = Protocols::default().get(Protocol::DEFAULT)?;
    Ok(Resolved { request: Request::new(""), tiers, protocol, settings, diagnostics })
}

/// The agents that findings are about: those of a flag, else those of the settings, else the installed ones, else all.
/// Each is started in each named folder below the root, else in the working folder.
pub(super) fn agents(
    typed: &Lint,
    flags: &PromptFlags,
    root: &str,
    settings: &Settings,
    here: &Surroundings<'_>,
) -> Result<ChosenAgents, Diagnostic> {
    let named = match agent_choice::named(typed.agent.as_deref(), flags, here)? {
        Some(named) => named,
        None => agent_choice::named_in(settings)?,
    };
    let are_of_project = typed.agent.is_none() && typed.protocol.is_none() && !named.is_empty();
    let mut rules = if named.is_empty() { agent_choice::installed(here) } else { named };
    let are_guessed = rules.is_empty();
    if are_guessed {
        rules = agent_choice::all();
        rules.push(FolderRules::Protocol(Box::default()));
    }
    let root = system::path(root);
    let named = typed.paths.iter().map(|path| absolute(&here.working_folder, path));
    let mut folders: Vec<PathBuf> = named.filter(|path| path.starts_with(&root) && here.disk.is_folder(path)).collect();
    if folders.is_empty() {
        let is_below = here.working_folder.starts_with(&root);
        folders.push(if is_below { here.working_folder.clone() } else { root });
    }
    let files = here.disk.whole();
    let folders = folders.iter().map(|folder| real(folder, &files)).collect::<Result<Vec<_>, _>>()?;
    let mut chosen = ChosenAgents { are_guessed, are_of_project, ..ChosenAgents::default() };
    for rules in rules {
        match rules {
            FolderRules::Protocol(protocol) => chosen.assembler = Some(protocol.name),
            FolderRules::Agent(agent, version) => {
                for cwd in &folders {
                    let request = of_agent((agent, version.clone()), cwd, None, here, &files)?;
                    chosen.requests.push(AgentRequest { arguments: typed.agent_arguments.clone(), ..request });
                }
            }
        }
    }
    Ok(chosen)
}
