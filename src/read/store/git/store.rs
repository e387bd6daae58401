use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use super::snapshot::Snapshot;
use super::tree::{Subfolder, TreeEntry, TreeFolder};
use super::walk::{WalkTarget, walk};
use super::{MAX_PATH, ObjectId};
use crate::read::store::{PathKind, ReadError, Store, StoreEntry, below};

impl Snapshot {
    /// `folder` as [`Self::within`] returns it.
    pub fn holds_tier(&self, folder: &str) -> bool {
        walk(self, &below(folder, ".ai")).is_ok_and(|reached| matches!(reached.node, TreeEntry::Folder(_)))
    }

    /// `path` as [`Self::within`] returns it.
    pub fn holds_file(&self, path: &str) -> bool {
        walk(self, path).is_ok_and(|reached| !matches!(reached.node, TreeEntry::Folder(_)))
    }

    /// The files below a folder, given as [`Self::within`] returns it; empty if it does not exist. As on disk, links
    /// must stay in the folder, or with `follow_links` in the repository. Files outside the repository have no revision
    /// and are never read.
    pub fn store(&self, folder: &str, follow_links: bool) -> Arc<dyn Store> {
        let (places, known) = (Default::default(), Default::default());
        Arc::new(GitStore { snapshot: self.clone(), root: folder.to_string(), follow_links, places, known })
    }
}

/// The files of a snapshot below a folder. As for a folder on disk, a file's real path must lie in the folder, or in
/// the target of `.ai/` unless that contains the folder.
struct GitStore {
    snapshot: Snapshot,
    /// The folder that holds `.ai/`, from the top of the repository; empty for the top.
    root: String,
    follow_links: bool,
    places: OnceLock<Vec<Vec<Box<str>>>>,
    /// Folders looked up so far, by path below the root; `None` for those that do not exist.
    known: RwLock<HashMap<String, Option<CachedFolder>>>,
}

#[derive(Clone)]
struct CachedFolder {
    folder: Arc<TreeFolder>,
    is_inside: bool,
}

struct LocatedNode {
    node: TreeEntry,
    is_inside: bool,
}

impl GitStore {
    fn find(&self, path: &str) -> Result<LocatedNode, ReadError> {
        if path.len() + self.root.len() > MAX_PATH {
            return Err(ReadError::NotFound);
        }
        if let Some((folder, name)) = path.rsplit_once('/').filter(|(_, name)| !matches!(*name, "" | "." | ".."))
            && let Some(CachedFolder { folder, is_inside }) = self.folder(folder)?
        {
            match folder.get(name) {
                Some(node @ (TreeEntry::File(_) | TreeEntry::Unmerged)) => {
                    return Ok(LocatedNode { node: node.clone(), is_inside });
                }
                Some(_) => {}
                None => return Err(ReadError::NotFound),
            }
        }
        let WalkTarget { real, node } = walk(&self.snapshot, &below(&self.root, path))?;
        Ok(LocatedNode { node, is_inside: self.is_inside(&real) })
    }

    fn folder(&self, path: &str) -> Result<Option<CachedFolder>, ReadError> {
        if let Some(known) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(path) {
            return Ok(known.clone());
        }
        let known = match walk(&self.snapshot, &below(&self.root, path)) {
            Ok(WalkTarget { real, node: TreeEntry::Folder(Subfolder::Built(folder)) }) => {
                Some(CachedFolder { folder, is_inside: self.is_inside(&real) })
            }
            Ok(_) | Err(ReadError::NotFound) => None,
            Err(error) => return Err(error),
        };
        self.known.write().unwrap_or_else(PoisonError::into_inner).insert(path.to_string(), known.clone());
        Ok(known)
    }

    fn is_inside(&self, real: &[Box<str>]) -> bool {
        self.follow_links || self.places.get_or_init(|| self.places()).iter().any(|place| real.starts_with(place))
    }

    fn places(&self) -> Vec<Vec<Box<str>>> {
        let real = |path: &str| walk(&self.snapshot, path).ok().map(|reached| reached.real);
        let Some(root) = real(&self.root) else { return Vec::new() };
        let linked = real(&below(&self.root, ".ai")).filter(|linked| !root.starts_with(linked));
        [Some(root), linked].into_iter().flatten().collect()
    }

    fn file(&self, path: &str) -> Result<ObjectId, ReadError> {
        let LocatedNode { node, is_inside } = self.find(path)?;
        if is_inside { node.file() } else { Err(ReadError::Outside) }
    }
}

impl Store for GitStore {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        self.snapshot.repository().blob(self.file(path)?, limit)
    }

    fn kind(&self, path: &str) -> Result<PathKind, ReadError> {
        Ok(self.find(path)?.node.kind())
    }

    fn list(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        let Some(CachedFolder { folder, is_inside }) = self.folder(folder)? else { return Ok(Vec::new()) };
        if !is_inside {
            return Err(ReadError::Outside);
        }
        let is_of_repository = |(_, node): &(&str, &TreeEntry)| !matches!(node, TreeEntry::Submodule);
        Ok(folder.iter().filter(is_of_repository).map(|(name, node)| node.listed(name)).collect())
    }

    fn read_many(&self, paths: &[&str], limit: u64, each: &mut dyn FnMut(usize, Vec<u8>)) {
        let found = paths.iter().enumerate().filter_map(|(index, path)| Some((index, self.file(path).ok()?)));
        let (indices, ids): (Vec<_>, Vec<_>) = found.unzip();
        // A file that fails here fails again when it is read alone, and is reported then.
        let _ = self.snapshot.repository().read_many(&ids, limit, |index, read| {
            if let Ok(bytes) = read {
                each(indices[index], bytes);
            }
        });
    }

    fn revision(&self, _: &str) -> Option<Arc<str>> {
        Some(Arc::clone(self.snapshot.revision()))
    }

    fn identity(&self, path: &str) -> Option<ObjectId> {
        self.file(path).ok()
    }
}
