//! A directive's file as the messages of its prompt, for git's own diff.
//!
//! Git passes one state at a time: an old one as a temporary file with the same name, the current one by its path.
//! Both must resolve to the same directive, so only the name and the folder that git was run in matter.

use std::path::Path;

use super::{no_prompt, prefix, prompt, reason};
use crate::answer::render::write_plain;
use crate::cli::all_directives;
use crate::cli::arguments::{PromptFlags, Render};
use crate::cli::output::print;
use crate::cli::resolve::{Resolved, tier_arguments};
use crate::cli::run::CommandOutcome;
use crate::diagnostic::{Diagnostic, Location};
use crate::read::store::{DirectiveFile, Disk, ItemId, Surroundings, TierKind, Tiers, find_project, last_segment};
use crate::read::{files, limits};
use crate::text::visible::visible;

pub(in crate::cli) fn textconv(mut typed: Render) -> CommandOutcome {
    let path = typed.git_textconv.unwrap_or_default();
    let bytes = files::bytes(&path, limits::FILE_BYTES, &Disk::default())?;
    print(converted(&path, bytes, &mut typed.prompt))
}

/// The messages or, if there are none, the reason and then the file; with a final newline.
fn converted(path: &Path, bytes: Vec<u8>, flags: &mut PromptFlags) -> Vec<u8> {
    let messages = messages(path, bytes.clone(), flags);
    let mut text = messages.unwrap_or_else(|why| [format!("{}\n", no_prompt(&why)).as_bytes(), &bytes].concat());
    if text.last().is_some_and(|&last| last != b'\n') {
        text.push(b'\n');
    }
    text
}

/// The messages with control characters escaped, or why there are none.
fn messages(path: &Path, bytes: Vec<u8>, flags: &mut PromptFlags) -> anyhow::Result<Vec<u8>> {
    let resolved = resolved(flags).map_err(|error| reason(&error))?;
    let directive = namesake(path, &resolved.tiers).map_err(|error| reason(&error))?;
    // Warnings would be repeated for every state.
    let prompt = prompt(&directive, bytes, resolved, &mut Vec::new())?;
    let mut text = Vec::new();
    write_plain(&prompt, None, &mut text)?;
    let text = String::from_utf8_lossy(&text);
    Ok(visible(&text).into_owned().into_bytes())
}

/// Resolves with the project of the folder that git was run in.
fn resolved(flags: &mut PromptFlags) -> Result<Resolved, Diagnostic> {
    let here = Surroundings::of_process();
    let surroundings = Surroundings { working_folder: here.working_folder.join(prefix()), ..here };
    if flags.tiers.project.is_none() {
        flags.tiers.project = find_project(&tier_arguments(&flags.tiers, None), &surroundings)?;
    }
    Resolved::at(None, flags, None, None, &Surroundings::of_process())
}

/// The directive for a file name: the only one in the project whose id ends with the name, else the one with that id.
fn namesake(path: &Path, tiers: &Tiers) -> Result<DirectiveFile, Diagnostic> {
    let project = tiers.project_root().map(Path::to_path_buf);
    let name = Path::new(path.file_name().unwrap_or(path.as_os_str()));
    let alone = DirectiveFile::resolve(name, &project.clone().unwrap_or_default())?;
    let (directives, _) = all_directives::listed(tiers);
    let is_own =
        |place: &Location| matches!(place, Location::File { tier, .. } if **tier == *TierKind::Project.into_str());
    let own = directives.iter().filter(|(_, place)| is_own(place)).map(|(id, _)| id);
    let mut same = own.filter(|id| last_segment(id) == alone.id.as_str());
    let id = match (same.next(), same.next()) {
        (Some(only), None) => ItemId::parse(only).unwrap_or_else(|_| alone.id.clone()),
        _ => alone.id.clone(),
    };
    Ok(DirectiveFile { id, project, ..alone })
}
