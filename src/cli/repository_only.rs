//! `--repository-only`: what somebody else's repository tells an agent.

use std::path::{Path, PathBuf};

use super::arguments::{FolderFlags, PromptFlags};
use super::folder::{check_flags, check_folder};
use super::resolve::{not_utf8, wrong};
use crate::agents::{self, AgentRequest, FolderRules};
use crate::diagnostic::Diagnostic;
use crate::prompt::Prompt;
use crate::read::store::{Store as _, Surroundings, absolute};
use crate::system::text;

/// The prompt of the repository of a folder alone.
pub(super) fn prompt(
    cwd: &Path,
    typed: &FolderFlags,
    flags: &PromptFlags,
    rules: FolderRules,
    here: &Surroundings<'_>,
) -> Result<Prompt, Diagnostic> {
    let FolderRules::Agent(agent, version) = rules else {
        return Err(wrong("--repository-only does not apply to sf", "name another agent"));
    };
    check_flags(agent, typed, flags)?;
    let touch: Vec<_> = typed.touch.iter().map(|path| absolute(&here.working_folder, path)).collect();
    if let Some(path) = touch.iter().map(PathBuf::as_path).chain([cwd]).find(|path| path.to_str().is_none()) {
        return Err(not_utf8(path));
    }
    let disk = here.disk.whole();
    check_folder(&text(cwd), &disk)?;
    let touch = touch.iter().map(|file| text(file)).collect();
    let request = agents::repository_request(agent.at(version, None), disk.real(&text(cwd)), touch);
    let request = AgentRequest { model: flags.model.clone(), ..request };
    let home = here.home.as_deref().map(|home| disk.real(&text(home))).unwrap_or_default();
    Ok(agents::render_repository(&request, &home, &disk))
}
