//! Which directives at which revisions the arguments name.

use std::path::Path;

use super::directive_argument::DirectiveSide;
use super::rendered::read;
use crate::cli::arguments::{Diff, PromptFlags, SideFlags};
use crate::cli::assembler::no_directive;
use crate::cli::repositories::{Repositories, check_work_tree};
use crate::cli::resolve::{surroundings, wrong};
use crate::diagnostic::Diagnostic;
use crate::diff::Pair;
use crate::store::{Revision, Snapshot};

/// Both sides, and the files of the revisions that they name.
pub(super) fn resolve(
    typed: &Diff,
    repositories: &mut Repositories,
) -> Result<(Pair<DirectiveSide>, Pair<Option<Snapshot>>), Diagnostic> {
    let named = named(typed, repositories)?;
    let SideFlags { left, right, of_one, .. } = &typed.sides;
    for (named, own, side) in [(&named.left, &of_one.left, "left"), (&named.right, &of_one.right, "right")] {
        if let DirectiveSide::File(_) = named {
            check_saved(&named.title(), own, side)?;
        }
    }
    let mut snapshot = |named: &DirectiveSide, flags: &PromptFlags| {
        repositories.snapshot(named.file()?.as_ref(), flags, named.revision())
    };
    let snapshots = Pair { left: snapshot(&named.left, left)?, right: snapshot(&named.right, right)? };
    let is_one_project = left.tiers.project == right.tiers.project;
    for (side, flags, other) in [(&named.left, left, &snapshots.right), (&named.right, right, &snapshots.left)] {
        if is_one_project && other.is_some() && side.is_on_disk() {
            check_work_tree(repositories.of(side.file()?.as_ref(), flags)?)?;
        }
    }
    Ok((named, snapshots))
}

/// Refuses a flag for one side if that side is a saved file.
pub(super) fn check_saved(title: &str, own: &[String], side: &str) -> Result<(), Diagnostic> {
    let Some(flag) = own.first() else { return Ok(()) };
    let flag = flag.split(['=', ' ']).next().unwrap_or_default();
    let what = format!("--{side}-{flag} changes how a prompt is rendered, but {title} is a saved file");
    Err(wrong(&what, "leave the flag out"))
}

/// From both arguments, or from one of them and `--rev`.
fn named(typed: &Diff, repositories: &mut Repositories) -> Result<Pair<DirectiveSide>, Diagnostic> {
    let left = DirectiveSide::parse(typed.left.as_deref().ok_or_else(no_directive)?)?;
    let right = typed.right.as_deref().map(DirectiveSide::parse).transpose()?;
    let Some(range) = &typed.rev else { return without_range(left, right, typed, repositories) };
    let right = right.unwrap_or_else(|| left.clone());
    for side in [&left, &right] {
        match side {
            DirectiveSide::Directive { at: None, .. } => {}
            DirectiveSide::Directive { at: Some(_), .. } => {
                return Err(wrong("--rev and REV:DIRECTIVE both name a revision", "leave one of the two out"));
            }
            DirectiveSide::File(path) => {
                let what = format!("--rev requires directives, but {} is a saved file", path.display());
                return Err(wrong(&what, "compare it with REV:DIRECTIVE"));
            }
        }
    }
    let range = repositories.of(left.file()?.as_ref(), &typed.sides.left)?.range(range)?;
    Ok(Pair { left: left.at(Some(range.left)), right: right.at(range.right) })
}

/// A single argument is compared with the working tree: a directive at `HEAD` or the named revision, or a saved prompt.
fn without_range(
    left: DirectiveSide,
    right: Option<DirectiveSide>,
    typed: &Diff,
    repositories: &mut Repositories,
) -> Result<Pair<DirectiveSide>, Diagnostic> {
    if let Some(right) = right {
        return Ok(Pair { left, right });
    }
    match &left {
        DirectiveSide::Directive { at: Some(revision), directive, .. } => {
            let flags = &typed.sides.left;
            let snapshot = repositories.snapshot(left.file()?.as_ref(), flags, Some(revision))?;
            let file = left.file_at(snapshot.as_ref())?;
            let right = file.map_or_else(|| directive.clone(), |file| from_here(&file.path));
            Ok(Pair { left, right: DirectiveSide::on_disk(right) })
        }
        DirectiveSide::Directive { at: None, .. } => {
            let head = Some(Revision::Named("HEAD".to_string()));
            Ok(Pair { left: left.clone().at(head), right: left })
        }
        DirectiveSide::File(path) => match read(path, String::new())?.directive {
            Some(directive) => Ok(Pair { left, right: DirectiveSide::on_disk(directive) }),
            None => {
                let what = format!("{} does not name its directive", path.display());
                Err(wrong(&what, "name the directive as a second argument"))
            }
        },
    }
}

/// A directive's file as a user would type it: relative to the working folder, if it is below it.
fn from_here(path: &Path) -> String {
    match path.strip_prefix(surroundings().working_folder) {
        Ok(below) if below.extension().is_some_and(|extension| extension == "md") => below,
        _ => path,
    }
    .to_string_lossy()
    .into_owned()
}
