use std::collections::HashSet;

use rayon::prelude::*;

use crate::decide::condition::Truth;
use crate::fill::interpolate::hook::has_placeholder;
use crate::fill::palette::Primary;
use crate::fill::palette::capability::Reach;
use crate::lint::project::{FileKind, LintFile, Project};
use crate::read::item::{Directive, Hook};
use crate::read::protocol::ContextScope;
use crate::read::store::ItemKind;

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
        let mut changed = vec![false; index.positions().len()];
        let own = self.ids.iter().filter(|(kind, _)| *kind == ItemKind::Directive).map(|(_, id)| *id);
        let naming = self.ids.iter().flat_map(|(kind, id)| self.project.naming(*kind, id));
        let all = self.project.files.iter().filter_map(|file| Some((file, file.directive()?)));
        let granting = all.filter(|_| !self.tools.is_empty());
        let naming = naming.chain(granting).filter(|(_, directive)| self.is_named_by_directive(directive));
        for at in own.chain(naming.map(|(file, _)| file.id.as_str())).filter_map(|id| index.find(id)) {
            changed[at] = true;
        }
        let reached = match self.project.protocol.context {
            ContextScope::None => changed,
            _ => index.have_in_chain(|at| changed[at]),
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
