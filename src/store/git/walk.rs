//! The way through the folders of a snapshot, links and all, which never leaves it.

use std::io;
use std::path::Path;
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

/// Goes from the top to where a path leads.
pub(super) fn walk(snapshot: &Snapshot, path: &str) -> Result<Reached, ReadError> {
    let mut way: Vec<(Box<str>, Arc<Folder>)> = Vec::new();
    let mut ahead: Vec<Box<str>> = names(path);
    let mut links = 0;
    while let Some(name) = ahead.pop() {
        match &*name {
            "" | "." => continue,
            ".." => {
                way.pop().ok_or_else(|| ReadError::other(Problem::LinkLeavesRepository))?;
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
                        let within = snapshot.target_within(Path::new(&target));
                        within.ok_or_else(|| ReadError::other(Problem::LinkLeavesRepository))?
                    }
                };
                ahead.extend(names(&target));
            }
            Some(Node::Submodule) if &*name == ".ai" => return Err(ReadError::other(Problem::TierIsSubmodule)),
            Some(node @ (Node::File(_) | Node::Unmerged)) if ahead.is_empty() => {
                let node = node.clone();
                let real = way.into_iter().map(|(name, _)| name).chain([name]).collect();
                return Ok(Reached { real, node });
            }
            _ => return Err(ReadError::NotFound),
        }
    }
    let folder = way.last().map_or(snapshot.top(), |(_, folder)| folder);
    let node = Node::Folder(Subfolder::Built(Arc::clone(folder)));
    Ok(Reached { real: way.into_iter().map(|(name, _)| name).collect(), node })
}

/// The names of a path, the last one first.
fn names(path: &str) -> Vec<Box<str>> {
    path.rsplit('/').map(Into::into).collect()
}
