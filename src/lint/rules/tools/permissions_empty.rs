use crate::lint::rules::{Directive, Findings, LintFile, Project};

pub fn check(file: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
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
