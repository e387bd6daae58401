use std::borrow::Cow;
use std::collections::HashMap;

use strum::VariantArray;

use crate::assemble;
use crate::condition::Truth;
use crate::item::{Context, Directive, Field, Hook, HookOrigin, Permission};
use crate::protocol::Scope;
use crate::request::Position;
use crate::store::ItemKind;

use super::{File, Known, Project};

/// What the prompt of a directive is made of, told from what the files say. No text is put together for it, so that it
/// costs next to nothing; a test holds it against the plan of real prompts.
pub struct Composed<'p> {
    /// The file of the directive.
    pub leaf: &'p File,
    /// The directive.
    pub directive: &'p Directive,
    /// How many directives the extends chain has, the directive itself included.
    pub length: usize,
    /// How the chain ends at its root.
    pub end: End<'p>,
    /// The hook that surely sets the parent, if one does.
    pub routed_by: Option<&'p Hook>,
    /// The knowledge items that the chain places, by position and in order.
    pub context: Vec<ContextItem<'p>>,
    /// Every `<suppress>` of the chain, root first.
    pub suppressions: Vec<Suppression<'p>>,
    /// What the ancestors grant.
    pub inherited: Inherited<'p>,
    project: &'p Project<'p>,
    /// What had to be walked; next to nobody asks for the rest, and chains may be long.
    chain: Option<Vec<Member<'p>>>,
}

/// What the ancestors of a directive grant.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inherited<'p> {
    /// The ancestor nearest the root that declares permissions, and these.
    pub first: Option<(&'p File, &'p [Permission])>,
    /// How many ancestors declare some.
    pub declaring: usize,
}

/// A directive of a chain.
#[derive(Debug, Clone, Copy)]
pub struct Member<'p> {
    /// Its file.
    pub file: &'p File,
    /// What it declares; none for a parent that has nothing to give.
    pub directive: Option<&'p Directive>,
}

/// How a chain ends.
#[derive(Debug, Clone, Copy)]
pub enum End<'p> {
    /// At a directive without a parent.
    Root,
    /// At a parent that no tier has, or whose id is none; the member that names it.
    Missing(&'p str, &'p File),
    /// At a directive that stands in it already; the member that names it again.
    Circle(&'p str, &'p File),
    /// At a parent that cannot be used.
    Unusable(&'p File),
}

/// A knowledge item that a directive of the chain places.
#[derive(Debug, Clone, Copy)]
pub struct ContextItem<'p> {
    /// Where it would stand.
    pub position: Position,
    /// The id, as written.
    pub id: &'p Field,
    /// The directive that asks for it.
    pub by: &'p File,
    /// The copy of the item that counts, if a tier has it.
    pub file: Option<&'p File>,
    /// What becomes of it.
    pub becomes: Becomes<'p>,
}

/// What becomes of an item that is asked for.
#[derive(Debug, Clone, Copy)]
pub enum Becomes<'p> {
    /// It stands in the prompt, if it has a text.
    Placed,
    /// It stands in that position already; where it was asked for first.
    Duplicate(&'p Field),
    /// Something suppresses it.
    Suppressed(&'p Field),
    /// No tier has it.
    Missing,
}

/// A `<suppress>` of the chain.
#[derive(Debug, Clone, Copy)]
pub struct Suppression<'p> {
    /// What it names, as written.
    pub name: &'p Field,
    /// The directive that says so.
    pub by: &'p File,
}

impl<'p> Composed<'p> {
    /// The extends chain, root first, the directive itself last.
    pub fn chain(&self) -> Cow<'_, [Member<'p>]> {
        match &self.chain {
            Some(chain) => Cow::Borrowed(chain),
            None => Cow::Owned(walk(self.project, self.leaf, self.directive, None).0),
        }
    }

    /// The ancestor whose permissions count, the directive itself if it declares any (Directives, "Chain").
    pub fn granting(&self) -> Option<(&'p File, &'p [Permission])> {
        permissions(self.leaf, self.directive).or(self.inherited.first)
    }

    /// The hooks that are asked for the prompt, in order: those of user, directive, built-in, context, project and
    /// infra, by layer.
    pub fn hooks(&self, project: &'p Project<'_>) -> Vec<&'p Hook> {
        let of = |origin| project.configured_hooks().filter(move |hook| hook.origin == origin);
        let mut hooks: Vec<&Hook> = of(HookOrigin::User).collect();
        hooks.extend(&self.directive.hooks);
        for origin in [HookOrigin::Builtin, HookOrigin::Context, HookOrigin::Project, HookOrigin::Infra] {
            hooks.extend(of(origin));
        }
        hooks.sort_by(|left, right| left.effective_layer().total_cmp(&right.effective_layer()));
        hooks
    }

    /// What a hook's condition comes to in the prompts of this directive: unknown where it depends on what only a thread
    /// knows, such as inputs, limits and the model.
    pub fn truth(&self, hook: &Hook) -> Truth {
        Known::of(&self.leaf.id, self.directive).truth(hook)
    }
}

