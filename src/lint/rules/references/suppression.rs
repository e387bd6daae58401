//! The effect of `<suppress>` on prompts.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::decide::KnownContext;
use crate::decide::condition::Truth;
use crate::lint::rule::{RR105 as SUPPRESS_BASE_NAME, RR109 as ID_CASE};
use crate::lint::rules::{Composed, Directive, Findings, Hook, ItemField, LintFile, Problem, Project};
use crate::read::store::last_segment;
use crate::text::nearest::nearest;

use super::ids::rewrite;

pub(super) struct Unmatched<'p> {
    pub field: &'p ItemField,
    /// The ids whose last segment is the name, sorted.
    pub by_last_segment: Vec<&'p str>,
    /// Ids that differ only in case.
    pub by_case: Vec<&'p str>,
    /// Everything that could be suppressed.
    pub ids: Rc<[&'p str]>,
}

/// The suppressions that match nothing, neither in the prompt of the directive nor in those of its descendants.
pub(super) fn unmatched<'p>(composed: &Composed<'p>, project: &'p Project<'_>) -> Vec<Unmatched<'p>> {
    let own: &'p [ItemField] = &composed.directive.context.suppress;
    // Usually there are none, the protocol supports none, or all match in the directive's own prompt.
    if own.is_empty() || composed.suppressions.is_empty() {
        return Vec::new();
    }
    let mut seen: HashSet<&str> = names(composed, project).collect();
    if own.iter().all(|field| seen.contains(field.as_str())) {
        return Vec::new();
    }
    seen.clear();
    let descendants = descendants(composed.leaf, project);
    let mut ids: Vec<&str> = names(composed, project).filter(|id| seen.insert(*id)).collect();
    // Directives between this one and a descendant are descendants too, so no chain has to be followed.
    let acts = project.protocol.suppresses_items();
    for (_, descendant) in &descendants {
        let of_chain = descendant.context.items().map(ItemField::as_str).filter(|_| acts);
        ids.extend(of_chain.chain(names_of_hooks(descendant.hooks.iter())).filter(|id| seen.insert(*id)));
    }
    let routing = project.routing_hooks();
    let is_routed = |file: &LintFile, directive: &Directive| {
        let known = KnownContext::of(&file.id, directive);
        routing.iter().any(|hook| known.truth(hook) != Truth::False)
    };
    if is_routed(composed.leaf, composed.directive)
        || descendants.iter().any(|(file, descendant)| is_routed(file, descendant))
    {
        // A hook may set any parent.
        let items = project.files.iter().filter_map(LintFile::directive).flat_map(|it| it.context.items());
        ids.extend(items.map(ItemField::as_str).filter(|id| seen.insert(*id)));
    }
    let (mut by_last, mut by_case) = (HashMap::<&str, Vec<&str>>::new(), HashMap::<String, Vec<&str>>::new());
    for &id in &ids {
        by_last.entry(last_segment(id)).or_default().push(id);
        by_case.entry(id.to_lowercase()).or_default().push(id);
    }
    let ids: Rc<[&str]> = ids.into();
    let open = own.iter().filter(|field| !seen.contains(field.as_str()));
    let unmatched = |field: &'p ItemField| Unmatched {
        field,
        by_last_segment: by_last.get(field.as_str()).cloned().unwrap_or_default(),
        by_case: by_case.get(&field.as_str().to_lowercase()).cloned().unwrap_or_default(),
        ids: Rc::clone(&ids),
    };
    open.map(unmatched).collect()
}

/// Whether suppressions need an item that neither the chain of the directive nor that of a descendant places.
fn cannot_act(composed: &Composed<'_>, project: &Project<'_>) -> bool {
    let is_asked = !project.protocol.suppress_alone && !composed.directive.context.suppress.is_empty();
    is_asked
        && composed.context.is_empty()
        && !may_be_routed(composed, project)
        && descendants(composed.leaf, project).iter().all(|(_, it)| it.context.items().next().is_none())
}

