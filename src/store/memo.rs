use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::text::Source;

/// Caches what is parsed from files, so that many prompts parse each file once. One memo serves one protocol, since a
/// directive's meaning depends on it.
#[derive(Default)]
pub struct Memo {
    made: Mutex<HashMap<Key, Made>>,
}

type Made = Arc<dyn Any + Send + Sync>;

#[derive(PartialEq, Eq, Hash)]
struct Key {
    made: TypeId,
    files: Vec<ByAddress>,
}

/// A source compared by identity. The key holds it, so that its address is not reused.
struct ByAddress(Arc<Source>);

impl PartialEq for ByAddress {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ByAddress {}

impl Hash for ByAddress {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

impl Memo {
    pub fn get<T: Clone + Send + Sync + 'static>(&self, files: &[&Arc<Source>], make: impl FnOnce() -> T) -> T {
        let files = files.iter().map(|&file| ByAddress(Arc::clone(file))).collect();
        let key = Key { made: TypeId::of::<T>(), files };
        let made = {
            let mut all = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry(key).or_insert_with(|| Arc::new(OnceLock::<T>::new())))
        };
        // The lock is free while the value is made; only requests for the same value wait.
        match made.downcast::<OnceLock<T>>() {
            Ok(cell) => cell.get_or_init(make).clone(),
            Err(_) => make(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_made_once() {
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
