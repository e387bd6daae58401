//! Which assembler is asked: that of directives, or that of folders in which an agent works.

use std::ffi::OsStr;

use super::arguments::{FolderFlags, PromptFlags, SideFlags};
use super::folder::{self, working_folder};
use super::resolve::{surroundings, tier_arguments, wrong};
use crate::diagnostic::{Diagnostic, Problem};
use crate::diff::Pair;
use crate::looked;
use crate::protocol::Builtin;
use crate::sf::{self, Disk, Protocol};
use crate::store::{DirectiveArgument, ItemKind, Surroundings, find_project, find_tiers};

/// Who puts a prompt together.
#[derive(Debug)]
pub(super) enum Assembler {
    /// That of directives.
    Directives,
    /// That of folders, in these words.
    Folders(Box<Protocol>),
}

/// Who is asked by name; none for the assembler of directives. Flags that mean nothing to it are a mistake.
pub(super) fn named(prompt: &PromptFlags, folder: &FolderFlags) -> Result<Option<Protocol>, Diagnostic> {
    let protocol = folder::protocol(prompt)?;
    match folder.first().filter(|_| protocol.is_none()) {
        Some(flag) => Err(wrong(&format!("{flag} is about a folder, and a directive has none"), "add --protocol sf")),
        None => Ok(protocol),
    }
}

/// The same for both sides of a comparison, which are of one kind.
pub(super) fn of_sides(sides: &SideFlags) -> Result<Option<Pair<Protocol>>, Diagnostic> {
    let SideFlags { left, right, folders, .. } = sides;
    match (named(left, &folders.left.folder)?, named(right, &folders.right.folder)?) {
        (Some(left), Some(right)) => Ok(Some(Pair { left, right })),
        (None, None) if folders.left.prompt.is_some() || folders.right.prompt.is_some() => {
            Err(wrong("--prompt is what an agent is asked in a folder, and a directive has none", "add --protocol sf"))
        }
        (None, None) => Ok(None),
        _ => {
            let help =
                "save one with `render --format json -o FILE`, and name that file with the --protocol of the other";
            Err(wrong("one side is the prompt of a folder, and the other that of a directive", help))
        }
    }
}

/// Who is asked, found out from the folder where nobody is named; and a note where both could be. `asked` is the
/// argument of the command: a directive, or what the user says to an agent.
///
/// A folder with `.ai/` here or above is for directives, any other one for agents if it holds `.sf/`, or an `AGENTS.md`
/// applies to it.
pub(super) fn found(
    prompt: &PromptFlags,
    folder: &FolderFlags,
    asked: Option<&str>,
) -> Result<(Assembler, Option<Diagnostic>), Diagnostic> {
    if prompt.protocol.is_some() {
        let protocol = named(prompt, folder)?;
        let assembler = protocol.map_or(Assembler::Directives, |protocol| Assembler::Folders(Box::new(protocol)));
        return Ok((assembler, None));
    }
    let protocol = Protocol::default();
    let here = Surroundings { working_folder: working_folder(folder), ..surroundings() };
    let of_agents = sf::agents_file(&here.working_folder.to_string_lossy(), &protocol.folder, &Disk);
    let project = find_project(&tier_arguments(&prompt.tiers, None), &here)?;
    match (project, of_agents) {
        (None, Some(_)) if !is_directive(asked, prompt, &here)? => Ok((Assembler::Folders(Box::new(protocol)), None)),
        (project, of_agents) => {
            named(prompt, folder)?;
            // Who names a project does not ask for a folder.
            let both = project.and(of_agents).filter(|_| prompt.tiers.project.is_none());
            let note = both.map(|path| Diagnostic::new(Problem::FolderOfAgents { path }));
            Ok((Assembler::Directives, note))
        }
    }
}

/// Whether an argument is that of a directive: its file, or the id of one that a tier has.
fn is_directive(asked: Option<&str>, prompt: &PromptFlags, here: &Surroundings<'_>) -> Result<bool, Diagnostic> {
    match asked.map(|asked| DirectiveArgument::parse(OsStr::new(asked))) {
        Some(Ok(DirectiveArgument::File(path))) => Ok(looked::is_file(&path)),
        Some(Ok(DirectiveArgument::Id(id))) => {
            let (tiers, _) = find_tiers(&tier_arguments(&prompt.tiers, None), here, Builtin::Layers)?;
            Ok(tiers.find(ItemKind::Directive, &id)?.is_some())
        }
        Some(Err(_)) | None => Ok(false),
    }
}

/// What a command says that needs a directive.
pub(super) fn nothing_named() -> Diagnostic {
    let help = "name an id or a file (`rye-render chain --all` lists what there is), or add --protocol sf for what an \
                agent sees in this folder";
    wrong("no directive is named", help)
}