/// Whether a hook may set a different parent for the prompts of a directive.
pub(super) fn may_be_routed(composed: &Composed<'_>, project: &Project<'_>) -> bool {
    project.routing_hooks().into_iter().any(|hook| composed.truth(hook) != Truth::False)
}

fn names<'c, 'p>(composed: &'c Composed<'p>, project: &'p Project<'_>) -> impl Iterator<Item = &'p str> + use<'c, 'p> {
    let hooks = project.configured_hooks().chain(&composed.directive.hooks);
    let acts = project.protocol.suppresses_items();
    let of_chain = composed.context.iter().filter(move |_| acts).map(|placed| placed.id.as_str());
    of_chain.chain(names_of_hooks(hooks))
}

fn names_of_hooks<'p>(hooks: impl Iterator<Item = &'p Hook>) -> impl Iterator<Item = &'p str> {
    // Only hooks that shape messages can be suppressed.
    hooks.filter(|hook| hook.shapes_messages()).flat_map(Hook::suppressible_names)
}

/// The descendants of a directive. The target of a routing hook may become an ancestor of any directive.
fn descendants<'p>(file: &'p LintFile, project: &'p Project<'_>) -> Vec<(&'p LintFile, &'p Directive)> {
    let mut seen = HashSet::from([file.id.as_str()]);
    let mut descendants = Vec::new();
    let mut open = vec![file];
    let targets: HashSet<&str> = project
        .configured_hooks()
        .flat_map(|hook| &hook.actions)
        .filter_map(|action| action.set_extends.as_ref().map(ItemField::as_str))
        .collect();
    while let Some(parent) = open.pop() {
        if targets.contains(parent.id.as_str()) {
            // Those of other tiers may stand between the target and a directive of the project.
            return project.files.iter().filter_map(|file| Some((file, file.directive()?))).collect();
        }
        for (child, directive) in project.children(parent) {
            if seen.insert(&child.id) {
                descendants.push((child, directive));
                open.push(child);
            }
        }
    }
    descendants
}

pub fn suppress_base_name(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    for unmatched in unmatched(composed, project) {
        let Some(id) = unmatched.by_last_segment.first() else { continue };
        let field = unmatched.field;
        let problem = Problem::SuppressBaseName { name: field.as_str().to_string(), id: id.to_string() };
        let finding = found.problem(problem, &field.span);
        // If several ids end like this, the intended one is unknown.
        let is_certain = unmatched.by_last_segment.len() == 1;
        finding.fix(format!("write `{id}`"), rewrite(field, id).filter(|_| is_certain));
    }
}

/// The maximum number of suppressions per directive that get a suggestion.
const MOST_COMPARED: usize = 100;

pub fn suppress_matches_nothing(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    if cannot_act(composed, project) {
        for field in &composed.directive.context.suppress {
            let message = format!("`{}` suppresses nothing: the chain places no item", field.as_str());
            found.at(&field.span, message);
        }
        return;
    }
    for (index, unmatched) in unmatched(composed, project).into_iter().enumerate() {
        let name = unmatched.field.as_str();
        // Other rules report these with the intended id.
        let is_base_name = !unmatched.by_last_segment.is_empty() && project.options.is_on_anywhere(&SUPPRESS_BASE_NAME);
        let is_case = !unmatched.by_case.is_empty() && project.options.is_on_anywhere(&ID_CASE);
        if is_base_name || is_case {
            continue;
        }
        let finding = found.at(&unmatched.field.span, format!("`{name}` suppresses nothing"));
        if let Some(help) = why_never(name, project) {
            finding.help(help);
        } else if index < MOST_COMPARED {
            finding.suggest(nearest(name, unmatched.ids.iter().copied()));
        }
    }
}

