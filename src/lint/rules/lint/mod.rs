//! `RR9…`: the linter itself.

pub mod allowance_invalid;
pub mod allowance_unused;
pub mod path_setting_unused;
