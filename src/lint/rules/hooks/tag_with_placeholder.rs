use crate::fill::interpolate::hook::has_placeholder;
use crate::lint::rules::{Findings, Hook, LintFile, Problem, Project};
use crate::read::protocol::HookItems;
use crate::read::store::last_segment;

pub fn check(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    if project.protocol.hook_items != HookItems::Kind || !hook.shapes_messages() || !hook.wraps() {
        return;
    }
    for action in hook.actions.iter().filter(|action| action.adds_text() && action.meant_kind(true).is_none()) {
        let Some(id) = &action.item_id else { continue };
        let tag = last_segment(id.as_str());
        if has_placeholder(tag) {
            let problem = Problem::TagWithPlaceholder { hook: hook.name().to_string(), tag: tag.to_string() };
            found.problem(problem, &id.span);
        }
    }
}
