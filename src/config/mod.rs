//! Merges the configuration files of several tiers.

mod merge;

pub use merge::merge;
