//! `list`: every item of the tiers, or everything that an agent reads in a folder.

use std::path::Path;

use super::Exit;
use super::arguments::{self, Color, FolderFlags, ListWord, PromptFlags};
use super::assembler::{FolderTarget, found, named_twice, several};
use super::folder::FolderPromptRequest;
use super::output::Printer;
use super::report::{Failure, StderrReport};
use super::resolve::{Resolved, wrong};
use crate::answer::list::{self, ListFormat, ListKind, ListResult, ListView};
use crate::diagnostic::Diagnostic;
use crate::read::store::{Surroundings, absolute};
use crate::text::nearest::nearest;
use crate::text::visible::VisibleWriter;
use crate::text::words::words;

pub(super) fn run(typed: &arguments::ListArguments, color: Color) -> Exit {
    let report = StderrReport::for_format("list", typed.format, color);
    report.show_progress();
    report.run(|diagnostics| {
        let flags = PromptFlags::of_project(typed.tiers.clone(), typed.protocol.clone(), typed.protocol_file.clone());
        let here = Surroundings::of_process();
        let named = named_folder(typed, &here)?;
        let (folder, others) = several(&typed.folder)?;
        let list = match found(&flags, &folder, named, &here)? {
            (None, note) => of_items(typed, &flags, note)?,
            (Some(mut target), _) => {
                target.others.extend(others);
                of_folder(typed, &flags, &folder, target)?
            }
        };
        let format = typed.format.unwrap_or_default();
        let printer = Printer::new(typed.output.as_deref(), color, false);
        let view = ListView { format, tokenizer: typed.tokenizer, theme: printer.theme, width: printer.width };
        let written = printer.output.write(|out| match printer.visible && format != ListFormat::Text {
            true => Ok(list::write(&list, &view, &mut VisibleWriter::new(out))?),
            false => Ok(list::write(&list, &view, out)?),
        });
        // These include errors about folders that cannot be listed: the list may be incomplete.
        diagnostics.extend(list.diagnostics);
        written?;
        Ok(Exit::Success)
    })
}

fn of_items(
    typed: &arguments::ListArguments,
    flags: &PromptFlags,
    note: Option<Diagnostic>,
) -> Result<ListResult, Failure> {
    let kinds = kinds(typed, &ListKind::OF_TIERS, "item")?;
    let resolved = Resolved::new(None, flags, &Surroundings::of_process())?;
    let mut list = list::of_tiers(&resolved.tiers, &resolved.protocol, &kinds, typed.tokenizer);
    list.diagnostics.splice(0..0, resolved.diagnostics.into_iter().chain(note));
    Ok(list)
}

fn of_folder(
    typed: &arguments::ListArguments,
    flags: &PromptFlags,
    folder: &FolderFlags,
    target: FolderTarget<'_>,
) -> Result<ListResult, Failure> {
    let kinds = kinds(typed, &ListKind::OF_FOLDERS, "entry in a folder")?;
    if let Some(list) = target.list_of_all(flags, folder, &kinds, typed.tokenizer)? {
        return Ok(list);
    }
    let FolderTarget { rules, cwd, .. } = target;
    let folder = FolderPromptRequest::new(&cwd, folder, flags, None, rules, &Surroundings::of_process())?;
    Ok(folder.answer()?.list(&kinds, typed.tokenizer))
}

/// The word that names a folder.
fn named_folder<'t>(
    typed: &'t arguments::ListArguments,
    here: &Surroundings<'_>,
) -> Result<Option<&'t str>, Diagnostic> {
    let mut folders = typed.words.iter().filter_map(|word| match word {
        ListWord::Folder(folder) => Some(folder.as_str()),
        ListWord::Kind(_) => None,
    });
    let Some(folder) = folders.next() else { return Ok(None) };
    let is_folder = here.disk.is_folder(&absolute(&here.working_folder, Path::new(folder)));
    match folders.next() {
        _ if !is_folder => {
            let help = match nearest(folder, words::<ListKind>().into_iter()) {
                Some(kind) => format!("did you mean `{kind}`?"),
                None => format!("the kinds are {}", words::<ListKind>().join(", ")),
            };
            Err(wrong(&format!("`{folder}` is neither a kind nor a folder"), &help))
        }
        Some(second) => Err(wrong(&format!("two folders are named: {folder} and {second}"), "name one of them")),
        None if typed.folder.cwd.is_some() => Err(named_twice()),
        None if typed.protocol.is_some() => Err(wrong("with --protocol, the folder is --cwd", "write --cwd FOLDER")),
        None => Ok(Some(folder)),
    }
}

/// The typed kinds, in the order of `all`, which is the default.
fn kinds(typed: &arguments::ListArguments, all: &[ListKind], whose: &str) -> Result<Vec<ListKind>, Diagnostic> {
    let known = || all.iter().map(|kind| kind.into_str()).collect::<Vec<_>>().join(", ");
    let mut kinds = Vec::new();
    for word in &typed.words {
        match word {
            ListWord::Kind(kind) if all.contains(kind) => kinds.push(*kind),
            ListWord::Folder(_) if *all == ListKind::OF_FOLDERS => {}
            ListWord::Kind(_) | ListWord::Folder(_) => {
                let what = format!("`{word}` is not a kind of {whose}; the kinds are {}", known());
                return Err(wrong(&what, "name one of them, or choose the other assembler with --protocol"));
            }
        }
    }
    Ok(all.iter().copied().filter(|kind| kinds.is_empty() || kinds.contains(kind)).collect())
}
