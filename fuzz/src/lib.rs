//! What the targets share: inputs that are several files, and what must hold of every prompt.

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
