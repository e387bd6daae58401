//! The two sides of a comparison: from the arguments to the prompts.

mod directives;
mod folders;
mod side_argument;

use std::path::{Path, PathBuf};

use super::arguments::Diff;
use super::assembler::of_sides;
use super::repeated::of_one_side;
use super::run::Failure;
use crate::answer::diff::{Pair, Side};
use crate::diagnostic::{Diagnostic, Problem};
use crate::read::store::{Disk, Surroundings};
use crate::read::{files, limits};

/// Both sides, ready to be compared.
pub(super) struct Sides {
    pub left: Side,
    pub right: Side,
    /// Both sides without redaction, if redaction could hide a difference.
    pub unredacted: Option<Pair<Side>>,
    /// Warnings of one side only.
    pub diagnostics: Vec<Diagnostic>,
}

pub(super) fn resolve(typed: &mut Diff, here: &Surroundings<'_>) -> Result<Sides, Failure> {
    match of_sides(&typed.sides, here)? {
        Some(rules) => folders::resolve(typed, rules, here),
        None => directives::resolve(typed, here),
    }
}

/// A title with the flags for its side only, which may be the only difference between the titles.
pub(super) fn with_flags(title: String, own: &[String]) -> String {
    if own.is_empty() { title } else { format!("{title} ({})", own.join(", ")) }
}

/// A side, or why there is none.
struct SideOutcome {
    title: String,
    side: Result<Side, Vec<Diagnostic>>,
    /// The side without redaction, if requested.
    unredacted: Option<Side>,
    /// `None` for a saved file.
    identity: Option<Identity>,
    /// Whether it failed because the directive or folder does not exist.
    is_absent: bool,
    diagnostics: Vec<Diagnostic>,
}

impl SideOutcome {
    fn new(title: String) -> Self {
        let (side, diagnostics) = (Err(Vec::new()), Vec::new());
        Self { title, side, unredacted: None, identity: None, is_absent: false, diagnostics }
    }

    /// Makes it the side of a directive or folder that only the other side has.
    fn leave_out(&mut self) {
        self.side = Ok(Side::absent(self.title.clone()));
        self.unredacted = Some(Side::absent(self.title.clone()));
        self.diagnostics.clear();
    }
}

/// Which directive or folder an argument names, whatever its spelling.
struct Identity {
    /// The directive's id; empty for a folder.
    id: String,
    /// The folder, the directive's project, or the directive's file if that is in no project.
    path: Option<PathBuf>,
    is_by_id: bool,
}

impl Identity {
    fn of_path(id: String, path: PathBuf) -> Self {
        Self { id, path: Some(path.canonicalize().unwrap_or(path)), is_by_id: false }
    }

    /// The same id in two projects names the same directive.
    fn is_same_as(&self, other: &Self) -> bool {
        self.id == other.id && (self.path == other.path || (self.is_by_id && other.is_by_id))
    }
}

/// Reads a saved prompt, a transcript or a request body.
fn read(path: &Path, title: String, disk: &Disk) -> Result<Side, Diagnostic> {
    let source = files::read(path, limits::FILE_BYTES, disk)?;
    limits::json(&source, limits::SENT_VALUES)?;
    let side = Side::read(source.text(), title).map_err(|not| files::wrong(&source, not.what, not.help, not.place))?;
    limits::messages(&source, side.messages.len())?;
    Ok(side)
}

/// Merges both sides. One may be absent if both name the same directive or folder.
fn merge(mut left: SideOutcome, mut right: SideOutcome) -> Result<Sides, Failure> {
    let identities = left.identity.as_ref().zip(right.identity.as_ref());
    if identities.is_some_and(|(left, right)| left.is_same_as(right)) {
        match (&left.side, &right.side) {
            (Ok(_), Err(_)) if right.is_absent => right.leave_out(),
            (Err(_), Ok(_)) if left.is_absent => left.leave_out(),
            _ => {}
        }
    }
    let mut diagnostics = Pair { left: left.diagnostics, right: right.diagnostics };
    let unredacted = left.unredacted.zip(right.unredacted).map(|(left, right)| Pair { left, right });
    match (left.side, right.side) {
        (Ok(left), Ok(right)) => Ok(Sides { left, right, unredacted, diagnostics: of_one_side(diagnostics) }),
        (left, right) => {
            let mut errors = Pair { left: left.err().unwrap_or_default(), right: right.err().unwrap_or_default() };
            merge_not_found(&mut errors);
            diagnostics.left.extend(errors.left);
            diagnostics.right.extend(errors.right);
            Err(of_one_side(diagnostics).into())
        }
    }
}

/// A directive that is missing on both sides is one error with the tiers of both.
fn merge_not_found(errors: &mut Pair<Vec<Diagnostic>>) {
    let ([left], [right]) = (&mut *errors.left, &*errors.right) else { return };
    if let (
        Problem::DirectiveNotFound { id, searched, nearest },
        Problem::DirectiveNotFound { id: other, searched: also, nearest: or },
    ) = (&mut left.problem, &right.problem)
        && id == other
    {
        let further: Vec<_> = also.iter().filter(|place| !searched.contains(place)).cloned().collect();
        searched.extend(further);
        *nearest = nearest.take().or_else(|| or.clone());
        errors.right.clear();
    }
}
