use serde::de::DeserializeOwned;
use serde_yaml::Location;

use super::bounds::{OutOfBounds, check_bounds};
use crate::diagnostic::without_place;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// Completes a sentence.
    pub reason: String,
    /// Offset of a character in the text.
    pub at: usize,
}

impl From<OutOfBounds> for Unreadable {
    fn from(OutOfBounds { reason, at }: OutOfBounds) -> Self {
        Self { reason, at }
    }
}

/// Reads YAML 1.2 into one of our own types, within bounds of size and depth.
pub fn read_own<T: DeserializeOwned>(text: &str) -> Result<T, Unreadable> {
    check_bounds(text)?;
    serde_yaml::from_str(text).map_err(|error| {
        let at = error.location().as_ref().map_or(0, Location::index);
        Unreadable { reason: without_place(&error.to_string()).to_string(), at: text.floor_char_boundary(at) }
    })
}
