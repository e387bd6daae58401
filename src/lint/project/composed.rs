use std::collections::{HashMap, HashSet};

use crate::assemble;
use crate::condition::Truth;
use crate::item::{Directive, Field, Hook, HookOrigin, Permission};
use crate::protocol::Scope;
use crate::request::Position;
use crate::store::ItemKind;

use super::{File, Known, Project};

/// What the prompt of a directive is made of, told from what the files say. No text is put together for it, so that it
/// costs next to nothing; a test holds it against the plan of real prompts.
#[derive(Debug)]
pub struct Composed<'p> {
    /// The file of the directive.
    pub leaf: &'p File,
    /// The directive.
    pub directive: &'p Directive,
    /// The extends chain, root first, the directive itself last.
    pub chain: Vec<Member<'p>>,
    /// How the chain ends at its root.
    pub end: End<'p>,
    /// The hook that surely sets the parent, if one does.
    pub routed_by: Option<&'p Hook>,
    /// The knowledge items that the chain places, by position and in order.
    pub context: Vec<ContextItem<'p>>,
    /// Every `<suppress>` of the chain, root first.
    pub suppressions: Vec<Suppression<'p>>,
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
    /// The ancestor whose permissions count, the directive itself if it declares any (Directives, "Chain").
    pub fn granting(&self) -> Option<(&'p File, &'p [Permission])> {
        let declared = |member: &Member<'p>| {
            let permissions = member.directive?.permissions.as_slice();
            (!permissions.is_empty()).then_some((member.file, permissions))
        };
        self.chain.last().and_then(declared).or_else(|| self.chain.iter().find_map(declared))
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

/// What the prompt of a directive is made of.
pub(super) fn compose<'p>(project: &'p Project<'_>, leaf: &'p File, directive: &'p Directive) -> Composed<'p> {
    let (chain, end, routed_by) = chain(project, leaf, directive);
    let suppressions: Vec<Suppression<'p>> = match project.protocol.suppress {
        Scope::None => Vec::new(),
        Scope::Hooks | Scope::HooksAndChain => {
            let of = |member: &Member<'p>| {
                let names = member.directive.map_or(&[][..], |directive| directive.context.suppress.as_slice());
                let by = member.file;
                names.iter().map(move |name| Suppression { name, by })
            };
            chain.iter().flat_map(of).collect()
        }
    };
    let context = match project.protocol.context {
        Scope::HooksAndChain | Scope::Hooks => context(project, &chain, &suppressions),
        Scope::None => Vec::new(),
    };
    Composed { leaf, directive, chain, end, routed_by, context, suppressions }
}

type Chain<'p> = (Vec<Member<'p>>, End<'p>, Option<&'p Hook>);

fn chain<'p>(project: &'p Project<'_>, leaf: &'p File, directive: &'p Directive) -> Chain<'p> {
    let mut members = vec![Member { file: leaf, directive: Some(directive) }];
    if project.protocol.context == Scope::None {
        return (members, End::Root, None);
    }
    let route = route(project, leaf, directive);
    let first = route.map(|(_, target)| target).or_else(|| directive.parent());
    let mut seen = Seen::default();
    seen.insert(project.ids.find(ItemKind::Directive, &leaf.id));
    // Only the first step is looked up: of all others it is known where they lead.
    let mut next = first.map(|field| (field.as_str(), project.parent_of(field)));
    let mut end = End::Root;
    while let Some((id, found)) = next.take() {
        let by = members[members.len() - 1].file;
        let Some(index) = found else {
            end = End::Missing(id, by);
            break;
        };
        if !seen.insert(Some(index)) {
            end = End::Circle(id, by);
            break;
        }
        let file = &project.files[index];
        members.push(Member { file, directive: file.directive() });
        match file.directive() {
            Some(directive) => next = directive.parent().map(|field| (field.as_str(), project.parents()[index])),
            None => end = End::Unusable(file),
        }
    }
    members.reverse();
    (members, end, route.map(|(hook, _)| hook))
}

/// The files that were met. Most chains are short; what is long is looked up.
#[derive(Default)]
struct Seen {
    list: Vec<usize>,
    set: HashSet<usize>,
}

impl Seen {
    /// How many are looked through one by one.
    const FEW: usize = 32;

    /// Whether it is met for the first time.
    fn insert(&mut self, index: Option<usize>) -> bool {
        let Some(index) = index else { return true };
        if self.list.contains(&index) {
            return false;
        }
        if self.list.len() < Self::FEW {
            self.list.push(index);
            return true;
        }
        self.set.insert(index)
    }
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
    chain: &[Member<'p>],
    suppressions: &[Suppression<'p>],
) -> Vec<ContextItem<'p>> {
    let acting = suppressions.iter().filter(|_| project.protocol.suppress == Scope::HooksAndChain).rev();
    // The first that names an item counts.
    let suppressed: HashMap<&str, &Field> = acting.map(|it| (it.name.as_str(), it.name)).collect();
    let mut all = Vec::new();
    for position in Position::ALL {
        let mut first: HashMap<&str, &Field> = HashMap::new();
        for member in chain {
            let Some(directive) = member.directive else { continue };
            for id in position.of(&directive.context) {
                let file = project.find(ItemKind::Knowledge, id.as_str());
                let becomes = match (first.get(id.as_str()), suppressed.get(id.as_str()), file) {
                    (Some(earlier), ..) => Becomes::Duplicate(earlier),
                    (None, Some(name), _) => Becomes::Suppressed(name),
                    (None, None, Some(_)) => Becomes::Placed,
                    (None, None, None) => Becomes::Missing,
                };
                first.entry(id.as_str()).or_insert(id);
                all.push(ContextItem { position, id, by: member.file, file, becomes });
            }
        }
    }
    all
}
