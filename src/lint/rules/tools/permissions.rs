//! What directives grant, compared with their parents and with risks.

use crate::fill::palette::fnmatch;
use crate::lint::project::Policy;
use crate::lint::rules::{Composed, Directive, Findings, LintFile, Location, Problem, Project, name_first};

pub fn permissions_empty(file: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let Some(rules) = project.protocol.tools else { return };
    let Some(block) = directive.places.get("permissions") else { return };
    // A refused directive may grant anything.
    if file.directive().is_none() || !directive.permissions.is_empty() || !directive.acknowledged.is_empty() {
        return;
    }
    // A directive without `extends` may also have parents, since a hook may set one.
    let otherwise = if rules.undeclared_primaries { ", or to all primary actions" } else { "" };
    found.at(block, format!("this `<permissions>` is empty, so the directive falls back to its parents{otherwise}"));
}

pub fn permissions_from_root(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    if !composed.directive.permissions.is_empty() || composed.declaring_ancestors() < 2 {
        return;
    }
    let chain = composed.chain();
    let mut declaring = chain.iter().filter_map(|file| Some((file, file.directive()?.permissions.first()?)));
    let Some(root) = declaring.next() else { return };
    let skipped: Vec<_> = declaring.collect();
    let ids = skipped.iter().map(|(file, _)| file.id.clone()).collect();
    let problem = Problem::PermissionsFromRoot { from: root.0.id.clone(), skipped: ids };
    // A render points at the root; the change belongs here.
    let at: Location = match &composed.directive.extends {
        Some(extends) => (&extends.span).into(),
        None => project.location(composed.leaf),
    };
    let finding = found.problem(problem, at);
    for (file, first) in [root].into_iter().chain(skipped.last().copied()) {
        finding.related(&first.span, format!("`{}` declares its permissions here", file.id));
    }
}

pub fn permissions_wider(composed: &Composed<'_>, _: &Project<'_>, found: &mut Findings<'_>) {
    let own = &composed.directive.permissions;
    // The permissions that the directive would have if it declared none.
    let (false, Some((parent, allowed))) = (own.is_empty(), composed.inherited_permissions()) else { return };
    let is_allowed = |capability: &str| allowed.iter().any(|it| fnmatch::matches(capability, &it.capability));
    let wider: Vec<_> = own.iter().filter(|it| !is_allowed(&it.capability)).collect();
    let Some(first) = wider.first() else { return };
    let named = name_first(wider.iter().map(|it| format!("`{}`", it.capability)));
    let message = format!("`{}` grants what `{}` does not: {named}", composed.leaf.id, parent.id);
    found.at(&first.span, message).related(&allowed[0].span, "the permissions of the chain begin here");
}

pub fn risk_unacknowledged(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    report(composed, project, found, Policy::Block, "the thread will not start");
}

pub fn risk_warned_of(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    report(composed, project, found, Policy::AcknowledgeRequired, "every thread will warn");
}

/// Reports the first granted capability of each risk with this policy, unless the directive or the one that grants the
/// capability acknowledges the risk.
fn report(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>, policy: Policy, effect: &str) {
    let (Some(_), Some(risks), Some((file, permissions))) =
        (project.protocol.tools, project.risks(), composed.granting())
    else {
        return;
    };
    let granting = file.directive().map(|directive| directive.acknowledged.as_slice()).unwrap_or_default();
    let acknowledged = || composed.directive.acknowledged.iter().chain(granting);
    let mut reported: Vec<&str> = Vec::new();
    for permission in permissions {
        let Some((risk, own)) = risks.of_capability(&permission.capability) else { continue };
        if own == policy && !reported.contains(&risk) && acknowledged().all(|field| field.as_str().trim() != risk) {
            reported.push(risk);
            found
                .at(
                    &permission.span,
                    format!("`{}` grants {risk} risk without `<acknowledge>`: {effect}", permission.capability),
                )
                .help(format!("add <acknowledge risk=\"{risk}\"> with the reason to <permissions>, or grant less"));
        }
    }
}
