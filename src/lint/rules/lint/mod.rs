//! `RR9…`: the linter itself.

mod allowance_invalid;
mod allowance_unused;
mod path_setting_unused;

use crate::lint::rule::Rule;

pub(super) const RULES: &[&Rule] = &[&allowance_unused::RULE, &allowance_invalid::RULE, &path_setting_unused::RULE];
