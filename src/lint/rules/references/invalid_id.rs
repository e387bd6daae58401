use crate::lint::project::PlacementOutcome;
use crate::lint::rules::{Directive, Findings, Hook, ItemField, Problem, Project, has_context};
use crate::read::store::ItemId;

use super::chain::Broken;
use super::ids::item_of;

pub fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    if !has_context(project) {
        return;
    }
    project.linted_directives().for_each(|(_, directive)| directive_ids(directive, found));
    project.configured_hooks().for_each(|hook| hook_ids(hook, found));
    inherited(project, found);
}

/// Inherited ids that cannot be fixed here are reported where the chain leaves the project.
fn inherited(project: &Project<'_>, found: &mut Findings<'_>) {
    if project.files.iter().all(|file| file.is_linted || file.directive().is_none()) {
        return;
    }
    for (file, directive) in project.linted_directives() {
        let composed = project.composed(file, directive);
        let inherited = composed.context.iter().filter(|placed| matches!(placed.becomes, PlacementOutcome::Missing));
        for placed in inherited.filter(|placed| !placed.by.is_linted) {
            let by = composed.chain().iter().position(|member| member.id == placed.by.id);
            let broken = by.and_then(|by| Broken::behind(by, &composed, project));
            if let (Err(reason), Some(broken)) = (ItemId::check(placed.id.as_str()), broken) {
                let problem = Problem::InvalidId { id: placed.id.as_str().to_string(), reason };
                let finding = found.problem(problem, broken.at());
                finding.related(&placed.id.span, "inherited from here");
            }
        }
    }
}

fn directive_ids(directive: &Directive, found: &mut Findings<'_>) {
    let parent = directive.extends.iter().filter(|field| !field.text.is_empty());
    for id in directive.context.items().chain(parent) {
        check_id(id, found);
    }
    directive.hooks.iter().for_each(|hook| hook_ids(hook, found));
}

fn hook_ids(hook: &Hook, found: &mut Findings<'_>) {
    for action in &hook.actions {
        let item = item_of(action).map(|(_, id)| id);
        let target = action.set_extends.as_ref().filter(|target| !target.text.is_empty());
        item.into_iter().chain(target).for_each(|id| check_id(id, found));
    }
}

fn check_id(id: &ItemField, found: &mut Findings<'_>) {
    if let Err(reason) = ItemId::check(id.as_str()) {
        let problem = Problem::InvalidId { id: id.as_str().to_string(), reason };
        found.problem(problem, &id.span);
    }
}
