//! A directive's file as the messages of its prompt, for git's own diff.
//!
//! Git hands over one state at a time: an old one as a temporary file that has the last part of its path alone, the one
//! of the work tree with its path. Both must come to one id and one project, so only that last part counts, and the
//! folder that git was run in, which is the same for both.

use std::path::Path;

use super::super::Ended;
use super::super::arguments::{Color, PromptFlags, Render};
use super::super::output::Output;
use super::super::report::Report;
use super::super::resolve::{Resolved, surroundings, tier_arguments};
use super::super::{every, files};
use super::{no_prompt, prefix, prompt, sentence};
use crate::diagnostic::{Diagnostic, Location, system_reason};
use crate::limits;
use crate::render::plain;
use crate::store::{DirectiveFile, ItemId, Surroundings, TierKind, Tiers, find_project, last_segment};
use crate::text::visible::visible;

/// Writes the messages of a directive's file in place of its text, as git asks for with `textconv`.
pub(in crate::cli) fn textconv(mut typed: Render, color: Color) -> Ended {
    let path = typed.git_textconv.unwrap_or_default();
    let written = files::bytes(&path, limits::FILE_BYTES).and_then(|bytes| {
        let text = converted(&path, bytes, &mut typed.prompt);
        Output::Standard.write(|out| Ok(out.write_all(&text)?))
    });
    if let Err(error) = &written {
        Report::new(false, color).write(std::slice::from_ref(error));
    }
    Ended::of(&written)
}

/// The messages of a directive's file, or the file itself below the reason why it has none. It ends with a line break.
fn converted(path: &Path, bytes: Vec<u8>, flags: &mut PromptFlags) -> Vec<u8> {
    let messages = messages(path, bytes.clone(), flags);
    let mut text = messages.unwrap_or_else(|why| [format!("{}\n", no_prompt(&why)).as_bytes(), &bytes].concat());
    if text.last().is_some_and(|&last| last != b'\n') {
        text.push(b'\n');
    }
    text
}

/// The messages as people may look at them; else why there are none.
fn messages(path: &Path, bytes: Vec<u8>, flags: &mut PromptFlags) -> Result<Vec<u8>, String> {
    let resolved = resolved(flags).map_err(|error| sentence(&error))?;
    let directive = namesake(path, &resolved.tiers).map_err(|error| sentence(&error))?;
    // Warnings would stand once for every state that git asks for.
    let prompt = prompt(&directive, bytes, resolved, &mut Vec::new())?;
    let mut text = Vec::new();
    plain::write(&prompt, None, &mut text).map_err(|error| system_reason(&error))?;
    let text = String::from_utf8_lossy(&text);
    Ok(visible(&text).into_owned().into_bytes())
}

/// What the flags name, the project from the folder that git was run in.
fn resolved(flags: &mut PromptFlags) -> Result<Resolved, Diagnostic> {
    let here = surroundings();
    let surroundings = Surroundings { working_folder: here.working_folder.join(prefix()), ..here };
    if flags.tiers.project.is_none() {
        flags.tiers.project = find_project(&tier_arguments(&flags.tiers, None), &surroundings)?;
    }
    Resolved::new(None, flags)
}

/// The directive by the last part of a path: the only one of the project that has it, or else one that has it as its id.
fn namesake(path: &Path, tiers: &Tiers) -> Result<DirectiveFile, Diagnostic> {
    let project = tiers.project_root().map(Path::to_path_buf);
    let name = Path::new(path.file_name().unwrap_or(path.as_os_str()));
    let alone = DirectiveFile::resolve(name, &project.clone().unwrap_or_default())?;
    let (directives, _) = every::listed(tiers);
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
