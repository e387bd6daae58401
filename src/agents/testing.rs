use crate::read::store::MemoryStore;

/// Files in memory, by their paths; a link has `->` before its target.
pub fn tree(files: &[(&str, &str)]) -> MemoryStore {
    let mut tree = MemoryStore::new();
    for &(path, text) in files {
        match text.strip_prefix("->") {
            Some(target) => tree.link(path, Some(target.to_string())),
            None => tree.insert(path, text),
        }
    }
    tree
}
