//! What asks for knowledge items, and what is wrong with what it gets.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::item::{Hook, HookAction, ItemField, Knowledge};
use crate::lint::rules::{Findings, LintFile, Project};
use crate::protocol::{ChainText, ContextScope, KnowledgeText};
use crate::store::ItemKind;

/// Something asks for a knowledge item.
pub(super) struct ItemUse<'p> {
    /// The id, as written.
    pub id: &'p ItemField,
    /// What asks.
    pub by: ItemUser<'p>,
}

/// What asks for a knowledge item.
pub(super) enum ItemUser<'p> {
    /// The context of a directive.
    Chain,
    /// An action of a hook.
    Hook(&'p Hook, &'p HookAction),
}

impl ItemUse<'_> {
    /// Whether the text is chosen as for a hook: `content`, then the text, then the whole file.
    pub fn takes_hook_text(&self, project: &Project<'_>) -> bool {
        match self.by {
            ItemUser::Chain => project.protocol.chain_text == ChainText::AsHooks,
            ItemUser::Hook(_, action) => executes(action) || project.protocol.knowledge == KnowledgeText::Body,
        }
    }

    /// Whether the item is parsed for it, rather than taken as the file it is.
    pub fn parses(&self, project: &Project<'_>) -> bool {
        matches!(self.by, ItemUser::Chain) || self.takes_hook_text(project)
    }

    /// Whether the text stands in an element that is named after the item.
    pub fn takes_name(&self, project: &Project<'_>) -> bool {
        matches!(self.by, ItemUser::Hook(hook, _) if hook.wraps()) && self.takes_hook_text(project)
    }

    /// Whether the item is executed rather than fetched.
    pub fn executes(&self) -> bool {
        matches!(self.by, ItemUser::Hook(_, action) if executes(action))
    }
}

fn executes(action: &HookAction) -> bool {
    action.primary.as_deref() == Some("execute")
}

/// Everything that asks for a knowledge item: the hooks of the configuration, then the directives and their hooks.
pub(super) fn uses<'p>(project: &'p Project<'_>) -> impl Iterator<Item = ItemUse<'p>> {
    let directives = project.files.iter().filter_map(LintFile::directive);
    let of_chain = directives.flat_map(|directive| directive.context.items());
    let is_heard = project.protocol.context != ContextScope::None;
    let hooks = project.hooks().filter(|hook| hook.shapes_messages()).flat_map(of_hook);
    hooks.chain(of_chain.map(|id| ItemUse { id, by: ItemUser::Chain })).filter(move |_| is_heard)
}

fn of_hook(hook: &Hook) -> impl Iterator<Item = ItemUse<'_>> {
    let of_knowledge = hook.actions.iter().filter(|action| action.item_type.as_deref() == Some("knowledge"));
    let known = of_knowledge.filter(|action| matches!(action.primary.as_deref(), Some("execute" | "fetch" | "load")));
    known.filter_map(move |action| Some(ItemUse { id: action.item_id.as_ref()?, by: ItemUser::Hook(hook, action) }))
}

/// Whether this is the copy of an item that counts.
pub(super) fn counts(project: &Project<'_>, file: &LintFile) -> bool {
    project.find(ItemKind::Knowledge, &file.id).is_some_and(|counting| std::ptr::eq(counting, file))
}

/// Reports the items with a problem that something asks for in a way that matters: at the item if that is checked, else
/// where it is asked for.
pub(super) fn report(
    project: &Project<'_>,
    found: &mut Findings<'_>,
    problem: impl Fn(&str, &Knowledge) -> Option<Problem>,
    matters: impl Fn(&ItemUse<'_>) -> bool,
) {
    let with_problem = |file: &LintFile| problem(&file.id, file.knowledge()?).filter(|_| counts(project, file));
    let items: HashMap<&str, (&LintFile, Problem)> =
        project.files.iter().filter_map(|file| Some((file.id.as_str(), (file, with_problem(file)?)))).collect();
    if items.is_empty() {
        return;
    }
    let mut reported = HashSet::new();
    for asked in uses(project).filter(|asked| matters(asked)) {
        let Some((file, problem)) = items.get(asked.id.as_str()) else { continue };
        if !file.is_linted {
            found.diagnosed(&Diagnostic::at(problem.clone(), &asked.id.span), || Location::from(&asked.id.span));
        } else if reported.insert(&file.id) {
            let at = project.location(file);
            found.diagnosed(&Diagnostic::at(problem.clone(), at.clone()), || at).related(&asked.id.span, ASKED);
        }
    }
}

/// What stands at the place that asks for an item.
pub(super) const ASKED: &str = "it is asked for here";
