//! Which directives at which revisions the arguments name.

use std::path::Path;

use super::rendered::read;
use super::side_argument::{SideArgument, check_for_range, check_saved};
use crate::answer::diff::Pair;
use crate::cli::arguments::{Diff, PromptFlags, SideFlags};
use crate::cli::assembler::no_directive;
use crate::cli::repositories::{Repositories, check_work_tree};
use crate::cli::resolve::wrong;
use crate::diagnostic::Diagnostic;
use crate::read::store::{Revision, Snapshot, Surroundings};

/// Both sides, and the files of the revisions that they name.
pub(super) fn resolve(
    typed: &Diff,
    repositories: &mut Repositories,
) -> Result<(Pair<SideArgument>, Pair<Option<Snapshot>>), Diagnostic> {
    let named = named(typed, repositories)?;
    let SideFlags { left, right, of_one, .. } = &typed.sides;
    check_saved(&named, of_one)?;
    let mut snapshot = |named: &SideArgument, flags: &PromptFlags| match named {
        SideArgument::Named { at, .. } => repositories.snapshot(named.file()?.as_ref(), flags, at.as_ref()),
        SideArgument::File(_) => Ok(None),
    };
    let snapshots = Pair { left: snapshot(&named.left, left)?, right: snapshot(&named.right, right)? };
    let is_one_project = left.tiers.project == right.tiers.project;
    for (side, flags, other) in [(&named.left, left, &snapshots.right), (&named.right, right, &snapshots.left)] {
        if is_one_project && other.is_some() && matches!(side, SideArgument::Named { at: None, .. }) {
            check_work_tree(repositories.of(side.file()?.as_ref(), flags)?)?;
        }
    }
    Ok((named, snapshots))
}

/// Reads both sides from two arguments, or from one and `--rev`.
fn named(typed: &Diff, repositories: &mut Repositories) -> Result<Pair<SideArgument>, Diagnostic> {
    let left = SideArgument::parse_directive(typed.left.as_deref().ok_or_else(no_directive)?)?;
    let right = typed.right.as_deref().map(SideArgument::parse_directive).transpose()?;
    let Some(range) = &typed.rev else { return without_range(left, right, typed, repositories) };
    let right = right.unwrap_or_else(|| left.clone());
    check_for_range(&left, &right, "directive")?;
    let range = repositories.of(left.file()?.as_ref(), &typed.sides.left)?.range(range)?;
    Ok(Pair { left: left.at(Some(range.left)), right: right.at(range.right) })
}

/// A single argument is compared with the working tree: a directive at `HEAD` or the named revision, or a saved prompt.
fn without_range(
    left: SideArgument,
    right: Option<SideArgument>,
    typed: &Diff,
    repositories: &mut Repositories,
) -> Result<Pair<SideArgument>, Diagnostic> {
    if let Some(right) = right {
        return Ok(Pair { left, right });
    }
    match &left {
        SideArgument::Named { at: Some(revision), name, .. } => {
            let flags = &typed.sides.left;
            let snapshot = repositories.snapshot(left.file()?.as_ref(), flags, Some(revision))?;
            let file = left.file_at(snapshot.as_ref())?;
            let right = file.map_or_else(|| name.clone(), |file| from_here(&file.path));
            Ok(Pair { left, right: SideArgument::on_disk(right) })
        }
        SideArgument::Named { at: None, .. } => {
            let head = Some(Revision::Named("HEAD".to_string()));
            Ok(Pair { left: left.clone().at(head), right: left })
        }
        SideArgument::File(path) => match read(path, String::new())?.directive {
            Some(directive) => Ok(Pair { left, right: SideArgument::on_disk(directive) }),
            None => {
                let what = format!("{} does not name its directive", path.display());
                Err(wrong(&what, "name the directive as a second argument"))
            }
        },
    }
}

/// A directive's file as a user would type it: relative to the working folder, if it is below it.
fn from_here(path: &Path) -> String {
    match path.strip_prefix(Surroundings::of_process().working_folder) {
        Ok(below) if below.extension().is_some_and(|extension| extension == "md") => below,
        _ => path,
    }
    .to_string_lossy()
    .into_owned()
}
