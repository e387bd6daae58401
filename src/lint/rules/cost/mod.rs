//! `RR5…`: the cost of prompts.

mod budget;
mod knowledge_unused;
mod size;
mod volatile_text;

use super::Check;

pub const CHECKS: &[(&str, Check)] = &[
    ("knowledge_unused", Check::Project(knowledge_unused::knowledge_unused)),
    ("layer_dominates", Check::Composed(budget::layer_dominates)),
    ("prompt_over_budget", Check::Composed(budget::prompt_over_budget)),
    ("volatile_text", Check::Project(volatile_text::volatile_text)),
];
