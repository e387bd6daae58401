//! `RR2…`: inputs and placeholders.

pub mod declarations;
pub mod placeholder_in_chain_item;
pub mod placeholder_malformed;
pub mod placeholders;
pub mod undeclared;
pub mod uses;
