//! Chooses the assembler: for directives, or for agents' working folders.

use std::ffi::OsStr;

use super::arguments::{FolderFlags, PromptFlags, SideFlags};
use super::folder::{self, working_folder};
use super::resolve::{tier_arguments, wrong};
use crate::agents::{self, Agent, FolderRules, Protocol};
use crate::answer::diff::Pair;
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::protocol::Builtin;
use crate::read::store::{DirectiveArgument, Disk, ItemKind, Store as _, Surroundings, find_project, find_tiers};

/// The rules for folders that `--agent` or `--protocol` names, if any. Without them, flags for folders are refused.
pub(super) fn named(
    prompt: &PromptFlags,
    folder: &FolderFlags,
    disk: &Disk,
) -> Result<Option<FolderRules>, Diagnostic> {
    if let Some(agent) = &folder.agent {
        return folder::agent(agent).map(Some);
    }
    let protocol = folder::protocol(prompt, disk)?;
    match folder.first().filter(|_| protocol.is_none()) {
        Some(flag) => Err(wrong(
            &format!("{flag} requires a folder, and this is a directive"),
            "add --agent NAME or --protocol sf",
        )),
        None => Ok(protocol.map(|protocol| FolderRules::Protocol(Box::new(protocol)))),
    }
}

/// Like [`named`] for both sides of a comparison, which must be of the same kind.
pub(super) fn of_sides(sides: &SideFlags, disk: &Disk) -> Result<Option<Pair<FolderRules>>, Diagnostic> {
    let SideFlags { left, right, folders, .. } = sides;
    match (named(left, &folders.left.folder, disk)?, named(right, &folders.right.folder, disk)?) {
        (Some(left), Some(right)) => Ok(Some(Pair { left, right })),
        (None, None) if folders.left.prompt.is_some() || folders.right.prompt.is_some() => {
            Err(wrong("--prompt requires a folder, and this is a directive", "add --protocol sf"))
        }
        (None, None) => Ok(None),
        _ => {
            let help =
                "save one with `render --format json -o FILE`, and compare FILE with the other, using its --protocol";
            Err(wrong("one side is the prompt of a folder, the other of a directive", help))
        }
    }
}

/// The protocol of folders if it is named or detected, and a note if both assemblers would fit. `argument` is a
/// directive or the user prompt.
///
/// A folder is for directives if it or a folder above it holds `.ai/`. Any other folder is for agents if it holds
/// `.sf/` or an `AGENTS.md` applies to it.
pub(super) fn found(
    prompt: &PromptFlags,
    folder: &FolderFlags,
    argument: Option<&str>,
    here: &Surroundings<'_>,
) -> Result<(Option<FolderRules>, Option<Diagnostic>), Diagnostic> {
    if prompt.protocol.is_some() || folder.agent.is_some() {
        return Ok((named(prompt, folder, &here.disk)?, None));
    }
    let protocol = Protocol::default();
    let here = Surroundings { working_folder: working_folder(folder), ..here.clone() };
    let of_agents = agents::agents_file(&here.working_folder.to_string_lossy(), &protocol.folder, &here.disk.whole());
    let project = find_project(&tier_arguments(&prompt.tiers, None), &here)?;
    match (project, of_agents) {
        (None, Some(_)) if !is_directive(argument, prompt, &here)? => {
            // Flags of `sf` ask for it.
            let (rules, note) = if folder.of_protocols().is_some() { (None, None) } else { of_this_machine(&here) };
            Ok((Some(rules.unwrap_or_else(|| FolderRules::Protocol(Box::new(protocol)))), note))
        }
        (project, of_agents) => {
            named(prompt, folder, &here.disk)?;
            // `--project` rules out a folder.
            let both = project.and(of_agents).filter(|_| prompt.tiers.project.is_none());
            let note = both.map(|path| Diagnostic::new(Problem::FolderOfAgents { path }));
            Ok((None, note))
        }
    }
}

/// The rules of the first agent that is installed, and a note if there are others.
fn of_this_machine(here: &Surroundings<'_>) -> (Option<FolderRules>, Option<Diagnostic>) {
    let cwd = here.disk.whole().real(&here.working_folder.to_string_lossy());
    let mut installed = Agent::all().filter(|agent| folder::installed(agent, &cwd, here).is_some());
    let Some(first) = installed.next() else { return (None, None) };
    let others: Vec<&str> = installed.map(|agent| agent.name).collect();
    let note = Problem::SeveralAgents { agent: first.name, others: others.join(", ") };
    (Some(FolderRules::Agent(first, None)), (!others.is_empty()).then(|| Diagnostic::new(note)))
}

/// Whether an argument is a directive's file or the id of a directive in a tier.
fn is_directive(argument: Option<&str>, prompt: &PromptFlags, here: &Surroundings<'_>) -> Result<bool, Diagnostic> {
    match argument.map(|argument| DirectiveArgument::parse(OsStr::new(argument))) {
        Some(Ok(DirectiveArgument::File(path))) => Ok(here.disk.is_file(&path)),
        Some(Ok(DirectiveArgument::Id(id))) => {
            let (tiers, _) = find_tiers(&tier_arguments(&prompt.tiers, None), here, Builtin::Layers)?;
            Ok(tiers.find(ItemKind::Directive, &id)?.is_some())
        }
        Some(Err(_)) | None => Ok(false),
    }
}

/// The error of a command that requires a directive.
pub(super) fn no_directive() -> Diagnostic {
    let help = "name an id or a file (`rye-render list directive` shows all), or add --protocol sf for what an agent \
                reads in this folder";
    wrong("no directive is named", help)
}
