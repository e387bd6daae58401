//! The way through the folders of a snapshot, links and all, which never leaves it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::snapshot::Snapshot;
use super::tree::{Folder, Node, Subfolder};
use crate::diagnostic::Problem;
use crate::store::ReadError;

/// Most links on one way, as Linux has it.
const MAX_LINKS: usize = 40;

/// Where a path leads.
pub(super) struct Reached {
    /// The folders and the name on the way there from the top, none of them a link.
    pub real: Vec<Box<str>>,
    /// What stands there: a file, or a folder that is read.
    pub node: Node,
}

/// The end of a way.
pub(super) enum End {
    /// It leads to something in the repository.
    Inside(Reached),
    /// A link leads out of it: to this path on disk.
    Outside(PathBuf),
    /// It leads into another repository, whose place has that name: to this path on disk.
    Submodule(Box<str>, PathBuf),
}

/// Goes from the top to where a path leads.
pub(super) fn walk(snapshot: &Snapshot, path: &str) -> Result<Reached, ReadError> {
    match end(snapshot, path)? {
        End::Inside(reached) => Ok(reached),
        End::Outside(_) => Err(ReadError::other(Problem::LinkLeavesRepository)),
        End::Submodule(name, _) if &*name == ".ai" => Err(ReadError::other(Problem::TierIsSubmodule)),
        End::Submodule(..) => Err(ReadError::NotFound),
    }
}

/// The same, and where it leads out of the repository.
pub(super) fn end(snapshot: &Snapshot, path: &str) -> Result<End, ReadError> {
    let disk = snapshot.repository().top();
    let mut way: Vec<(Box<str>, Arc<Folder>)> = Vec::new();
    let mut ahead: Vec<Box<str>> = names(path);
    let mut links = 0;
    while let Some(name) = ahead.pop() {
        match &*name {
            "" | "." => continue,
            ".." => {
                if way.pop().is_none() {
                    return Ok(End::Outside(onward(disk.parent().unwrap_or(disk), &ahead)));
                }
                continue;
            }
            _ => {}
        }
        let here = way.last().map_or(snapshot.top(), |(_, folder)| folder);
        match here.get(&name) {
            Some(Node::Folder(folder)) => {
                let folder = snapshot.enter(folder)?;
                way.push((name, folder));
            }
            Some(Node::Link(id)) => {
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
                            None => return Ok(End::Outside(onward(Path::new(&target), &ahead))),
                        }
                    }
                };
                ahead.extend(names(&target));
            }
            Some(Node::Submodule) => {
                let place = way.iter().map(|(name, _)| &**name).fold(disk.to_path_buf(), |path, name| path.join(name));
                let there = onward(&place.join(&*name), &ahead);
                return Ok(End::Submodule(name, there));
            }
            Some(node @ (Node::File(_) | Node::Unmerged)) if ahead.is_empty() => {
                let node = node.clone();
                let real = way.into_iter().map(|(name, _)| name).chain([name]).collect();
                return Ok(End::Inside(Reached { real, node }));
            }
            _ => return Err(ReadError::NotFound),
        }
    }
    let folder = way.last().map_or(snapshot.top(), |(_, folder)| folder);
    let node = Node::Folder(Subfolder::Built(Arc::clone(folder)));
    Ok(End::Inside(Reached { real: way.into_iter().map(|(name, _)| name).collect(), node }))
}

/// A path on disk with the names that are still ahead, the last one first.
fn onward(from: &Path, ahead: &[Box<str>]) -> PathBuf {
    ahead.iter().rev().fold(from.to_path_buf(), |path, name| path.join(&**name))
}

/// The names of a path, the last one first.
fn names(path: &str) -> Vec<Box<str>> {
    path.rsplit('/').map(Into::into).collect()
}
