use crate::lint::project::Policy;
use crate::lint::rules::{Check, Composed, Findings, Project, Rule, pages};

use super::report_unacknowledged;

pub const RULE: Rule = Rule { check: Check::Composed(check), ..pages::RR406 };

fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    report_unacknowledged(composed, project, found, Policy::Block, "the thread will not start");
}
