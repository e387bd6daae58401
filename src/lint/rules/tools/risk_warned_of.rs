use crate::lint::finding::Findings;
use crate::lint::project::{Composed, Policy, Project};

use super::unacknowledged;
use crate::lint::rule::{Check, Rule};
use crate::lint::rules::pages;

pub(super) const RULE: Rule = Rule { check: Check::Composed(check), ..pages::RR411 };

fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    for (risk, permission) in unacknowledged(composed, project, Policy::AcknowledgeRequired) {
        let message = format!(
            "`{}` is a risk of the level {risk}, which nothing acknowledges, so each thread warns",
            permission.capability
        );
        let help = format!("add <acknowledge risk=\"{risk}\"> with the reason to <permissions>, or grant less");
        found.at(&permission.span, message).help(help);
    }
}
