//! `RR7…`: the folders of coding agents.

mod context_hidden;
mod context_over_budget;
mod guideline_contradicted;
mod guideline_repeated;

use crate::lint::rule::Rule;
use crate::lint::rules::pages;

pub(super) const RULES: &[&Rule] = &[
    &pages::RR701,
    &pages::RR702,
    &pages::RR703,
    &pages::RR704,
    &pages::RR705,
    &pages::RR706,
    &pages::RR707,
    &pages::RR708,
    &pages::RR709,
    &pages::RR710,
    &context_over_budget::RULE,
    &guideline_repeated::RULE,
    &context_hidden::RULE,
    &guideline_contradicted::RULE,
];
