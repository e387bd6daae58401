//! `lint` of a folder in which agents work: where it begins, and what decides about it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arguments::PromptFlags;
use super::folder::{agent_dir, text};
use super::resolve::{Resolved, surroundings, tier_arguments};
use crate::diagnostic::{Diagnostic, Location, Problem, system_reason};
use crate::lint::folders::{Around, holds_any};
use crate::lint::scope::repository;
use crate::protocol::{Builtin, Protocol, Protocols};
use crate::request::Request;
use crate::settings::Settings;
use crate::sf::{self, Disk};
use crate::store::{FolderStore, Tier, TierArguments, TierKind, find_tiers};

/// The folder in which the files of agents are checked that a path asks for: the top of its repository, else the working
/// folder, if the path lies in that.
pub(super) fn root(folder: &Path, working_folder: &Path) -> PathBuf {
    let without = if folder.starts_with(working_folder) { working_folder } else { folder };
    repository(folder).unwrap_or(without).to_path_buf()
}

/// What says that agents work in a folder: what applies to it, or what lies below it.
pub(super) fn is_for_agents(folder: &Path, protocol: &sf::Protocol) -> bool {
    sf::agents_file(&text(folder), &protocol.folder, &Disk).is_some() || holds_any(&around(folder, protocol), &Disk)
}

/// A folder as agents see it.
pub(super) fn around(root: &Path, protocol: &sf::Protocol) -> Around {
    let here = surroundings();
    let home = here.home.clone().unwrap_or_default();
    Around::on_disk(text(root), text(&agent_dir(None, protocol, &here)), text(&home), protocol.folder.clone())
}

/// What a folder is checked with: it is the project, of the user there are the settings alone, and no bundle is read.
///
/// # Errors
/// A folder or settings that cannot be read.
pub(super) fn resolved(
    flags: &PromptFlags,
    around: &Around,
    replaced: Option<(String, Vec<u8>)>,
) -> Result<Resolved, Diagnostic> {
    let arguments = TierArguments { project: None, ..tier_arguments(&flags.tiers, None) };
    let (tiers, _) = find_tiers(&arguments, &surroundings(), Builtin::Layers)?;
    // Links lead wherever they lead, as they do for agents.
    let store = FolderStore::open(around.root.as_ref(), true).map_err(|error| {
        let at = Location::File { tier: "".into(), path: around.root.clone(), revision: None, position: None };
        Diagnostic::at(Problem::Unreadable { reason: system_reason(&error) }, at)
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
    let settings = Settings::read_at(&around.settings(), &tiers, &mut diagnostics)?;
    let protocol = Protocols::default().get(Protocol::DEFAULT)?;
    Ok(Resolved { request: Request::new(""), tiers, protocol, settings, diagnostics })
}
