//! Counts the checked files and hooks.

use std::collections::HashSet;

use super::folders::AgentFile;
use super::project::{FileKind, Project};
use super::view::CheckedCounts;
use crate::read::store::ItemKind;
use crate::text::Span;

pub fn counts(project: &Project<'_>) -> CheckedCounts {
    let of_kind = |kind| project.linted().filter(|file| file.kind == kind).count();
    let of_agents = project.linted().filter(|file| matches!(file.kind, FileKind::Agents(_))).count();
    let skills = of_kind(FileKind::Agents(AgentFile::Skill));
    CheckedCounts {
        directives: of_kind(FileKind::Item(ItemKind::Directive)),
        knowledge: of_kind(FileKind::Item(ItemKind::Knowledge)),
        tools: of_kind(FileKind::Item(ItemKind::Tool)),
        hooks: linted_hooks(project),
        instructions: of_agents - skills,
        skills,
    }
}

/// The number of configured hooks in checked files; bundles are not checked.
fn linted_hooks(project: &Project<'_>) -> usize {
    let linted: HashSet<&str> = project.linted().map(|file| file.path.as_str()).collect();
    let places = project.configured_hooks().filter_map(|hook| hook.span.as_ref()).map(Span::source);
    places.filter(|source| source.tier() == "project" && linted.contains(source.path())).count()
}
