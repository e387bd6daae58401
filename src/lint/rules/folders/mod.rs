//! `RR7…`: coding agents' working folders.

pub mod context_hidden;
pub mod context_over_budget;
pub mod guideline_contradicted;
pub mod guideline_repeated;
