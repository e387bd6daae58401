//! The two sides of a comparison: from the arguments to the prompts.

mod directive_argument;
mod folder_argument;
mod folders;
mod merge;
mod rendered;
mod revisions;
mod side_argument;

use super::arguments::{Diff, SideFlags};
use super::assembler::of_sides;
use super::diff_options::hide_values;
use super::report::Failure;
use super::repositories::Repositories;
use crate::answer::diff::{DiffFormat, Pair, Side};
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::store::{Disk, Snapshot};

use merge::merge;
use rendered::{SideOutcome, chosen};
use side_argument::SideArgument;

/// Both sides, ready to be compared.
pub(super) struct Sides {
    pub left: Side,
    pub right: Side,
    /// Both sides without redaction, if redaction could hide a difference.
    pub unredacted: Option<Pair<Side>>,
    /// Warnings of one side only.
    pub diagnostics: Vec<Diagnostic>,
}

pub(super) fn resolve(typed: &mut Diff) -> Result<Sides, Failure> {
    match of_sides(&typed.sides, &Disk::default())? {
        Some(protocols) => folders::resolve(typed, protocols),
        None => of_directives(typed),
    }
}

fn of_directives(typed: &mut Diff) -> Result<Sides, Failure> {
    let mut repositories = Repositories::default();
    let (named, snapshots) = revisions::resolve(typed, &mut repositories)?;
    let values_shown = values_shown(&named, typed);
    if values_shown.is_none() {
        hide_values(typed);
    }
    let has_file = named.left.directive().is_none() || named.right.directive().is_none();
    let SideFlags { left, right, of_one, .. } = &typed.sides;
    let side = |named: &SideArgument, flags, snapshot: &Option<Snapshot>, own: &[String]| {
        let title = with_flags(named.title(), own);
        SideOutcome::new(named, flags, snapshot.as_ref(), title, typed.sides.hide_the_same() && !has_file)
    };
    let left = side(&named.left, left, &snapshots.left, &of_one.left);
    let mut right = side(&named.right, right, &snapshots.right, &of_one.right);
    if let (SideArgument::File(_), None, Err(errors)) = (&named.left, &typed.right, &mut right.side) {
        errors.push(chosen(&named));
    }
    let mut sides = merge(left, right)?;
    sides.diagnostics.extend(values_shown);
    Ok(sides)
}

/// The warning that a published format shows the values in a saved prompt. They cannot be recognised there, and hiding
/// them on the other side only would look like a difference.
fn values_shown(named: &Pair<SideArgument>, typed: &Diff) -> Option<Diagnostic> {
    let is_published = typed.format.is_some_and(DiffFormat::is_published);
    let files = [&named.left, &named.right].into_iter().filter(|side| side.directive().is_none());
    let files: Vec<_> = files.map(SideArgument::title).collect();
    let is_chosen = [&typed.sides.left, &typed.sides.right].iter().any(|flags| !flags.redact.is_empty());
    (is_published && !is_chosen && !files.is_empty()).then(|| Diagnostic::new(Problem::ValuesShown { files }))
}

/// A title with the flags for its side only, which may be the only difference between the titles.
pub(super) fn with_flags(title: String, own: &[String]) -> String {
    if own.is_empty() { title } else { format!("{title} ({})", own.join(", ")) }
}
