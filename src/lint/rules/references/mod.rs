//! `RR1…`: references to other items.

pub mod chain;
pub mod ids;
pub mod items;
pub mod spelling;
pub mod suppression;
