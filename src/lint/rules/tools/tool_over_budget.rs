use crate::lint::finding::Findings;
use crate::lint::project::Project;
use crate::palette::capability::CapabilityPattern;

use super::budget::left_out_of_palettes;
use crate::lint::rule::{Check, Rule};
use crate::lint::rules::pages;

pub(super) const RULE: Rule = Rule { check: Check::Project(check), ..pages::RR402 };

fn check(project: &Project<'_>, found: &mut Findings<'_>) {
    left_out_of_palettes(project, found, |pattern| matches!(pattern, CapabilityPattern::Exact(_)));
}
