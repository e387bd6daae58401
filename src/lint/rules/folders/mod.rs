//! `RR7…`: coding agents' working folders.

mod context_hidden;
mod context_over_budget;
mod frame_closed;
mod guideline_contradicted;
mod guideline_repeated;

use crate::lint::rules::Check;

pub const CHECKS: &[(&str, Check)] = &[
    ("context_hidden", Check::Folders(context_hidden::check)),
    ("context_over_budget", Check::Folders(context_over_budget::check)),
    ("frame_closed", Check::Folders(frame_closed::check)),
    ("guideline_contradicted", Check::Folders(guideline_contradicted::check)),
    ("guideline_repeated", Check::Folders(guideline_repeated::check)),
];
