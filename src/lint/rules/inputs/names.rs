//! The names that are surely those of inputs, where a directive need not declare any.

use std::collections::HashSet;

use crate::item::Directive;
use crate::lint::placeholders::directive::DirectivePlaceholder;
use crate::lint::rules::{LintFile, Project};
use crate::protocol::ContextScope;
use crate::store::ItemKind;

use super::placeholders::{CodeRanges, PlaceholderKind, placeholders};

/// Further ancestors are not looked at: chains may be long, and every directive asks for its own.
const MOST_ANCESTORS: usize = 20;

/// The inputs of a directive: those that it declares. One that declares none takes any, so that those are meant that
/// its body has placeholders for, and those that an ancestor declares.
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

/// The placeholders for inputs in the body of a directive, outside code.
pub(super) fn in_prose(directive: &Directive) -> impl Iterator<Item = DirectivePlaceholder<'_>> {
    let code = CodeRanges::of(directive.body.text());
    placeholders(directive.body.text())
        .filter(move |it| it.kind != PlaceholderKind::Environment && !code.has(it.range.start))
}

/// The directives that one extends, the nearest first.
pub(super) fn ancestors<'p>(
    directive: &'p Directive,
    project: &'p Project<'_>,
) -> impl Iterator<Item = (&'p LintFile, &'p Directive)> {
    let parent = move |child: &'p Directive| {
        let file = project.find(ItemKind::Directive, child.extends.as_ref()?.as_str())?;
        Some((file, file.directive()?))
    };
    let first = if project.protocol.context == ContextScope::None { None } else { parent(directive) };
    std::iter::successors(first, move |(_, child)| parent(child)).take(MOST_ANCESTORS)
}
