//! `RR2…`: inputs and placeholders.

mod declarations;
mod placeholder_in_chain_item;
mod placeholder_malformed;
mod placeholders;
mod undeclared;
mod uses;

use super::Check;

pub const CHECKS: &[(&str, Check)] = &[
    ("default_unseen_by_hooks", Check::Project(uses::default_unseen_by_hooks)),
    ("env_without_default", Check::Directive(placeholders::env_without_default)),
    ("input_placeholder_kept", Check::Hook(uses::input_placeholder_kept)),
    ("input_repeated", Check::Directive(declarations::input_repeated)),
    ("input_undeclared", Check::Directive(undeclared::input_undeclared)),
    ("input_unknown_to_all", Check::Hook(undeclared::input_unknown_to_all)),
    ("input_unnamed", Check::Directive(declarations::input_unnamed)),
    ("input_unused", Check::Project(declarations::input_unused)),
    ("inputs_not_declared", Check::Directive(undeclared::inputs_not_declared)),
    ("pipe_outside_hook", Check::Project(placeholders::pipe_outside_hook)),
    ("placeholder_in_chain_item", Check::Project(placeholder_in_chain_item::placeholder_in_chain_item)),
    ("placeholder_malformed", Check::Directive(placeholder_malformed::placeholder_malformed)),
    ("placeholder_not_filled_in", Check::Directive(placeholders::placeholder_not_filled_in)),
    ("placeholder_without_kind", Check::Directive(placeholders::placeholder_without_kind)),
    ("required_not_true", Check::Directive(declarations::required_not_true)),
    ("required_with_default", Check::Directive(declarations::required_with_default)),
];
