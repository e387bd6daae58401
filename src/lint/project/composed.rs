use std::borrow::Cow;
use std::collections::HashSet;

use strum::VariantArray;

use crate::decide::condition::Truth;
use crate::decide::request::Position;
use crate::decide::{self, KnownContext, Placement, placements, routing_hooks};
use crate::read::item::{ContextDeclaration, Directive, Hook, ItemField, Permission};
use crate::read::protocol::ContextScope;
use crate::read::store::ItemKind;

use super::{LintFile, Project};

/// The parts of a directive's prompt, derived from the files without rendering: cheap enough for
/// every directive. A test compares it with rendered prompts.
pub struct Composed<'p> {
    pub leaf: &'p LintFile,
    pub directive: &'p Directive,
    /// The length of the extends chain, including the directive.
    pub length: usize,
    /// Where the chain of parents ends.
    pub end: ChainEnd<'p>,
    /// The hook that sets the parent in every prompt.
    pub routed_by: Option<&'p Hook>,
    /// The knowledge items that the chain places, ordered by position.
    pub context: Vec<ContextItem<'p>>,
    /// The names in every `<suppress>` of the chain, root first.
    pub suppressions: Vec<&'p ItemField>,
    pub inherited: Inherited<'p>,
    project: &'p Project<'p>,
    /// Set only if the chain had to be walked: few rules need it, and chains may be long.
    chain: Option<Vec<ComposedMember<'p>>>,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct Inherited<'p> {
    /// The permissions declared nearest the root.
    pub first: Option<(&'p LintFile, &'p [Permission])>,
    pub declaring: usize,
}

#[derive(Debug, Clone, Copy)]
pub struct ComposedMember<'p> {
    pub file: &'p LintFile,
    /// None for a parent that cannot be used.
    pub directive: Option<&'p Directive>,
}

#[derive(Debug, Clone, Copy)]
pub enum ChainEnd<'p> {
    Root,
    /// A parent that is in no tier, or whose id is invalid.
    Missing(&'p str),
    /// A directive that the chain already contains.
    Cycle(&'p str),
    Unusable(&'p LintFile),
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
        let project = self;
        let Ancestry { length, end, routed_by, contexts, inherited, chain } = Ancestry::of(project, leaf, directive);
        let places_item = || contexts.iter().any(|(_, it)| it.items().next().is_some());
        let acts = project.protocol.suppresses_hooks() && (project.protocol.suppress_alone || places_item());
        let suppressions: Vec<_> = contexts.iter().filter(|_| acts).flat_map(|(_, it)| &it.suppress).collect();
        let context = match project.protocol.context {
            ContextScope::HooksAndChain | ContextScope::Hooks => context(project, &contexts, &suppressions),
            ContextScope::None => Vec::new(),
        };
        Composed { leaf, directive, length, end, routed_by, context, suppressions, inherited, project, chain }
    }
}

impl<'p> Composed<'p> {
    pub fn chain(&self) -> Cow<'_, [ComposedMember<'p>]> {
        match &self.chain {
            Some(chain) => Cow::Borrowed(chain),
            None => Cow::Owned(walk(self.project, self.leaf, self.directive, None).0),
        }
    }

    /// The permissions that apply and the directive that declares them: its own, or else those nearest the root
    /// (Directives, "Chain").
    pub fn granting(&self) -> Option<(&'p LintFile, &'p [Permission])> {
        permissions(self.leaf, self.directive).or(self.inherited.first)
    }

    /// The result of a hook's condition in the prompts of this directive; unknown if it depends on values that only a
    /// thread has, such as inputs, limits and the model.
    pub fn truth(&self, hook: &Hook) -> Truth {
        KnownContext::of(&self.leaf.id, self.directive).truth(hook)
    }
}

fn permissions<'p>(file: &'p LintFile, directive: &'p Directive) -> Option<(&'p LintFile, &'p [Permission])> {
    let permissions = directive.permissions.as_slice();
    (!permissions.is_empty()).then_some((file, permissions))
}

struct Ancestry<'p> {
    length: usize,
    end: ChainEnd<'p>,
    routed_by: Option<&'p Hook>,
    /// The members with a `<context>`, root first.
    contexts: Vec<(&'p LintFile, &'p ContextDeclaration)>,
    inherited: Inherited<'p>,
    chain: Option<Vec<ComposedMember<'p>>>,
}

