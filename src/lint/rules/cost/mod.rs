//! `RR5…`: the cost of prompts.

mod bound;
mod change;
mod knowledge_unused;
mod layer_dominates;
mod prompt_over_budget;
mod rendered;
mod volatile_text;

use crate::lint::rule::Rule;

pub(super) const RULES: &[&Rule] =
    &[&prompt_over_budget::RULE, &layer_dominates::RULE, &knowledge_unused::RULE, &volatile_text::RULE];
