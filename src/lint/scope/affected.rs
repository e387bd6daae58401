use std::collections::HashSet;

use rayon::prelude::*;

use crate::decide::condition::Truth;
use crate::fill::interpolate::hook::has_placeholder;
use crate::fill::palette::Primary;
use crate::fill::palette::capability::Reach;
use crate::lint::project::{FileKind, LintFile, Project};
use crate::read::item::{Directive, Hook, ItemField};
use crate::read::protocol::ContextScope;
use crate::read::store::{self, ItemKind};

/// The directives whose prompts the changed files can affect through chains, context, hooks and tools; the prompts of
/// all others stay the same. `removed` are items that were deleted. A changed configuration affects every file.
pub(super) fn affected<'p>(
    project: &'p Project<'_>,
    is_changed: &[bool],
    removed: &'p [(ItemKind, String)],
) -> Vec<bool> {
    let all = || project.files.iter();
    let mut changed = ChangedItems::new(project, all().zip(is_changed).filter(|(_, is)| **is).map(|(file, _)| file));
    changed.ids.extend(removed.iter().map(|(kind, id)| (*kind, id.as_str())));
    if all().zip(is_changed).any(|(file, is)| *is && file.kind == FileKind::Configuration) {
        return vec![true; project.files.len()];
    }
    if changed.is_of_all {
        return all().map(|file| file.directive().is_some()).collect();
    }
    if changed.ids.is_empty() {
        return vec![false; project.files.len()];
    }
    let reached = changed.chains();
    let hooks: Vec<&Hook> = project.configured_hooks().filter(|hook| changed.is_named_by(hook, &reached)).collect();
    let is_affected = |file: &LintFile| {
        let Some(directive) = file.directive() else { return false };
        reached.contains(file.id.as_str())
            || directive.hooks.iter().any(|hook| changed.is_named_by(hook, &reached))
            || !hooks.is_empty() && {
                let composed = project.composed(file, directive);
                hooks.iter().any(|hook| composed.truth(hook) != Truth::False)
            }
    };
    project.files.par_iter().map(is_affected).collect()
}

/// Items of the last commit that no longer exist. Runs git only if a reference is broken.
pub(super) fn removed(project: &Project<'_>) -> Vec<(ItemKind, String)> {
    let directives = project.files.iter().filter_map(LintFile::directive).flat_map(Directive::references);
    let mut named = project.configured_hooks().flat_map(Hook::references).chain(directives);
    let dangles = |(kind, id): (ItemKind, &ItemField)| project.find(kind, id.as_str()).is_none();
    let Some(root) = project.tiers.project_root().filter(|_| named.any(dangles)) else { return Vec::new() };
    let item = |path: String| ItemKind::of_path(&path).map(|(kind, id)| (kind, id.to_string()));
    store::removed(root).into_iter().filter_map(item).collect()
}

struct ChangedItems<'p> {
    project: &'p Project<'p>,
    ids: HashSet<(ItemKind, &'p str)>,
    tools: Vec<&'p str>,
    /// Whether every prompt depends on one of them.
    is_of_all: bool,
}

impl<'p> ChangedItems<'p> {
    fn new(project: &'p Project<'_>, changed: impl Iterator<Item = &'p LintFile>) -> Self {
        let changed: Vec<&LintFile> = changed.collect();
        let files = || changed.iter().copied();
        let ids: HashSet<_> = files().filter_map(|file| Some((file.kind.item()?, file.id.as_str()))).collect();
        let tools = files().filter(|file| file.kind == FileKind::Item(ItemKind::Tool));
        let is_of_all = |file: &LintFile| match file.kind {
            FileKind::Configuration | FileKind::Agents(_) => false,
            FileKind::Item(ItemKind::Tool) => Primary::is_primary(&file.id),
            // Every prompt may begin with it.
            FileKind::Item(ItemKind::Knowledge) => file.id == crate::fill::assemble::INSTRUCTION_ITEM,
            FileKind::Item(ItemKind::Directive) => false,
        };
        Self { project, ids, tools: tools.map(|file| file.id.as_str()).collect(), is_of_all: files().any(is_of_all) }
    }

    /// The ids of directives that changed or name a changed item that descendants inherit, and of their descendants.
    fn chains(&self) -> HashSet<&'p str> {
        let index = &self.project.index;
        let is_changed = |at: usize| {
            self.ids.contains(&(ItemKind::Directive, index.id(at)))
                || index[at].directive.as_ref().is_some_and(|directive| self.is_named_by_directive(directive))
        };
        let reached: Vec<bool> = match self.project.protocol.context {
            ContextScope::None => index.positions().map(is_changed).collect(),
            _ => index.have_in_chain(is_changed),
        };
        index.positions().filter(|&at| reached[at]).map(|at| index.id(at)).collect()
    }

    fn is_named_by_directive(&self, directive: &Directive) -> bool {
        let counts = |kind| kind != ItemKind::Directive || self.project.protocol.context != ContextScope::None;
        let items = directive.references_handed_on().map(|(kind, id)| (kind, id.as_str()));
        items.filter(|(kind, _)| counts(*kind)).any(|(kind, id)| self.ids.contains(&(kind, id)))
            || !self.tools.is_empty()
                && directive.permissions.iter().any(|permission| self.is_granted_by(&permission.capability))
    }

    fn is_named_by(&self, hook: &Hook, reached: &HashSet<&str>) -> bool {
        hook.references().map(|(kind, id)| (kind, id.as_str())).any(|(kind, id)| {
            // A placeholder may stand for any item of its kind.
            let is_open = has_placeholder(id) && self.ids.iter().any(|(of, _)| *of == kind);
            is_open || self.ids.contains(&(kind, id)) || kind == ItemKind::Directive && reached.contains(id)
        })
    }

    fn is_granted_by(&self, capability: &str) -> bool {
        let Some(reach) = Reach::of(capability, true) else { return false };
        self.tools.iter().any(|tool| reach.pattern.covers(tool))
    }
}
