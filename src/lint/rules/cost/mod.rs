//! `RR5…`: the cost of prompts.

mod bound;
mod change;
pub mod knowledge_unused;
pub mod layer_dominates;
pub mod prompt_over_budget;
mod rendered;
pub mod volatile_text;
