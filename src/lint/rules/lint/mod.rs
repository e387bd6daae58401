//! `RR9…`: the linter's own.

mod allowance_invalid;
mod allowance_unused;
mod path_setting_unused;

use crate::lint::rule::Rule;

/// The rules of this group in order of codes.
pub(super) const RULES: &[&Rule] = &[&allowance_unused::RULE, &allowance_invalid::RULE, &path_setting_unused::RULE];
