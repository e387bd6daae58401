//! Diagnostics that several prompts have in common.

use std::collections::HashSet;

use crate::answer::diff::Pair;
use crate::diagnostic::{Diagnostic, Location, Severity};

/// Errors, and the warnings of one side only: a warning about both sides is not part of the difference.
pub(super) fn of_one_side(diagnostics: Pair<Vec<Diagnostic>>) -> Vec<Diagnostic> {
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
pub(super) fn deduplicated(diagnostics: impl IntoIterator<Item = Diagnostic>) -> Vec<Diagnostic> {
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
    use crate::diagnostic::Problem;

    #[test]
    fn warnings_about_both_sides_are_dropped() {
        let [both, one, error] =
            [Problem::EmptyPrompt, Problem::OutputsInMetadata { registers: false }, Problem::invalid("no", "")]
                .map(Diagnostic::new);
        let left = vec![both.clone(), one.clone(), one.clone(), error.clone()];
        let reported = of_one_side(Pair { left, right: vec![both, error.clone()] });
        assert_eq!(reported, [one, error]);
    }
}
