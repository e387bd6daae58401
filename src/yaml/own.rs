use serde::de::DeserializeOwned;
use serde_yaml::Location;

use super::bounds::{OutOfBounds, check_bounds};
use crate::diagnostic::without_place;

/// Why a text cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// What is wrong, as the end of a sentence.
    pub reason: String,
    /// Where it shows, in bytes of the text; a character begins there.
    pub at: usize,
}

impl From<OutOfBounds> for Unreadable {
    fn from(OutOfBounds { reason, at }: OutOfBounds) -> Self {
        Self { reason, at }
    }
}

/// Reads a text as one of our own types, by YAML 1.2 as its own library resolves it.
///
/// # Errors
/// It is no YAML, is larger or deeper than anybody writes, or is something else than that type.
pub fn read_own<T: DeserializeOwned>(text: &str) -> Result<T, Unreadable> {
    check_bounds(text)?;
    serde_yaml::from_str(text).map_err(|error| {
        let at = error.location().as_ref().map_or(0, Location::index);
        Unreadable { reason: without_place(&error.to_string()).to_string(), at: text.floor_char_boundary(at) }
    })
}
