//! Resolves paths in a snapshot, links included, without leaving it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::snapshot::Snapshot;
use super::tree::{Subfolder, TreeEntry, TreeFolder};
use crate::diagnostic::Problem;
use crate::read::store::ReadError;

/// The same limit as Linux.
const MAX_LINKS: usize = 40;

pub(super) struct WalkTarget {
    /// Path from the top, without links.
    pub real: Vec<Box<str>>,
    pub node: TreeEntry,
}

pub(super) enum WalkEnd {
    Inside(WalkTarget),
    /// A link leads out of the repository, to this path on disk.
    Outside(PathBuf),
    /// The submodule's name, and a path on disk.
    Submodule(Box<str>, PathBuf),
}

pub(super) fn walk(snapshot: &Snapshot, path: &str) -> Result<WalkTarget, ReadError> {
    match resolve(snapshot, path)? {
        WalkEnd::Inside(reached) => Ok(reached),
        WalkEnd::Outside(_) => Err(ReadError::other(Problem::LinkLeavesRepository)),
        WalkEnd::Submodule(name, _) if &*name == ".ai" => Err(ReadError::other(Problem::TierIsSubmodule)),
        WalkEnd::Submodule(..) => Err(ReadError::NotFound),
    }
}

pub(super) fn resolve(snapshot: &Snapshot, path: &str) -> Result<WalkEnd, ReadError> {
    let disk = snapshot.repository().top();
    let mut way: Vec<(Box<str>, Arc<TreeFolder>)> = Vec::new();
    let mut ahead: Vec<Box<str>> = names(path);
    let mut links = 0;
    while let Some(name) = ahead.pop() {
        match &*name {
            "" | "." => continue,
            ".." => {
                if way.pop().is_none() {
                    return Ok(WalkEnd::Outside(onward(disk.parent().unwrap_or(disk), &ahead)));
                }
                continue;
            }
            _ => {}
        }
        let here = way.last().map_or(snapshot.top(), |(_, folder)| folder);
        match here.get(&name) {
            Some(TreeEntry::Folder(folder)) => {
                let folder = snapshot.enter(folder)?;
                way.push((name, folder));
            }
            Some(TreeEntry::Link(id)) => {
                links += 1;
                if links > MAX_LINKS {
                    return Err(ReadError::from(io::Error::other("Too many levels of symbolic links")));
                }
                let target = snapshot.link(*id)?;
                let target = match Path::new(&target).is_absolute() {
                    false => target,
                    true => {
                        way.clear();
                        match snapshot.target_within(Path::new(&target)) {
                            Some(within) => within,
                            None => return Ok(WalkEnd::Outside(onward(Path::new(&target), &ahead))),
                        }
                    }
                };
                ahead.extend(names(&target));
            }
            Some(TreeEntry::Submodule) => {
                let place = way.iter().map(|(name, _)| &**name).fold(disk.to_path_buf(), |path, name| path.join(name));
                let there = onward(&place.join(&*name), &ahead);
                return Ok(WalkEnd::Submodule(name, there));
            }
            Some(node @ (TreeEntry::File(_) | TreeEntry::Unmerged)) if ahead.is_empty() => {
                let node = node.clone();
                let real = way.into_iter().map(|(name, _)| name).chain([name]).collect();
                return Ok(WalkEnd::Inside(WalkTarget { real, node }));
            }
            _ => return Err(ReadError::NotFound),
        }
    }
    let folder = way.last().map_or(snapshot.top(), |(_, folder)| folder);
    let node = TreeEntry::Folder(Subfolder::Built(Arc::clone(folder)));
    Ok(WalkEnd::Inside(WalkTarget { real: way.into_iter().map(|(name, _)| name).collect(), node }))
}

fn onward(from: &Path, ahead: &[Box<str>]) -> PathBuf {
    ahead.iter().rev().fold(from.to_path_buf(), |path, name| path.join(&**name))
}

fn names(path: &str) -> Vec<Box<str>> {
    path.rsplit('/').map(Into::into).collect()
}
