//! `RR9…`: the linter itself.

mod allowances;
mod path_setting_unused;

use crate::lint::rules::Check;

pub const CHECKS: &[(&str, Check)] = &[
    ("allowance_invalid", Check::Allowances(allowances::allowance_invalid)),
    ("allowance_unused", Check::Allowances(allowances::allowance_unused)),
    ("path_setting_unused", Check::Project(path_setting_unused::check)),
];
