//! `list`: every item of the tiers, or everything that an agent reads in a folder.

use super::Exit;
use super::arguments::{self, Color, PromptFlags};
use super::assembler::found;
use super::folder::{FolderPromptRequest, working_folder};
use super::output::Printer;
use super::report::{Failure, StderrReport};
use super::resolve::{Resolved, wrong};
use crate::agents::FolderRules;
use crate::answer::list::{self, ListFormat, ListKind, ListResult, ListView};
use crate::diagnostic::Diagnostic;
use crate::read::store::Surroundings;
use crate::text::visible::VisibleWriter;

pub(super) fn run(typed: &arguments::ListArguments, color: Color) -> Exit {
    let report = StderrReport::for_format("list", typed.format, color);
    report.show_progress();
    report.run(|diagnostics| {
        let flags = PromptFlags::of_project(typed.tiers.clone(), typed.protocol.clone(), typed.protocol_file.clone());
        let list = match found(&flags, &typed.folder, None, &Surroundings::of_process())? {
            (None, note) => of_items(typed, &flags, note)?,
            (Some(rules), note) => {
                let mut list = of_folder(typed, &flags, rules)?;
                list.diagnostics.extend(note);
                list
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

fn of_folder(typed: &arguments::ListArguments, flags: &PromptFlags, rules: FolderRules) -> Result<ListResult, Failure> {
    let kinds = kinds(typed, &ListKind::OF_FOLDERS, "entry in a folder")?;
    let cwd = working_folder(&typed.folder);
    let folder = FolderPromptRequest::new(&cwd, &typed.folder, flags, None, rules, &Surroundings::of_process())?;
    Ok(folder.answer()?.list(&kinds, typed.tokenizer))
}

/// The typed kinds, in the order of `all`, which is the default.
fn kinds(typed: &arguments::ListArguments, all: &[ListKind], whose: &str) -> Result<Vec<ListKind>, Diagnostic> {
    if let Some(kind) = typed.kinds.iter().find(|kind| !all.contains(kind)) {
        let known: Vec<&str> = all.iter().map(|kind| kind.into_str()).collect();
        let what = format!("`{}` is not a kind of {whose}; the kinds are {}", kind.into_str(), known.join(", "));
        return Err(wrong(&what, "name one of them, or choose the other assembler with --protocol"));
    }
    let is_listed = |kind: &ListKind| typed.kinds.is_empty() || typed.kinds.contains(kind);
    Ok(all.iter().copied().filter(is_listed).collect())
}
