use crate::lint::rules::{Composed, Findings, Problem, Project};

use super::ids::rewrite;
use super::suppression::unmatched;

pub fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    for unmatched in unmatched(composed, project) {
        let Some(id) = unmatched.by_last_segment.first() else { continue };
        let field = unmatched.field;
        let problem = Problem::SuppressBaseName { name: field.as_str().to_string(), id: id.to_string() };
        let finding = found.problem(problem, &field.span);
        // If several ids end like this, the intended one is unknown.
        let is_certain = unmatched.by_last_segment.len() == 1;
        finding.fix(format!("write `{id}`"), rewrite(field, id).filter(|_| is_certain));
    }
}
