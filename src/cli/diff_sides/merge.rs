//! Both sides together: which may be absent, and which diagnostics to report.

use std::collections::HashSet;

use super::Sides;
use super::rendered::SideOutcome;
use crate::answer::diff::Pair;
use crate::cli::report::Failure;
use crate::diagnostic::{Diagnostic, Location, Problem, Severity};

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

/// Errors, and the warnings of one side only: a warning about both sides is not part of the difference.
pub(in crate::cli) fn of_one_side(diagnostics: Pair<Vec<Diagnostic>>) -> Vec<Diagnostic> {
    // Without lines, which may differ between the sides.
    let keys = |side: &[Diagnostic]| side.iter().map(|it| key(it, false)).collect::<HashSet<_>>();
    let known = Pair { left: keys(&diagnostics.left), right: keys(&diagnostics.right) };
    let own = |side: Vec<Diagnostic>, other: HashSet<String>| {
        let is_own = move |it: &Diagnostic| it.severity() == Severity::Error || !other.contains(&key(it, false));
        side.into_iter().filter(is_own)
    };
    deduplicated(own(diagnostics.left, known.right).chain(own(diagnostics.right, known.left)))
}

/// Drops repeated messages about the same place.
pub(in crate::cli) fn deduplicated(diagnostics: impl IntoIterator<Item = Diagnostic>) -> Vec<Diagnostic> {
    let mut known = HashSet::new();
    diagnostics.into_iter().filter(|diagnostic| known.insert(key(diagnostic, true))).collect()
}

fn key(diagnostic: &Diagnostic, with_line: bool) -> String {
    let place = match &diagnostic.at {
        Some(Location::Span(span)) => {
            let line = if with_line { span.line() } else { 0 };
            format!("{}\0{}\0{line}", span.source().tier(), span.source().path())
        }
        Some(Location::File { tier, path, .. }) => format!("{tier}\0{path}"),
        None => String::new(),
    };
    format!("{}\0{}\0{place}", diagnostic.code(), diagnostic.message())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_about_both_sides_are_dropped() {
        let [both, one, error] = [
            Problem::EmptyPrompt,
            Problem::OutputsInMetadata { registers: false },
            Problem::InvalidArgument { what: "no".to_string(), help: None },
        ]
        .map(Diagnostic::new);
        let left = vec![both.clone(), one.clone(), one.clone(), error.clone()];
        let reported = of_one_side(Pair { left, right: vec![both, error.clone()] });
        assert_eq!(reported, [one, error]);
    }
}
