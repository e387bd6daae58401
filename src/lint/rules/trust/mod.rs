//! `RR6…`: signatures and hidden text.

pub mod input_in_system;
pub mod signature;
pub mod text;
pub mod tiers;
