//! Reads files: items, configuration, tools and settings of all tiers, with byte ranges and signatures.

pub mod address;
pub mod bundle;
pub mod config;
pub(crate) mod environment;
pub(crate) mod files;
pub mod item;
pub(crate) mod limits;
pub(crate) mod listing;
pub mod loopback;
pub(crate) mod patterns;
pub mod protocol;
pub(crate) mod settings;
pub mod store;
pub mod tool;
pub mod trust;
pub mod value;
pub mod yaml;

/// The number of files that a thread takes at a time. Left to itself, rayon hands out quarters of the whole, and one thread
/// may work on the last one alone.
pub(crate) const FILES_AT_A_TIME: usize = 16;
