//! `list`: everything there is.

use super::Ended;
use super::arguments::{self, Color, PromptFlags};
use super::assembler::{Assembler, found};
use super::folder::Folder;
use super::output::Output;
use super::progress;
use super::render::{Outcome, finished};
use super::report::Report;
use super::resolve::{Resolved, wrong};
use super::terminal::{theme, variable, width};
use crate::diagnostic::{Diagnostic, Severity};
use crate::list::{self, Format, Kind, List, View};
use crate::sf;
use crate::text::visible::VisibleWriter;

/// Runs the command.
pub(super) fn run(typed: arguments::List, color: Color) -> Ended {
    let report = Report::new(typed.format.is_some_and(Format::is_machine), color);
    progress::begin(report);
    let outcome = listed(typed, color);
    let (Ok(diagnostics) | Err(diagnostics)) = &outcome;
    report.write(diagnostics);
    Ended::of(&outcome)
}

fn listed(typed: arguments::List, color: Color) -> Outcome {
    let flags = PromptFlags::of_project(typed.tiers.clone(), typed.protocol.clone(), typed.protocol_file.clone());
    let list = match found(&flags, &typed.folder, None) {
        Ok((Assembler::Directives, note)) => of_items(&typed, &flags, note)?,
        Ok((Assembler::Folders(protocol), _)) => of_folder(&typed, &flags, *protocol)?,
        Err(error) => return Err(vec![error]),
    };
    let output = Output::new(typed.output.as_deref());
    let view = View {
        format: typed.format.unwrap_or_default(),
        tokenizer: typed.tokenizer,
        theme: theme(color, output.is_terminal(), variable),
        width: width(output.terminal_width(), variable),
    };
    let is_seen = output.is_terminal() && view.format != Format::Text;
    let written = output.write(|out| match is_seen {
        true => Ok(list::write(&list, &view, &mut VisibleWriter::new(out))?),
        false => Ok(list::write(&list, &view, out)?),
    });
    let outcome = finished(written, list.diagnostics)?;
    // Where a folder cannot be listed, there may be more than what was shown.
    match outcome.iter().any(|found| found.severity() == Severity::Error) {
        true => Err(outcome),
        false => Ok(outcome),
    }
}

fn of_items(typed: &arguments::List, flags: &PromptFlags, note: Option<Diagnostic>) -> Result<List, Vec<Diagnostic>> {
    let kinds = kinds(typed, &Kind::OF_TIERS, "items").map_err(|error| vec![error])?;
    let resolved = Resolved::new(None, flags).map_err(|error| vec![error])?;
    let mut list = list::of_tiers(&resolved.tiers, &resolved.protocol, &kinds, typed.tokenizer);
    list.diagnostics.splice(0..0, resolved.diagnostics.into_iter().chain(note));
    Ok(list)
}

fn of_folder(typed: &arguments::List, flags: &PromptFlags, protocol: sf::Protocol) -> Result<List, Vec<Diagnostic>> {
    let kinds = kinds(typed, &Kind::OF_FOLDERS, "a folder").map_err(|error| vec![error])?;
    let folder = Folder::new(&typed.folder, flags, None, protocol).map_err(|error| vec![error])?;
    Ok(list::of_folder(&folder.applying()?, &kinds, typed.tokenizer))
}

/// The kinds that were typed, in the order in which they are shown; all without any.
fn kinds(typed: &arguments::List, all: &[Kind], whose: &str) -> Result<Vec<Kind>, Diagnostic> {
    if let Some(kind) = typed.kinds.iter().find(|kind| !all.contains(kind)) {
        let known: Vec<&str> = all.iter().map(|kind| kind.into_str()).collect();
        let what = format!("the kinds of {whose} are {}; {} is none of them", known.join(", "), kind.into_str());
        return Err(wrong(&what, "name one of them, or another assembler with --protocol"));
    }
    let is_asked = |kind: &Kind| typed.kinds.is_empty() || typed.kinds.contains(kind);
    Ok(all.iter().copied().filter(is_asked).collect())
}
