use std::collections::HashSet;
use std::iter;

use strum::VariantArray;

use crate::decide::condition::Truth;
use crate::decide::request::Position;
use crate::decide::{self, Chain, ChainEnd, KnownContext, Placement, granting, placements};
use crate::read::item::{ContextDeclaration, Directive, Hook, ItemField, Permission};
use crate::read::protocol::ContextScope;
use crate::read::store::ItemKind;

use super::{LintFile, Project};

/// The parts of a directive's prompt, derived from the files without rendering: cheap enough for
/// every directive. A test compares it with rendered prompts.
pub struct Composed<'p> {
    pub leaf: &'p LintFile,
    pub directive: &'p Directive,
    pub routed_by: Option<&'p Hook>,
    /// The knowledge items that the chain places, ordered by position.
    pub context: Vec<ContextItem<'p>>,
    /// The names in every `<suppress>` of the chain, root first.
    pub suppressions: Vec<&'p ItemField>,
    project: &'p Project<'p>,
    chain: Chain<'p, usize>,
}

#[derive(Debug, Clone, Copy)]
pub struct ContextItem<'p> {
    pub position: Position,
    /// As written.
    pub id: &'p ItemField,
    pub by: &'p LintFile,
    /// The copy that is used, if any tier has one.
    pub file: Option<&'p LintFile>,
    pub becomes: PlacementOutcome<'p>,
}

#[derive(Debug, Clone, Copy)]
pub enum PlacementOutcome<'p> {
    /// Included, if it has text.
    Placed,
    Duplicate(&'p ItemField),
    Suppressed,
    Missing,
}

impl Project<'_> {
    pub fn composed<'p>(&'p self, leaf: &'p LintFile, directive: &'p Directive) -> Composed<'p> {
        let routed_by = route(self, leaf, directive);
        let parent = routed_by.map_or_else(|| directive.parent(), Hook::parent);
        let parent = parent.filter(|_| self.protocol.context != ContextScope::None);
        let chain = self.index.chain(self.index.find(&leaf.id), parent);
        let mut composed = Composed {
            leaf,
            directive,
            routed_by,
            context: Vec::new(),
            suppressions: Vec::new(),
            project: self,
            chain,
        };
        let contexts = composed.contexts();
        let places_item = || contexts.iter().any(|(_, it)| it.items().next().is_some());
        if self.protocol.suppresses_hooks() && (self.protocol.suppress_alone || places_item()) {
            composed.suppressions = contexts.iter().flat_map(|(_, it)| &it.suppress).collect();
        }
        if self.protocol.context != ContextScope::None {
            composed.context = context(self, &contexts, &composed.suppressions);
        }
        composed
    }
}

impl<'p> Composed<'p> {
    pub fn length(&self) -> usize {
        1 + self.chain.inherited.length
    }

    pub fn end(&self) -> ChainEnd<'p> {
        self.chain.end()
    }

    /// The members of the chain, root first.
    pub fn chain(&self) -> Vec<&'p LintFile> {
        let project = self.project;
        let ancestors = self.chain.ancestors().map(|at| project.indexed_file(at));
        let mut chain: Vec<_> = iter::once(self.leaf).chain(ancestors).collect();
        chain.reverse();
        chain
    }

    /// The `<context>` of each member, root first.
    fn contexts(&self) -> Vec<(&'p LintFile, &'p ContextDeclaration)> {
        let project = self.project;
        if project.is_chained_too_long() {
            return Vec::new();
        }
        let ancestors = self.chain.ancestors().map(|at| project.indexed_file(at));
        let ancestors = ancestors.filter_map(|file| Some((file, file.directive()?)));
        let members = iter::once((self.leaf, self.directive)).chain(ancestors);
        let mut contexts: Vec<_> = members.map(|(file, directive)| (file, &directive.context)).collect();
        contexts.retain(|(_, context)| !context.is_empty());
        contexts.reverse();
        contexts
    }

    pub fn declaring_ancestors(&self) -> usize {
        self.chain.inherited.declaring
    }

    /// The permissions of the ancestor nearest the root that declares any.
    pub fn inherited_permissions(&self) -> Option<(&'p LintFile, &'p [Permission])> {
        let file = self.project.indexed_file(self.chain.inherited.granting?);
        Some((file, &file.directive()?.permissions))
    }

    /// The permissions that apply, and the directive that declares them.
    pub fn granting(&self) -> Option<(&'p LintFile, &'p [Permission])> {
        let own = (self.leaf, self.directive.permissions.as_slice());
        granting(iter::once(own).chain(self.inherited_permissions()), |(_, permissions)| !permissions.is_empty())
    }

    /// The result of a hook's condition in the prompts of this directive; unknown if it depends on values that only a
    /// thread has, such as inputs, limits and the model.
    pub fn truth(&self, hook: &Hook) -> Truth {
        KnownContext::of(&self.leaf.id, self.directive).truth(hook)
    }
}

fn route<'p>(project: &'p Project<'_>, leaf: &LintFile, directive: &Directive) -> Option<&'p Hook> {
    let (rules, hooks) = (project.protocol.routing?, project.routing_hooks());
    if hooks.is_empty() {
        return None;
    }
    decide::routes(hooks, rules, &KnownContext::of(&leaf.id, directive)).certain()
}

fn context<'p>(
    project: &'p Project<'_>,
    contexts: &[(&'p LintFile, &'p ContextDeclaration)],
    suppressions: &[&'p ItemField],
) -> Vec<ContextItem<'p>> {
    let suppressed: HashSet<&str> =
        suppressions.iter().filter(|_| project.protocol.suppresses_items()).map(|name| name.as_str()).collect();
    let mut all = Vec::new();
    for &position in Position::VARIANTS {
        let items: Vec<_> =
            contexts.iter().flat_map(|&(by, context)| position.items(context).iter().map(move |id| (by, id))).collect();
        let placements = placements(items.iter().map(|(_, id)| id.as_str()), |id| suppressed.contains(id));
        all.extend(items.iter().zip(placements).map(|(&(by, id), placement)| {
            let file = project.find(ItemKind::Knowledge, id.as_str());
            let becomes = match placement {
                Placement::Duplicate(earlier) => PlacementOutcome::Duplicate(items[earlier].1),
                Placement::Suppressed => PlacementOutcome::Suppressed,
                Placement::Placed if file.is_some() => PlacementOutcome::Placed,
                Placement::Placed => PlacementOutcome::Missing,
            };
            ContextItem { position, id, by, file, becomes }
        }));
    }
    all
}
