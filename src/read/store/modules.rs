use std::sync::Arc;

use super::Store;
use crate::text::Source;

/// The Python modules that tools of an installed bundle can import: those in the folder that holds its package.
#[derive(Clone, Copy)]
pub struct Modules<'a> {
    label: &'a Arc<str>,
    store: &'a dyn Store,
    limit: u64,
}

impl<'a> Modules<'a> {
    pub(super) fn new(label: &'a Arc<str>, store: &'a dyn Store, limit: u64) -> Self {
        Self { label, store, limit }
    }

    /// Reads a module by its dotted name. As in Python, a package hides a module of the same name.
    pub fn read(&self, name: &str) -> Option<Arc<Source>> {
        let is_part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !name.split('.').all(is_part) {
            return None;
        }
        let stem = name.replace('.', "/");
        let files = [format!("{stem}/__init__.py"), format!("{stem}.py")];
        files.iter().find_map(|path| self.store.source(self.label, path, self.limit).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::super::MemoryStore;
    use super::*;

    #[test]
    fn modules_are_found_by_their_dotted_names() {
        let files = [("a.py", "module"), ("a/__init__.py", "package"), ("a/b.py", "inner"), ("c.py", "too large")];
        let (label, store) = (Arc::from("system:std"), files.into_iter().collect::<MemoryStore>());
        let modules = Modules::new(&label, &store, 7);
        let read = |name| modules.read(name).map(|source| (source.path().to_string(), source.text().to_string()));
        assert_eq!(read("a"), Some(("a/__init__.py".to_string(), "package".to_string())));
        assert_eq!(read("a.b"), Some(("a/b.py".to_string(), "inner".to_string())));
        for absent in ["c", "d", "", ".a", "a.", "a..b", "../a", "a/b", "a\\b"] {
            assert_eq!(read(absent), None, "{absent}");
        }
    }
}
