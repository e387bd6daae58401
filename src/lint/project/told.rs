use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::text::Span;

/// What is told of places that many prompts show, so that it is worked out for one of them.
#[derive(Debug, Default)]
pub(in crate::lint) struct Told(Mutex<HashMap<Place, Option<String>>>);

/// The tier, the path, and where in the file.
type Place = (String, String, usize);

impl Told {
    /// What is told of a place: none if that is not known yet, a none inside if another finding tells it.
    pub fn get(&self, place: &Span) -> Option<Option<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key(place)).cloned()
    }

    /// Keeps what is told of a place.
    pub fn set(&self, place: &Span, message: Option<String>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key(place), message);
    }
}

fn key(place: &Span) -> Place {
    (place.source().tier().to_string(), place.source().path().to_string(), place.range().start)
}
