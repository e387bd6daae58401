//! Code that the targets share: inputs of several files, and the invariants of prompts.

mod ask;
mod check;
mod difference;
mod files;
mod print;

pub use ask::{Asked, asked};
pub use check::{check_diagnostics, check_prompt, check_span, check_traced, check_views, shown};
pub use difference::check_difference;
pub use files::{File, Side, bytes_of, files, source, split, tiers};
pub use print::{python_of, yaml_of};
