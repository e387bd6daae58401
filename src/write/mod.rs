//! Writes to terminals, pages and files. Answers are built from these parts.

pub(crate) mod atomic;
pub(crate) mod layout;
pub(crate) mod markdown;
pub mod notice;
pub(crate) mod page;
pub(crate) mod progress;
pub(crate) mod report;
pub mod screen;
pub mod theme;
