//! What a `<suppress>` comes to in the prompts that it acts on.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::assemble::suppressible_names;
use crate::condition::Truth;
use crate::item::{Directive, Field, Hook};
use crate::lint::project::{Composed, File, Project};
use crate::protocol::Scope;
use crate::store::last_segment;

/// A suppression that matches nothing.
pub(super) struct Unmatched<'p> {
    /// What it names.
    pub field: &'p Field,
    /// The ids of which it is the last segment, in order.
    pub by_last_segment: Vec<&'p str>,
    /// The ids that it differs from in case alone.
    pub by_case: Vec<&'p str>,
    /// All ids that could be suppressed, in order.
    pub ids: Rc<[&'p str]>,
}

/// The suppressions of a directive that match nothing in any of its prompts: its own, and those of every directive that
/// inherits them.
pub(super) fn unmatched<'p>(composed: &Composed<'p>, project: &'p Project<'_>) -> Vec<Unmatched<'p>> {
    let own: &'p [Field] = &composed.directive.context.suppress;
    // Most directives suppress nothing, under some protocols nothing does, and most suppressions match at once.
    if own.is_empty() || composed.suppressions.is_empty() {
        return Vec::new();
    }
    let mut seen: HashSet<&str> = names(composed, project).collect();
    if own.iter().all(|field| seen.contains(field.as_str())) {
        return Vec::new();
    }
    seen.clear();
    let heirs = heirs(composed.leaf, project);
    let prompts: Vec<Composed<'p>> = heirs.iter().map(|(file, directive)| project.composed(file, directive)).collect();
    let all = || std::iter::once(composed).chain(&prompts);
    let mut ids: Vec<&str> = all().flat_map(|prompt| names(prompt, project)).filter(|id| seen.insert(*id)).collect();
    if all().any(|prompt| may_be_routed(prompt, project)) {
        // Nobody knows what stands above it then.
        let directives = project.files.iter().filter_map(File::directive);
        ids.extend(
            directives.flat_map(|directive| directive.context.items()).map(Field::as_str).filter(|id| seen.insert(*id)),
        );
    }
    let (mut by_last, mut by_case) = (HashMap::<&str, Vec<&str>>::new(), HashMap::<String, Vec<&str>>::new());
    for &id in &ids {
        by_last.entry(last_segment(id)).or_default().push(id);
        by_case.entry(id.to_lowercase()).or_default().push(id);
    }
    let ids: Rc<[&str]> = ids.into();
    let open = own.iter().filter(|field| !seen.contains(field.as_str()));
    let tell = |field: &'p Field| Unmatched {
        field,
        by_last_segment: by_last.get(field.as_str()).cloned().unwrap_or_default(),
        by_case: by_case.get(&field.as_str().to_lowercase()).cloned().unwrap_or_default(),
        ids: Rc::clone(&ids),
    };
    open.map(tell).collect()
}

/// Whether a hook sets, or may set, another parent for the prompts of a directive.
pub(super) fn may_be_routed(composed: &Composed<'_>, project: &Project<'_>) -> bool {
    let mut hooks = project.configured_hooks().filter(|hook| hook.routes());
    project.protocol.routing.is_some() && hooks.any(|hook| composed.truth(hook) != Truth::False)
}

/// The ids by which something of a prompt can be suppressed.
fn names<'c, 'p>(composed: &'c Composed<'p>, project: &'p Project<'_>) -> impl Iterator<Item = &'p str> + use<'c, 'p> {
    let hooks = project.configured_hooks().chain(&composed.directive.hooks);
    // A suppression acts on what shapes messages alone.
    let of_hooks = hooks.filter(|hook: &&'p Hook| hook.shapes_messages()).flat_map(suppressible_names);
    let acts = project.protocol.suppress == Scope::HooksAndChain;
    let of_chain = composed.context.iter().filter(move |_| acts).map(|asked| asked.id.as_str());
    of_chain.chain(of_hooks)
}

/// The directives below one in the chains of the project. What a hook may set as a parent may stand above any of them.
fn heirs<'p>(file: &'p File, project: &'p Project<'_>) -> Vec<(&'p File, &'p Directive)> {
    let mut seen = HashSet::from([file.id.as_str()]);
    let mut heirs = Vec::new();
    let mut open = vec![file.id.as_str()];
    let targets: HashSet<&str> = project
        .configured_hooks()
        .flat_map(|hook| &hook.actions)
        .filter_map(|action| action.set_extends.as_ref().map(Field::as_str))
        .collect();
    while let Some(id) = open.pop() {
        if targets.contains(id) {
            return project.directives().collect();
        }
        for (child, directive) in project.children(id) {
            if seen.insert(&child.id) {
                heirs.push((child, directive));
                open.push(&child.id);
            }
        }
    }
    heirs
}
