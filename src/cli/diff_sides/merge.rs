//! Both sides together: which may be absent, and which diagnostics to report.

use super::Sides;
use super::rendered::SideOutcome;
use crate::answer::diff::Pair;
use crate::cli::repeated::of_one_side;
use crate::cli::report::Failure;
use crate::diagnostic::{Diagnostic, Problem};

/// Merges both sides. One may be absent if both name the same directive or folder.
pub(super) fn merge(left: SideOutcome, right: SideOutcome) -> Result<Sides, Failure> {
    let are_one =
        left.identity.as_ref().zip(right.identity.as_ref()).is_some_and(|(left, right)| left.is_same_as(right));
    let absent = Pair { left: left.absent(), right: right.absent() };
    let mut diagnostics = Pair { left: left.diagnostics, right: right.diagnostics };
    let (left, right) = match (left.side, right.side) {
        (Ok(left), Ok(right)) => (left, right),
        (Ok(side), Err(_)) if right.is_absent && are_one => {
            diagnostics.right.clear();
            (side, absent.right)
        }
        (Err(_), Ok(side)) if left.is_absent && are_one => {
            diagnostics.left.clear();
            (absent.left, side)
        }
        (left, right) => {
            let mut errors = Pair { left: left.err().unwrap_or_default(), right: right.err().unwrap_or_default() };
            merge_not_found(&mut errors);
            diagnostics.left.extend(errors.left);
            diagnostics.right.extend(errors.right);
            return Err(of_one_side(diagnostics).into());
        }
    };
    let unredacted = left.unredacted.zip(right.unredacted).map(|(left, right)| Pair { left, right });
    Ok(Sides { left: left.shown, right: right.shown, unredacted, diagnostics: of_one_side(diagnostics) })
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