impl<'p> Ancestry<'p> {
    fn of(project: &'p Project<'_>, leaf: &'p LintFile, directive: &'p Directive) -> Self {
        let route = route(project, leaf, directive);
        if project.protocol.context != ContextScope::None
            && route.is_none()
            && let Some(index) = project.ids.find(ItemKind::Directive, &leaf.id)
            && leaf.directive().is_some_and(|own| std::ptr::eq(own, directive))
            && std::ptr::eq(&project.files[index], leaf)
            && !project.parents().up(index).is_circular
        {
            return Self::indexed(project, index);
        }
        Self::walked(project, leaf, directive, route)
    }

    /// The chain, looked up in the index of parents; only for a chain that is not circular and has
    /// no parent set by a hook.
    fn indexed(project: &'p Project<'_>, leaf: usize) -> Self {
        let (parents, files) = (project.parents(), &project.files);
        let up = parents.up(leaf);
        let above = parents.of(leaf).map(|parent| parents.up(parent)).unwrap_or_default();
        let next = |index: &usize| parents.up(parents.of(*index)?).context;
        let nearest = up.context.filter(|_| !project.is_chained_too_long());
        let contexts = std::iter::successors(nearest, next)
            .filter_map(|index| context_of(&files[index], files[index].directive()?));
        let mut contexts: Vec<_> = contexts.collect();
        contexts.reverse();
        let first = above.permissions.map(|index| &files[index]);
        Self {
            length: up.files,
            end: ChainEnd::at(&files[up.top]),
            routed_by: None,
            contexts,
            inherited: Inherited {
                first: first.and_then(|file| permissions(file, file.directive()?)),
                declaring: above.declaring,
            },
            chain: None,
        }
    }

    fn walked(project: &'p Project<'_>, leaf: &'p LintFile, directive: &'p Directive, route: Option<&'p Hook>) -> Self {
        let target = route.and_then(Hook::parent);
        let (chain, end) = match project.protocol.context {
            ContextScope::None => (vec![ComposedMember { file: leaf, directive: Some(directive) }], ChainEnd::Root),
            _ => walk(project, leaf, directive, target),
        };
        let ancestors = chain[..chain.len() - 1].iter();
        let mut declaring = ancestors.filter_map(|member| permissions(member.file, member.directive?));
        let first = declaring.next();
        Self {
            length: chain.len(),
            end,
            routed_by: route,
            contexts: chain.iter().filter_map(|member| context_of(member.file, member.directive?)).collect(),
            inherited: Inherited { first, declaring: usize::from(first.is_some()) + declaring.count() },
            chain: Some(chain),
        }
    }
}

fn context_of<'p>(file: &'p LintFile, directive: &'p Directive) -> Option<(&'p LintFile, &'p ContextDeclaration)> {
    (!directive.context.is_empty()).then_some((file, &directive.context))
}

impl<'p> ChainEnd<'p> {
    fn at(file: &'p LintFile) -> Self {
        match file.directive() {
            None => Self::Unusable(file),
            Some(directive) => directive.parent().map_or(Self::Root, |field| Self::Missing(field.as_str())),
        }
    }
}

/// The members of a chain, root first, and its end; `target` is the parent that a hook sets.
fn walk<'p>(
    project: &'p Project<'_>,
    leaf: &'p LintFile,
    directive: &'p Directive,
    target: Option<&'p ItemField>,
) -> (Vec<ComposedMember<'p>>, ChainEnd<'p>) {
    let (own, parents) = (project.ids.find(ItemKind::Directive, &leaf.id), project.parents());
    // Only the first step needs a lookup; the index of parents has the rest.
    let first = target.or_else(|| directive.parent());
    let mut next = first.map(|field| (field.as_str(), project.parent_of(field)));
    let mut new = next.and_then(|(_, found)| found).map_or(0, |index| parents.up(index).files);
    let mut members = Vec::with_capacity(1 + new);
    members.push(ComposedMember { file: leaf, directive: Some(directive) });
    let mut end = ChainEnd::Root;
    while let Some((id, found)) = next.take() {
        let Some(index) = found else {
            end = ChainEnd::Missing(id);
            break;
        };
        if new == 0 || found == own {
            end = ChainEnd::Cycle(id);
            break;
        }
        new -= 1;
        let file = &project.files[index];
        members.push(ComposedMember { file, directive: file.directive() });
        match file.directive() {
            Some(directive) => next = directive.parent().map(|field| (field.as_str(), parents.of(index))),
            None => end = ChainEnd::Unusable(file),
        }
    }
    members.reverse();
    (members, end)
}

/// The hook that sets the parent in every prompt of a directive.
fn route<'p>(project: &'p Project<'_>, leaf: &LintFile, directive: &Directive) -> Option<&'p Hook> {
    let rules = project.protocol.routing.filter(|_| project.is_routed())?;
    let hooks = routing_hooks(project.configured_hooks(), rules.order);
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
