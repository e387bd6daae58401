use crate::lint::project::Policy;
use crate::lint::rules::{Check, Composed, Findings, Project};

use super::report_unacknowledged;

pub const CHECK: Check = Check::Composed(check);

fn check(composed: &Composed<'_>, project: &Project<'_>, found: &mut Findings<'_>) {
    report_unacknowledged(composed, project, found, Policy::Block, "the thread will not start");
}
