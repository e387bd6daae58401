//! `list`: every item of the tiers, or everything that an agent reads in a folder.

use std::path::Path;

use super::Exit;
use super::arguments::{ListArguments, ListWord, PromptFlags};
use super::assembler::{FolderTarget, named_twice, several};
use super::resolve::{Asked, Resolved};
use super::run::{CommandOutcome, Failure, Run};
use crate::answer::list::{self, ListKind, ListResult, ListView};
use crate::diagnostic::Diagnostic;
use crate::read::store::{Surroundings, absolute};
use crate::text::nearest::{did_you_mean, nearest};
use crate::text::words::words;

pub(super) fn run(typed: &ListArguments, run: &mut Run<'_>) -> CommandOutcome {
    run.show_progress();
    let flags = PromptFlags::of_project(typed.tiers.clone(), typed.protocol.clone(), typed.protocol_file.clone());
    let named = named_folder(typed, &run.here)?;
    let (folder, others) = several(&typed.folder)?;
    let asked = Asked { prompt: &flags, folder: &folder, here: &run.here.clone() };
    let list = match asked.found(named)? {
        (None, note) => of_items(typed, asked, note)?,
        (Some(mut target), note) => {
            target.others.extend(others);
            run.diagnostics.extend(target.note_of_one(note));
            of_folder(typed, asked, target)?
        }
    };
    let printer = run.printer(typed.output.as_deref(), false);
    let format = typed.format.unwrap_or_default();
    let view = ListView { format, tokenizer: typed.tokenizer, screen: printer.screen };
    let written = printer.output.write(|out| Ok(list::write(&list, &view, out)?));
    // These include errors about folders that cannot be listed: the list may be incomplete.
    run.diagnostics.extend(list.diagnostics);
    written?;
    Ok(Exit::Success)
}

fn of_items(typed: &ListArguments, asked: Asked<'_>, note: Option<Diagnostic>) -> Result<ListResult, Failure> {
    let kinds = kinds(typed, &ListKind::OF_TIERS, "item")?;
    let resolved = Resolved::at(None, asked.prompt, None, None, asked.here)?;
    let mut list = list::of_tiers(&resolved.tiers, &resolved.protocol, &kinds, typed.tokenizer);
    list.diagnostics.splice(0..0, resolved.diagnostics.into_iter().chain(note));
    Ok(list)
}

fn of_folder(typed: &ListArguments, asked: Asked<'_>, target: FolderTarget<'_>) -> Result<ListResult, Failure> {
    let kinds = kinds(typed, &ListKind::OF_FOLDERS, "entry in a folder")?;
    match target.list_of_all(asked, &kinds, typed.tokenizer)? {
        Some(list) => Ok(list),
        None => target.request(asked)?.list(&kinds, typed.tokenizer),
    }
}

/// The word that names a folder.
fn named_folder<'t>(typed: &'t ListArguments, here: &Surroundings<'_>) -> Result<Option<&'t str>, Diagnostic> {
    let mut folders = typed.words.iter().filter_map(|word| match word {
        ListWord::Folder(folder) => Some(folder.as_str()),
        ListWord::Kind(_) => None,
    });
    let Some(folder) = folders.next() else { return Ok(None) };
    let is_folder = here.disk.is_folder(&absolute(&here.working_folder, Path::new(folder)));
    match folders.next() {
        _ if !is_folder => {
            let help = did_you_mean(
                nearest(folder, words::<ListKind>().into_iter()),
                format!("the kinds are {}", words::<ListKind>().join(", ")),
            );
            Err(Diagnostic::invalid(format!("`{folder}` is neither a kind nor a folder"), help))
        }
        Some(second) => {
            Err(Diagnostic::invalid(format!("two folders are named: {folder} and {second}"), "name one of them"))
        }
        None if typed.folder.cwd.is_some() => Err(named_twice()),
        None if typed.protocol.is_some() => {
            Err(Diagnostic::invalid("with --protocol, the folder is --cwd", "write --cwd FOLDER"))
        }
        None => Ok(Some(folder)),
    }
}

/// The typed kinds, in the order of `all`, which is the default.
fn kinds(typed: &ListArguments, all: &[ListKind], whose: &str) -> Result<Vec<ListKind>, Diagnostic> {
    let known = || all.iter().map(|kind| kind.into_str()).collect::<Vec<_>>().join(", ");
    let mut kinds = Vec::new();
    for word in &typed.words {
        match word {
            ListWord::Kind(kind) if all.contains(kind) => kinds.push(*kind),
            ListWord::Folder(_) if *all == ListKind::OF_FOLDERS => {}
            ListWord::Kind(_) | ListWord::Folder(_) => {
                let what = format!("`{word}` is not a kind of {whose}; the kinds are {}", known());
                return Err(Diagnostic::invalid(
                    what,
                    "name one of them, or choose the other assembler with --protocol",
                ));
            }
        }
    }
    Ok(all.iter().copied().filter(|kind| kinds.is_empty() || kinds.contains(kind)).collect())
}
