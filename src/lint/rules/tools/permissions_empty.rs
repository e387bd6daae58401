use crate::item::Directive;
use crate::lint::rules::{Check, Findings, LintFile, Project, Rule, pages};

pub(super) const RULE: Rule = Rule { check: Check::Directive(check), ..pages::RR413 };

fn check(file: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let Some(rules) = project.protocol.tools else { return };
    let Some(block) = directive.places.get("permissions") else { return };
    // Of a directive that is refused nothing is known to be granted, whatever stands there.
    if file.directive().is_none() || !directive.permissions.is_empty() || !directive.acknowledged.is_empty() {
        return;
    }
    // A hook may give it a parent where it names none.
    let otherwise =
        if rules.undeclared_primaries { ", or all primary actions where none of them declares any" } else { "" };
    let whose = format!("the permissions are those of its parents{otherwise}");
    found.at(block, format!("this `<permissions>` grants nothing, and so declares nothing: {whose}"));
}
