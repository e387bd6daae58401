//! `RR7…`: coding agents' working folders.

mod context;
mod guidelines;

use super::Check;

pub const CHECKS: &[(&str, Check)] = &[
    ("context_hidden", Check::Folders(context::context_hidden)),
    ("context_over_budget", Check::Folders(context::context_over_budget)),
    ("frame_closed", Check::Folders(context::frame_closed)),
    ("guideline_contradicted", Check::Folders(guidelines::guideline_contradicted)),
    ("guideline_repeated", Check::Folders(guidelines::guideline_repeated)),
];