/// What a directive declares itself.
fn permissions<'p>(file: &'p File, directive: &'p Directive) -> Option<(&'p File, &'p [Permission])> {
    let permissions = directive.permissions.as_slice();
    (!permissions.is_empty()).then_some((file, permissions))
}

/// What the prompt of a directive is made of.
pub(super) fn compose<'p>(project: &'p Project<'_>, leaf: &'p File, directive: &'p Directive) -> Composed<'p> {
    let Way { length, end, routed_by, speaking, inherited, chain } = Way::of(project, leaf, directive);
    let suppressions: Vec<Suppression<'p>> = match project.protocol.suppress {
        Scope::None => Vec::new(),
        Scope::Hooks | Scope::HooksAndChain => {
            let of = |&(by, context): &(&'p File, &'p Context)| {
                context.suppress.iter().map(move |name| Suppression { name, by })
            };
            speaking.iter().flat_map(of).collect()
        }
    };
    let context = match project.protocol.context {
        Scope::HooksAndChain | Scope::Hooks => context(project, &speaking, &suppressions),
        Scope::None => Vec::new(),
    };
    Composed { leaf, directive, length, end, routed_by, context, suppressions, inherited, project, chain }
}

/// The way from a directive to the root of its chain.
struct Way<'p> {
    length: usize,
    end: End<'p>,
    routed_by: Option<&'p Hook>,
    /// The members that say something about context, root first.
    speaking: Vec<(&'p File, &'p Context)>,
    inherited: Inherited<'p>,
    chain: Option<Vec<Member<'p>>>,
}

impl<'p> Way<'p> {
    fn of(project: &'p Project<'_>, leaf: &'p File, directive: &'p Directive) -> Self {
        let route = route(project, leaf, directive);
        if project.protocol.context != Scope::None
            && route.is_none()
            && let Some(index) = project.ids.find(ItemKind::Directive, &leaf.id)
            && leaf.directive().is_some_and(|own| std::ptr::eq(own, directive))
            && std::ptr::eq(&project.files[index], leaf)
            && !project.parents().up(index).is_circular
        {
            return Self::known(project, index);
        }
        Self::walked(project, leaf, directive, route)
    }

    /// What is known of a chain that no hook sets and that ends.
    fn known(project: &'p Project<'_>, leaf: usize) -> Self {
        let (parents, files) = (project.parents(), &project.files);
        let up = parents.up(leaf);
        let above = parents.of(leaf).map(|parent| parents.up(parent)).unwrap_or_default();
        let next = |index: &usize| parents.up(parents.of(*index)?).context;
        let nearest = up.context.filter(|_| !project.is_chained_too_long());
        let speaking = std::iter::successors(nearest, next)
            .filter_map(|index| context_of(&files[index], files[index].directive()?));
        let mut speaking: Vec<_> = speaking.collect();
        speaking.reverse();
        let first = above.permissions.map(|index| &files[index]);
        Self {
            length: up.files,
            end: End::at(&files[up.top]),
            routed_by: None,
            speaking,
            inherited: Inherited {
                first: first.and_then(|file| permissions(file, file.directive()?)),
                declaring: above.declaring,
            },
            chain: None,
        }
    }

    fn walked(
        project: &'p Project<'_>,
        leaf: &'p File,
        directive: &'p Directive,
        route: Option<(&'p Hook, &'p Field)>,
    ) -> Self {
        let target = route.map(|(_, target)| target);
        let (chain, end) = match project.protocol.context {
            Scope::None => (vec![Member { file: leaf, directive: Some(directive) }], End::Root),
            _ => walk(project, leaf, directive, target),
        };
        let ancestors = chain[..chain.len() - 1].iter();
        let mut declaring = ancestors.filter_map(|member| permissions(member.file, member.directive?));
        let first = declaring.next();
        Self {
            length: chain.len(),
            end,
            routed_by: route.map(|(hook, _)| hook),
            speaking: chain.iter().filter_map(|member| context_of(member.file, member.directive?)).collect(),
            inherited: Inherited { first, declaring: usize::from(first.is_some()) + declaring.count() },
            chain: Some(chain),
        }
    }
}

