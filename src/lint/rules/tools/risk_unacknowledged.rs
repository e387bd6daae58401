use crate::lint::project::Policy;
use crate::lint::rules::{Check, Composed, Findings, Project, Rule, pages};

use super::unacknowledged;

pub(super) const RULE: Rule = Rule { check: Check::Composed(check), ..pages::RR406 };

fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    for (risk, permission) in unacknowledged(composed, project, Policy::Block) {
        let message = format!(
            "`{}` is a risk of the level {risk}, which nothing acknowledges, so the thread does not start",
            permission.capability
        );
        let help = format!("add <acknowledge risk=\"{risk}\"> with the reason to <permissions>, or grant less");
        found.at(&permission.span, message).help(help);
    }
}
