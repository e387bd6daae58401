use crate::lint::pages::{RR105 as SUPPRESS_BASE_NAME, RR109 as ID_CASE};
use crate::lint::rules::{Composed, Findings, Project};
use crate::text::nearest::nearest;

use super::suppression::{cannot_act, unmatched};

/// The maximum number of suppressions per directive that get a suggestion.
const MOST_COMPARED: usize = 100;

pub fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
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
        } else if index < MOST_COMPARED
            && let Some(near) = nearest(name, unmatched.ids.iter().copied())
        {
            finding.help(format!("did you mean `{near}`?"));
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