fn context_of<'p>(file: &'p File, directive: &'p Directive) -> Option<(&'p File, &'p Context)> {
    (!directive.context.is_empty()).then_some((file, &directive.context))
}

impl<'p> End<'p> {
    /// How a chain ends that leads no further than to this file.
    fn at(file: &'p File) -> Self {
        match file.directive() {
            None => Self::Unusable(file),
            Some(directive) => directive.parent().map_or(Self::Root, |field| Self::Missing(field.as_str(), file)),
        }
    }
}

/// Every member of a chain, root first, and how it ends; `target` is the parent that a hook sets.
fn walk<'p>(
    project: &'p Project<'_>,
    leaf: &'p File,
    directive: &'p Directive,
    target: Option<&'p Field>,
) -> (Vec<Member<'p>>, End<'p>) {
    let (own, parents) = (project.ids.find(ItemKind::Directive, &leaf.id), project.parents());
    // Only the first step is looked up: of all others it is known where they lead.
    let first = target.or_else(|| directive.parent());
    let mut next = first.map(|field| (field.as_str(), project.parent_of(field)));
    let mut new = next.and_then(|(_, found)| found).map_or(0, |index| parents.up(index).files);
    let mut members = Vec::with_capacity(1 + new);
    members.push(Member { file: leaf, directive: Some(directive) });
    let mut end = End::Root;
    while let Some((id, found)) = next.take() {
        let by = members[members.len() - 1].file;
        let Some(index) = found else {
            end = End::Missing(id, by);
            break;
        };
        if new == 0 || found == own {
            end = End::Circle(id, by);
            break;
        }
        new -= 1;
        let file = &project.files[index];
        members.push(Member { file, directive: file.directive() });
        match file.directive() {
            Some(directive) => next = directive.parent().map(|field| (field.as_str(), parents.of(index))),
            None => end = End::Unusable(file),
        }
    }
    members.reverse();
    (members, end)
}

/// The hook that sets the parent whatever the prompt, and the parent.
fn route<'p>(project: &'p Project<'_>, leaf: &File, directive: &Directive) -> Option<(&'p Hook, &'p Field)> {
    let rules = project.protocol.routing?;
    let configuration = project.configuration.as_ref()?;
    if !project.is_routed() {
        return None;
    }
    let asked = assemble::routing_hooks(|origin| configuration.hooks(origin), |hook| hook, rules.order);
    let known = Known::of(&leaf.id, directive);
    for hook in asked {
        match known.truth(hook) {
            Truth::True => {}
            Truth::Unknown => return None,
            Truth::False => continue,
        }
        match hook.parent() {
            Some(target) => return Some((hook, target)),
            None if rules.without_target_stops => return None,
            None => {}
        }
    }
    None
}

fn context<'p>(
    project: &'p Project<'_>,
    speaking: &[(&'p File, &'p Context)],
    suppressions: &[Suppression<'p>],
) -> Vec<ContextItem<'p>> {
    let acting = suppressions.iter().filter(|_| project.protocol.suppress == Scope::HooksAndChain).rev();
    // The first that names an item counts.
    let suppressed: HashMap<&str, &Field> = acting.map(|it| (it.name.as_str(), it.name)).collect();
    let mut all = Vec::new();
    for &position in Position::VARIANTS {
        let mut first: HashMap<&str, &Field> = HashMap::new();
        for &(by, context) in speaking {
            for id in position.items(context) {
                let file = project.find(ItemKind::Knowledge, id.as_str());
                let becomes = match (first.get(id.as_str()), suppressed.get(id.as_str()), file) {
                    (Some(earlier), ..) => Becomes::Duplicate(earlier),
                    (None, Some(name), _) => Becomes::Suppressed(name),
                    (None, None, Some(_)) => Becomes::Placed,
                    (None, None, None) => Becomes::Missing,
                };
                first.entry(id.as_str()).or_insert(id);
                all.push(ContextItem { position, id, by, file, becomes });
            }
        }
    }
    all
}
