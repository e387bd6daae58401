//! `RR5…`: the cost of prompts.

pub mod budget;
pub mod knowledge_unused;
pub mod size;
pub mod volatile_text;
