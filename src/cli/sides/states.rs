//! Which states of which directives the arguments name.

use std::path::Path;

use super::named::Named;
use super::outcome::read;
use crate::cli::arguments::{Diff, PromptFlags, SideFlags};
use crate::cli::assembler::nothing_named;
use crate::cli::repositories::{Repositories, check_work_tree};
use crate::cli::resolve::{surroundings, wrong};
use crate::diagnostic::Diagnostic;
use crate::diff::Pair;
use crate::store::{Revision, Snapshot};

/// What both arguments name, and the states of the repositories that they are read in.
pub(super) fn states(
    typed: &Diff,
    repositories: &mut Repositories,
) -> Result<(Pair<Named>, Pair<Option<Snapshot>>), Diagnostic> {
    let named = named(typed, repositories)?;
    let SideFlags { left, right, of_one, .. } = &typed.sides;
    for (named, own, side) in [(&named.left, &of_one.left, "left"), (&named.right, &of_one.right, "right")] {
        if let Named::File(_) = named {
            check_saved(&named.title(), own, side)?;
        }
    }
    let mut snapshot =
        |named: &Named, flags: &PromptFlags| repositories.snapshot(named.file()?.as_ref(), flags, named.revision());
    let snapshots = Pair { left: snapshot(&named.left, left)?, right: snapshot(&named.right, right)? };
    let is_one_project = left.tiers.project == right.tiers.project;
    for (side, flags, other) in [(&named.left, left, &snapshots.right), (&named.right, right, &snapshots.left)] {
        if is_one_project && other.is_some() && side.is_on_disk() {
            check_work_tree(repositories.of(side.file()?.as_ref(), flags)?)?;
        }
    }
    Ok((named, snapshots))
}

/// Refuses a flag for one side alone where that side was saved.
pub(super) fn check_saved(title: &str, own: &[String], side: &str) -> Result<(), Diagnostic> {
    let Some(flag) = own.first() else { return Ok(()) };
    let flag = flag.split(['=', ' ']).next().unwrap_or_default();
    let what = format!("--{side}-{flag} decides a prompt that is rendered, and {title} was saved");
    Err(wrong(&what, "leave the flag out"))
}

/// What both arguments, or one of them and `--rev`, name.
fn named(typed: &Diff, repositories: &mut Repositories) -> Result<Pair<Named>, Diagnostic> {
    let left = Named::parse(typed.left.as_deref().ok_or_else(nothing_named)?)?;
    let right = typed.right.as_deref().map(Named::parse).transpose()?;
    let Some(range) = &typed.rev else { return without_range(left, right, typed, repositories) };
    let right = right.unwrap_or_else(|| left.clone());
    for side in [&left, &right] {
        match side {
            Named::Directive { at: None, .. } => {}
            Named::Directive { at: Some(_), .. } => {
                return Err(wrong("--rev and REV:DIRECTIVE both name a revision", "leave one of the two out"));
            }
            Named::File(path) => {
                let what = format!("--rev names revisions, and {} was saved", path.display());
                return Err(wrong(&what, "compare it with REV:DIRECTIVE"));
            }
        }
    }
    let range = repositories.of(left.file()?.as_ref(), &typed.sides.left)?.range(range)?;
    Ok(Pair { left: left.at(Some(range.left)), right: right.at(range.right) })
}

/// One argument alone is compared with the working tree: a directive as it is in `HEAD` or at the revision that is
/// named, and what a file holds.
fn without_range(
    left: Named,
    right: Option<Named>,
    typed: &Diff,
    repositories: &mut Repositories,
) -> Result<Pair<Named>, Diagnostic> {
    if let Some(right) = right {
        return Ok(Pair { left, right });
    }
    match &left {
        Named::Directive { at: Some(revision), directive, .. } => {
            let flags = &typed.sides.left;
            let snapshot = repositories.snapshot(left.file()?.as_ref(), flags, Some(revision))?;
            let file = left.file_at(snapshot.as_ref())?;
            let right = file.map_or_else(|| directive.clone(), |file| from_here(&file.path));
            Ok(Pair { left, right: Named::on_disk(right) })
        }
        Named::Directive { at: None, .. } => {
            let head = Some(Revision::Named("HEAD".to_string()));
            Ok(Pair { left: left.clone().at(head), right: left })
        }
        Named::File(path) => match read(path, String::new())?.directive {
            Some(directive) => Ok(Pair { left, right: Named::on_disk(directive) }),
            None => {
                let what = format!("{} does not tell which directive it is of", path.display());
                Err(wrong(&what, "name what it is compared with as a second argument"))
            }
        },
    }
}

/// The path of a directive's file as it is typed: from the working folder, if it lies there.
fn from_here(path: &Path) -> String {
    match path.strip_prefix(surroundings().working_folder) {
        Ok(below) if below.extension().is_some_and(|extension| extension == "md") => below,
        _ => path,
    }
    .to_string_lossy()
    .into_owned()
}
