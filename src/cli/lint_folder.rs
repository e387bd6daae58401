//! `lint` in an agent's working folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arguments::PromptFlags;
use super::folder::{agent_dir, text};
use super::resolve::{Resolved, tier_arguments, user_config};
use crate::agents;
use crate::decide::request::Request;
use crate::diagnostic::{Diagnostic, Problem, system_reason};
use crate::lint::folders::{AgentFolder, holds_any};
use crate::lint::scope::repository;
use crate::read::files;
use crate::read::protocol::{Builtin, Protocol, Protocols};
use crate::read::settings::Settings;
use crate::read::store::{FolderStore, Surroundings, Tier, TierArguments, TierKind, find_tiers};

/// The folder to check for a path: the top of its repository, else the working folder if it contains the path.
pub(super) fn root(folder: &Path, here: &Surroundings<'_>) -> PathBuf {
    let without = if folder.starts_with(&here.working_folder) { here.working_folder.as_path() } else { folder };
    repository(folder, &here.disk).unwrap_or(without).to_path_buf()
}

/// Whether an agent's file applies to a folder or is below it.
pub(super) fn is_for_agents(folder: &Path, protocol: &agents::Protocol, here: &Surroundings<'_>) -> bool {
    agents::agents_file(&text(folder), &protocol.folder, &here.disk.whole()).is_some()
        || holds_any(&around(folder, protocol, here), &here.disk)
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
    // Agents follow links out of the folder, too.
    let store = FolderStore::open(around.root.as_ref(), true, &here.disk).map_err(|error| {
        Diagnostic::at(Problem::Unreadable { reason: system_reason(&error) }, files::location(around.root.clone()))
    })?;
    let project = Tier {
        kind: TierKind::Project,
        label: "project".into(),
        store: Arc::new(store),
        root: Some(PathBuf::from(&around.root)),
        modules: None,
    };
    let tiers = tiers.filter(|tier| tier.kind == TierKind::User).with_project(project).keeping(replaced);
    let mut diagnostics = Vec::new();
    let settings =
        Settings::read_at(&around.settings(), &tiers, user_config(&flags.tiers, &here.disk)?, &mut diagnostics)?;
    let protocol = Protocols::default().get(Protocol::DEFAULT)?;
    Ok(Resolved { request: Request::new(""), tiers, protocol, settings, diagnostics })
}
