//! Configuration: files of several tiers made one.

mod merge;

pub use merge::merge;
