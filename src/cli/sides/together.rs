//! Both sides as one: what may be absent, and what is to be said, each of it once.

use std::collections::HashSet;

use super::Sides;
use super::outcome::SideOutcome;
use crate::diagnostic::{Diagnostic, Location, Problem, Severity};
use crate::diff::Pair;

/// Both sides, of which one may be absent where both are the same directive or folder.
pub(super) fn together(left: SideOutcome, right: SideOutcome) -> Result<Sides, Vec<Diagnostic>> {
    let are_one =
        left.identity.as_ref().zip(right.identity.as_ref()).is_some_and(|(left, right)| left.is_that_of(right));
    let absent = Pair { left: left.absent(), right: right.absent() };
    let mut diagnostics = Pair { left: left.diagnostics, right: right.diagnostics };
    let (left, right) = match (left.side, right.side) {
        (Ok(left), Ok(right)) => (left, right),
        (Ok(side), Err(_)) if right.is_absent && are_one => (side, absent.right),
        (Err(_), Ok(side)) if left.is_absent && are_one => (absent.left, side),
        (left, right) => {
            let mut errors = Pair { left: left.err().unwrap_or_default(), right: right.err().unwrap_or_default() };
            merge(&mut errors);
            diagnostics.left.extend(errors.left);
            diagnostics.right.extend(errors.right);
            return Err(of_one_side(diagnostics));
        }
    };
    // Of a side that is not there, only that counts.
    let is_told = |diagnostic: &Diagnostic| diagnostic.severity() < Severity::Error;
    diagnostics.left.retain(is_told);
    diagnostics.right.retain(is_told);
    let revealed = left.revealed.zip(right.revealed).map(|(left, right)| Pair { left, right });
    Ok(Sides { left: left.shown, right: right.shown, revealed, diagnostics: of_one_side(diagnostics) })
}

/// A directive that is on neither side is one error, which names the tiers of both.
fn merge(errors: &mut Pair<Vec<Diagnostic>>) {
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

/// What is to be said, each of it once: errors, and the warnings that one side has and the other has not. What both are
/// warned of is no part of the difference.
pub(in crate::cli) fn of_one_side(diagnostics: Pair<Vec<Diagnostic>>) -> Vec<Diagnostic> {
    // The lines of a file may have moved.
    let keys = |side: &[Diagnostic]| side.iter().map(|it| key(it, false)).collect::<HashSet<_>>();
    let known = Pair { left: keys(&diagnostics.left), right: keys(&diagnostics.right) };
    let own = |side: Vec<Diagnostic>, other: HashSet<String>| {
        let is_own = move |it: &Diagnostic| it.severity() == Severity::Error || !other.contains(&key(it, false));
        side.into_iter().filter(is_own)
    };
    once(own(diagnostics.left, known.right).chain(own(diagnostics.right, known.left)))
}

/// Each of them once: what is wrong on both sides is the same sentence about the same place.
pub(in crate::cli) fn once(diagnostics: impl Iterator<Item = Diagnostic>) -> Vec<Diagnostic> {
    let mut known = HashSet::new();
    diagnostics.filter(|diagnostic| known.insert(key(diagnostic, true))).collect()
}

/// What tells a diagnostic from others: the sentence and the file that it is about, and the line in it, if that counts.
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
    fn what_both_sides_are_warned_of_is_no_part_of_the_difference() {
        let [both, one, error] = [
            Problem::EmptyPrompt,
            Problem::OutputsInMetadata,
            Problem::InvalidArgument { what: "no".to_string(), help: None },
        ]
        .map(Diagnostic::new);
        let left = vec![both.clone(), one.clone(), one.clone(), error.clone()];
        let told = of_one_side(Pair { left, right: vec![both, error.clone()] });
        assert_eq!(told, [one, error]);
    }
}
