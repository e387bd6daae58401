//! `RR0…`: the form of a file.

pub mod elements;
pub mod fields;
pub mod files;
pub mod front_matter;
pub mod knowledge;
pub mod prompt;
pub mod tags;
#[cfg(test)]
mod tests;

pub use elements::element_names;
