//! `RR2…`: inputs and placeholders.

mod default_unseen_by_hooks;
mod env_without_default;
mod input_placeholder_kept;
mod input_repeated;
mod input_undeclared;
mod input_unknown_to_all;
mod input_unnamed;
mod input_unused;
mod inputs_not_declared;
mod names;
mod placeholder_in_chain_item;
mod placeholder_malformed;
mod placeholder_not_filled_in;
mod placeholder_without_kind;
mod placeholders;
mod required_not_true;
mod required_with_default;
mod uses;

use crate::lint::rule::Rule;

pub(super) const RULES: &[&Rule] = &[
    &input_undeclared::RULE,
    &input_unused::RULE,
    &required_with_default::RULE,
    &placeholder_malformed::RULE,
    &env_without_default::RULE,
    &input_placeholder_kept::RULE,
    &default_unseen_by_hooks::RULE,
    &placeholder_in_chain_item::RULE,
    &placeholder_not_filled_in::RULE,
    &input_unknown_to_all::RULE,
    &input_repeated::RULE,
    &input_unnamed::RULE,
    &required_not_true::RULE,
    &inputs_not_declared::RULE,
    &placeholder_without_kind::RULE,
];
