//! `RR7…`: coding agents' working folders.

pub mod context;
pub mod guidelines;
