//! The two sides that a comparison names: what was typed, and what it is rendered to.

mod folder;
mod folder_named;
mod named;
mod outcome;
mod states;
mod together;

use super::arguments::{Diff, SideFlags};
use super::assembler::of_sides;
use super::diff::hide_values;
use super::repositories::Repositories;
use crate::diagnostic::{Diagnostic, Problem};
use crate::diff::{Format, Pair, Side};
use crate::store::Snapshot;

use named::Named;
use outcome::{SideOutcome, chosen};
use states::states;
use together::together;

pub(super) use together::{of_one_side, once};

/// Both sides, and what is to be said about them.
pub(super) struct Sides {
    /// What is compared.
    pub left: Side,
    /// With what.
    pub right: Side,
    /// Both as they are where no value is hidden, if that makes a difference.
    pub revealed: Option<Pair<Side>>,
    /// Warnings of one side, each once.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads and renders what the arguments name.
///
/// # Errors
/// What is wrong with either side, or with both.
pub(super) fn resolve(typed: &mut Diff) -> Result<Sides, Vec<Diagnostic>> {
    match of_sides(&typed.sides).map_err(|error| vec![error])? {
        Some(protocols) => folder::resolve(typed, protocols),
        None => of_directives(typed),
    }
}

/// The same of directives.
fn of_directives(typed: &mut Diff) -> Result<Sides, Vec<Diagnostic>> {
    let mut repositories = Repositories::default();
    let (named, snapshots) = states(typed, &mut repositories).map_err(|error| vec![error])?;
    let as_saved = as_saved(&named, typed);
    if as_saved.is_none() {
        hide_values(typed);
    }
    let has_file = named.left.directive().is_none() || named.right.directive().is_none();
    let SideFlags { left, right, of_one, .. } = &typed.sides;
    let side = |named: &Named, flags, snapshot: &Option<Snapshot>, own: &[String]| {
        let title = titled(named.title(), own);
        SideOutcome::new(named, flags, snapshot.as_ref(), title, typed.sides.hide_alike() && !has_file)
    };
    let left = side(&named.left, left, &snapshots.left, &of_one.left);
    let mut right = side(&named.right, right, &snapshots.right, &of_one.right);
    if let (Named::File(_), None, Err(errors)) = (&named.left, &typed.right, &mut right.side) {
        errors.push(chosen(&named));
    }
    let mut sides = together(left, right)?;
    sides.diagnostics.extend(as_saved);
    Ok(sides)
}

/// The warning that what is published shows the values that a file holds: they cannot be told from the rest of its text,
/// so hiding them on the other side alone would only look like a difference.
fn as_saved(named: &Pair<Named>, typed: &Diff) -> Option<Diagnostic> {
    let is_published = typed.format.is_some_and(Format::is_published);
    let files = [&named.left, &named.right].into_iter().filter(|side| side.directive().is_none());
    let files: Vec<_> = files.map(Named::title).collect();
    let was_said = [&typed.sides.left, &typed.sides.right].iter().any(|flags| !flags.redact.is_empty());
    (is_published && !was_said && !files.is_empty()).then(|| Diagnostic::new(Problem::ValuesShown { files }))
}

/// A title with the flags of its side alone, which may be all that tells it from the other one.
pub(super) fn titled(title: String, own: &[String]) -> String {
    if own.is_empty() { title } else { format!("{title} ({})", own.join(", ")) }
}
