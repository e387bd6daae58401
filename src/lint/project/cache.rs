use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use crate::text::Span;

/// Caches values that several rules need. The lock is not held while a value is computed, so two
/// threads may compute the same value.
#[derive(Debug)]
pub struct Cache<K, V>(Mutex<HashMap<K, V>>);

impl<K, V> Default for Cache<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Cache<K, V> {
    pub fn get(&self, key: &K) -> Option<V> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    pub fn set(&self, key: K, value: V) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, value);
    }

    pub fn get_or_set(&self, key: K, compute: impl FnOnce() -> V) -> V {
        self.get(&key).unwrap_or_else(|| {
            let value = compute();
            self.set(key, value.clone());
            value
        })
    }
}

/// A place, independent of the prompt from which it was reached: tier, path and offset.
pub type SpanKey = (String, String, usize);

pub fn span_key(span: &Span) -> SpanKey {
    (span.source().tier().to_string(), span.source().path().to_string(), span.range().start)
}
