//! `RR2…`: inputs and placeholders.

mod declarations;
mod default_unseen_by_hooks;
mod env_without_default;
mod input_placeholder_kept;
mod input_undeclared;
mod input_unknown_to_all;
mod input_unused;
mod inputs_not_declared;
mod names;
mod pipe_outside_hook;
mod placeholder_in_chain_item;
mod placeholder_malformed;
mod placeholder_not_filled_in;
mod placeholder_without_kind;
mod placeholders;
mod required_not_true;
mod required_with_default;
mod uses;

use crate::lint::rules::Check;

pub const CHECKS: &[(&str, Check)] = &[
    ("default_unseen_by_hooks", Check::Project(default_unseen_by_hooks::check)),
    ("env_without_default", Check::Directive(env_without_default::check)),
    ("input_placeholder_kept", Check::Hook(input_placeholder_kept::check)),
    ("input_repeated", Check::Directive(declarations::input_repeated)),
    ("input_undeclared", Check::Directive(input_undeclared::check)),
    ("input_unknown_to_all", Check::Hook(input_unknown_to_all::check)),
    ("input_unnamed", Check::Directive(declarations::input_unnamed)),
    ("input_unused", Check::Project(input_unused::check)),
    ("inputs_not_declared", Check::Directive(inputs_not_declared::check)),
    ("pipe_outside_hook", Check::Project(pipe_outside_hook::check)),
    ("placeholder_in_chain_item", Check::Project(placeholder_in_chain_item::check)),
    ("placeholder_malformed", Check::Directive(placeholder_malformed::check)),
    ("placeholder_not_filled_in", Check::Directive(placeholder_not_filled_in::check)),
    ("placeholder_without_kind", Check::Directive(placeholder_without_kind::check)),
    ("required_not_true", Check::Directive(required_not_true::check)),
    ("required_with_default", Check::Directive(required_with_default::check)),
];
