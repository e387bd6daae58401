//! `RR5…`: what a prompt costs.

mod bound;
mod change;
mod knowledge_unused;
mod layer_dominates;
mod prompt_over_budget;
mod rendered;
mod volatile_text;

use crate::lint::rule::Rule;

/// The rules of this group in order of codes.
pub(super) const RULES: &[&Rule] =
    &[&prompt_over_budget::RULE, &layer_dominates::RULE, &knowledge_unused::RULE, &volatile_text::RULE];
