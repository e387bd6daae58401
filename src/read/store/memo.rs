use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::text::Source;

/// Caches what is parsed from files, so that many prompts parse each file once. One memo serves one protocol, since a
/// directive's meaning depends on it.
#[derive(Default)]
pub struct Memo {
    /// By type, and by the addresses of the files.
    made: Mutex<HashMap<(TypeId, Vec<usize>), Cached>>,
}

struct Cached {
    /// Keeps the addresses of the files from being reused.
    _files: Vec<Arc<Source>>,
    /// A `OnceLock` of the type in the key.
    cell: Arc<dyn Any + Send + Sync>,
}

impl Memo {
    pub fn get<T: Clone + Send + Sync + 'static>(&self, files: &[&Arc<Source>], make: impl FnOnce() -> T) -> T {
        let key = (TypeId::of::<T>(), files.iter().map(|&file| Arc::as_ptr(file).addr()).collect());
        let cell = {
            let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            let cached = made.entry(key).or_insert_with(|| Cached {
                _files: files.iter().map(|&file| Arc::clone(file)).collect(),
                cell: Arc::new(OnceLock::<T>::new()),
            });
            Arc::clone(&cached.cell)
        };
        // The lock is released while the value is computed; only requests for the same value wait.
        if let Ok(cell) = cell.downcast::<OnceLock<T>>() { cell.get_or_init(make).clone() } else { make() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_is_made_once() {
        let file = |text: &str| Source::read("project".into(), "a.md", text.into()).unwrap();
        let (one, same, other) = (file("one"), file("one"), file("other"));
        let memo = Memo::default();
        let made = |files: &[&Arc<Source>], value: u8| memo.get(files, || value);
        assert_eq!(made(&[&one], 1), 1);
        assert_eq!(made(&[&one], 2), 1);
        assert_eq!(made(&[&same], 3), 3);
        assert_eq!(made(&[&one, &other], 4), 4);
        assert_eq!(made(&[&other, &one], 5), 5);
        assert_eq!(made(&[], 6), 6);
        assert_eq!(memo.get(&[&one], || "another type"), "another type");
        assert_eq!(made(&[&one], 7), 1);
    }
}
