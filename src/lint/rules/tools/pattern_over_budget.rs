use crate::fill::palette::capability::CapabilityPattern;
use crate::lint::rules::{Check, Findings, Project};

use super::budget::left_out_of_palettes;

pub const CHECK: Check = Check::Project(check);

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    left_out_of_palettes(project, found, |pattern| matches!(pattern, CapabilityPattern::Below(_)));
}
