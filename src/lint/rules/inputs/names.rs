//! The names that are certainly inputs, even if a directive declares none.

use std::collections::HashSet;

use crate::lint::placeholders::directive::DirectivePlaceholder;
use crate::lint::rules::{Directive, ItemKind, LintFile, Project, has_context};

use super::placeholders::{CodeRanges, PlaceholderKind, placeholders};

/// Chains may be long, and every directive walks its own.
const MOST_ANCESTORS: usize = 20;

/// The declared inputs. A directive that declares none accepts any, so the names in its
/// placeholders and the inputs of its ancestors are used.
pub(super) fn names<'p>(directive: &'p Directive, project: &'p Project<'_>) -> HashSet<&'p str> {
    let mut names: HashSet<&str> = declared(directive).collect();
    if names.is_empty() {
        names.extend(in_prose(directive).map(|it| it.name));
        names.extend(ancestors(directive, project).flat_map(|(_, ancestor)| declared(ancestor)));
    }
    names
}

fn declared(directive: &Directive) -> impl Iterator<Item = &str> {
    directive.inputs.iter().map(|input| input.name.as_str())
}

pub(super) fn in_prose(directive: &Directive) -> impl Iterator<Item = DirectivePlaceholder<'_>> {
    let code = CodeRanges::of(directive.body.text());
    placeholders(directive.body.text())
        .filter(move |it| it.kind != PlaceholderKind::Environment && !code.has(it.range.start))
}

/// Nearest first.
pub(super) fn ancestors<'p>(
    directive: &'p Directive,
    project: &'p Project<'_>,
) -> impl Iterator<Item = (&'p LintFile, &'p Directive)> {
    let parent = move |child: &'p Directive| {
        let file = project.find(ItemKind::Directive, child.extends.as_ref()?.as_str())?;
        Some((file, file.directive()?))
    };
    let first = if !has_context(project) { None } else { parent(directive) };
    std::iter::successors(first, move |(_, child)| parent(child)).take(MOST_ANCESTORS)
}
