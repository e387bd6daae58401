//! `RR2…`: inputs and placeholders.

pub mod default_unseen_by_hooks;
pub mod env_without_default;
pub mod input_placeholder_kept;
pub mod input_repeated;
pub mod input_undeclared;
pub mod input_unknown_to_all;
pub mod input_unnamed;
pub mod input_unused;
pub mod inputs_not_declared;
mod names;
pub mod placeholder_in_chain_item;
pub mod placeholder_malformed;
pub mod placeholder_not_filled_in;
pub mod placeholder_without_kind;
mod placeholders;
pub mod required_not_true;
pub mod required_with_default;
mod uses;
