use crate::lint::rules::{Check, Findings, Project, Rule, pages};
use crate::palette::capability::CapabilityPattern;

use super::budget::left_out_of_palettes;

pub const RULE: Rule = Rule { check: Check::Project(check), ..pages::RR402 };

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    left_out_of_palettes(project, found, |pattern| matches!(pattern, CapabilityPattern::Exact(_)));
}
