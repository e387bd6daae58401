use crate::lint::pages::RR111 as RULE;
use crate::lint::rules::{Findings, Hook, ItemKind, LintFile, Project};

use super::ids::Dangling;

pub fn check(hook: &Hook, _: Option<&LintFile>, project: &Project<'_>, found: &mut Findings<'_>) {
    // Hooks of directives never set a parent.
    if !hook.routes() || project.protocol.routing.is_none() {
        return;
    }
    let Some(target) = hook.parent() else { return };
    let Some(dangling) = Dangling::find(ItemKind::Directive, target.as_str(), project) else { return };
    let message =
        format!("directive `{}`, which hook {} sets as the parent, is not in any tier", target.as_str(), hook.name());
    found.at(&target.span, message).help(RULE.help).suggest(dangling.nearest);
}
