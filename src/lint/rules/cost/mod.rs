//! `RR5…`: the cost of prompts.

mod bound;
mod change;
mod knowledge_unused;
mod layer_dominates;
mod prompt_over_budget;
mod rendered;
mod volatile_text;

use crate::lint::rules::Check;

pub const CHECKS: &[(&str, Check)] = &[
    ("knowledge_unused", Check::Project(knowledge_unused::check)),
    ("layer_dominates", Check::Composed(layer_dominates::check)),
    ("prompt_over_budget", Check::Composed(prompt_over_budget::check)),
    ("volatile_text", Check::Project(volatile_text::check)),
];
