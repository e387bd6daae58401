//! Where recordings are, and which of them a prompt uses.

use std::sync::Arc;

use directories::ProjectDirs;

use crate::agents::{Agent, Recording, Recordings};
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::store::Disk;

/// The recordings of this user; `None` without a home folder.
pub(super) fn of_user() -> Option<Recordings> {
    let folders = ProjectDirs::from("", "", "rye-render")?;
    Some(Recordings { folder: folders.data_dir().join("recorded") })
}

/// The recording of a release, and what is to be said if there is none to use.
pub(super) fn of_release(agent: &Agent, version: &str, disk: &Disk) -> (Option<Arc<Recording>>, Vec<Diagnostic>) {
    let Some(recordings) = of_user() else { return (None, Vec::new()) };
    match recordings.read(agent.name, version, disk) {
        Ok(Some(recording)) => (Some(recording.into()), Vec::new()),
        Ok(None) => {
            let others = recordings.versions(agent.name, disk).into_iter().last();
            let note = |recorded| Problem::OtherReleaseRecorded {
                release: format!("{} {version}", agent.name),
                recorded,
                agent: agent.name,
            };
            (None, others.map(|recorded| Diagnostic::new(note(recorded))).into_iter().collect())
        }
        Err(unreadable) => (None, vec![unreadable]),
    }
}