/// Why the name does not suppress a hook that exists.
fn why_never(name: &str, project: &Project<'_>) -> Option<String> {
    let mut hooks = project.configured_hooks();
    hooks.find_map(|hook| {
        let names_item = || hook.actions.iter().any(|it| it.item_id.as_ref().is_some_and(|id| id.as_str() == name));
        if hook.suppressible_names().any(|id| id == name) && !hook.shapes_messages() {
            Some(format!("hooks of {} cannot be suppressed: give hook {} a condition", hook.event, hook.name()))
        } else if hook.actions.len() > 1 && hook.shapes_messages() && names_item() {
            Some(format!("a hook with several actions is suppressed only by its own id: `{}`", hook.name()))
        } else {
            None
        }
    })
}

#[cfg(test)]
mod suppression_tests {
    use crate::lint::LintOptions;
    use crate::lint::testing::Example;
    use crate::lint::testing::found;

    /// The findings in a chain of directives with one suppression each.
    fn chain(length: usize, suppressed: impl Fn(usize) -> String, more: &str) -> Vec<String> {
        let directive = |number: usize| {
            let extends = number.checked_sub(1).map_or_else(String::new, |above| format!(" extends=\"d{above}\""));
            let context = format!("<context><suppress>{}</suppress></context>", suppressed(number));
            let metadata = format!("<metadata><description>D</description>{context}</metadata>");
            let root = format!("<directive name=\"d{number}\" version=\"1.0.0\"{extends}>{metadata}</directive>");
            format!("=== .ai/directives/d{number}.md\n```xml\n{root}\n```\n\nGo.\n")
        };
        let files: String = (0..length).map(directive).collect();
        let found = found(Example((files + more).leak()), &LintOptions::default());
        found.into_iter().filter(|it| it.rule.name.starts_with("suppress_")).map(|it| it.message).collect()
    }

    #[test]
    fn a_long_chain_of_stale_suppressions_is_checked_quickly() {
        for length in [150, 300] {
            let found = chain(length, |number| format!("stale{number}"), "");
            assert_eq!(found.len(), length);
            assert!(found.iter().all(|message| message.ends_with("suppresses nothing")), "{found:?}");
        }
    }

    #[test]
    fn an_item_of_a_distant_descendant_is_suppressed() {
        let metadata = "<metadata><description>L</description><context><before>rules</before></context></metadata>";
        let root = format!("<directive name=\"leaf\" version=\"1.0.0\" extends=\"d19\">{metadata}</directive>");
        let leaf = format!("=== .ai/directives/leaf.md\n```xml\n{root}\n```\n");
        let item = "=== .ai/knowledge/rules.md\n```yaml\nname: rules\n```\n\nNever on a Friday.\n";
        assert_eq!(chain(20, |_| "rules".to_string(), &format!("{leaf}{item}")), [""; 0]);
        assert_eq!(chain(20, |_| "rules".to_string(), item).len(), 20);
    }

    #[test]
    fn an_item_of_another_tier_is_suppressed_in_a_routed_chain() {
        let directive = |path: &str, extends: &str, context: &str| {
            let metadata = format!("<metadata><description>D</description><context>{context}</context></metadata>");
            format!(
                "=== {path}.md\n```xml\n<directive name=\"d\" version=\"1.0.0\"{extends}>{metadata}</directive>\n```\n"
            )
        };
        let files = [
            directive(".ai/directives/base", "", "<suppress>rules</suppress>"),
            directive(".ai/directives/leaf", " extends=\"middle\"", ""),
            directive("user:.ai/directives/middle", " extends=\"base\"", "<before>rules</before>"),
            "=== user:.ai/knowledge/rules.md\n```yaml\nname: rules\n```\n\nNever on a Friday.\n".to_string(),
            "=== .ai/config/agent/hooks.yaml\nhooks:\n- {id: route, event: resolve_extends, condition: {path: category, \
             value: one}, action: {set_extends: base}}\n"
                .to_string(),
        ];
        let found = found(Example(files.concat().leak()), &LintOptions::default());
        assert!(!found.iter().any(|it| it.rule.name.starts_with("suppress_")), "{found:?}");
    }
}
