use std::sync::Arc;

use super::ObjectId;
use crate::diagnostic::Problem;
use crate::read::store::{PathKind, ReadError, StoreEntry};

#[derive(Debug, Default)]
pub(super) struct TreeFolder {
    entries: Vec<(Box<str>, TreeEntry)>,
}

#[derive(Debug, Clone)]
pub(super) enum TreeEntry {
    Folder(Subfolder),
    File(ObjectId),
    Link(ObjectId),
    /// A commit of another repository, whose files are not in this one.
    Submodule,
    Unmerged,
}

#[derive(Debug, Clone)]
pub(super) enum Subfolder {
    Tree(ObjectId),
    Built(Arc<TreeFolder>),
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Malformed;

impl TreeFolder {
    /// Drops duplicate names and names that lead elsewhere: git writes neither, but a tree may come from anywhere.
    pub(super) fn new(entries: impl IntoIterator<Item = (Box<str>, TreeEntry)>) -> Self {
        let is_name = |name: &str| !matches!(name, "" | "." | "..") && !name.contains(['/', '\0']);
        let mut entries: Vec<_> = entries.into_iter().filter(|(name, _)| is_name(name)).collect();
        // Git sorts a folder as if its name ended in a slash.
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        entries.dedup_by(|(later, _), (earlier, _)| later == earlier);
        Self { entries }
    }

    /// Parses a tree object: `mode SP name NUL id`, repeated, with ids of the given length. Names that are not UTF-8
    /// are dropped: no id can contain them.
    pub(super) fn parse(mut bytes: &[u8], id_length: usize) -> Result<Self, Malformed> {
        let mut entries = Vec::new();
        while !bytes.is_empty() {
            let space = bytes.iter().position(|&byte| byte == b' ').ok_or(Malformed)?;
            let (mode, rest) = (&bytes[..space], &bytes[space + 1..]);
            let end = rest.iter().position(|&byte| byte == 0).ok_or(Malformed)?;
            let (name, rest) = (&rest[..end], &rest[end + 1..]);
            let id = rest.get(..id_length).and_then(ObjectId::from_bytes).ok_or(Malformed)?;
            bytes = &rest[id_length..];
            if let (Ok(name), Some(node)) = (std::str::from_utf8(name), TreeEntry::of_mode(mode, id)?) {
                entries.push((name.into(), node));
            }
        }
        Ok(Self::new(entries))
    }

    pub(super) fn get(&self, name: &str) -> Option<&TreeEntry> {
        let at = self.entries.binary_search_by(|(known, _)| (**known).cmp(name)).ok()?;
        Some(&self.entries[at].1)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &TreeEntry)> {
        self.entries.iter().map(|(name, node)| (&**name, node))
    }
}

impl TreeEntry {
    pub(super) fn file(&self) -> Result<ObjectId, ReadError> {
        match self {
            Self::File(id) => Ok(*id),
            Self::Folder(_) => Err(ReadError::NotAFile("a folder")),
            Self::Unmerged => Err(ReadError::other(Problem::FileUnmerged)),
            Self::Link(_) | Self::Submodule => Err(ReadError::NotFound),
        }
    }

    /// A submodule is listed as a link, because its files are elsewhere.
    pub(super) fn listed(&self, name: &str) -> StoreEntry {
        match self {
            Self::Link(_) | Self::Submodule => StoreEntry::link(name),
            _ => StoreEntry::new(name, self.kind() == PathKind::Folder),
        }
    }

    /// The kind of an entry that is not a link.
    pub(super) fn kind(&self) -> PathKind {
        if matches!(self, Self::Folder(_)) { PathKind::Folder } else { PathKind::File }
    }

    /// `mode` in octal digits; `None` for a mode that git does not use.
    pub(super) fn of_mode(mode: &[u8], id: ObjectId) -> Result<Option<Self>, Malformed> {
        let mode =
            std::str::from_utf8(mode).ok().and_then(|mode| u32::from_str_radix(mode, 8).ok()).ok_or(Malformed)?;
        Ok(match mode >> 12 {
            0o04 => Some(Self::Folder(Subfolder::Tree(id))),
            0o10 => Some(Self::File(id)),
            0o12 => Some(Self::Link(id)),
            0o16 => Some(Self::Submodule),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(entries: &[(&str, &[u8], u8)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (mode, name, id) in entries {
            bytes.extend([mode.as_bytes(), b" ", name, b"\0", &[*id; 20]].concat());
        }
        bytes
    }

    fn listing(folder: &TreeFolder) -> Vec<String> {
        folder.iter().map(|(name, node)| format!("{name:?} {node:?}")).collect()
    }

    fn id(byte: u8) -> ObjectId {
        ObjectId::from_bytes(&[byte; 20]).unwrap()
    }

    #[test]
    fn the_entries_of_a_tree_are_sorted_by_name() {
        // In git's order: the folder `a` sorts as `a/`, after `a.md`.
        let bytes = tree(&[
            ("100644", b"a.md", 1),
            ("40000", b"a", 2),
            ("120000", b"link", 3),
            ("160000", b"module", 4),
            ("100664", b"new\nline", 5),
            ("100755", b"run", 6),
            ("100644", b"\xff", 7),
        ]);
        let folder = TreeFolder::parse(&bytes, 20).unwrap();
        let hex = |byte: u8| id(byte).to_string();
        assert_eq!(
            listing(&folder),
            [
                format!("\"a\" Folder(Tree({}))", hex(2)),
                format!("\"a.md\" File({})", hex(1)),
                format!("\"link\" Link({})", hex(3)),
                "\"module\" Submodule".to_string(),
                format!("\"new\\nline\" File({})", hex(5)),
                format!("\"run\" File({})", hex(6)),
            ]
        );
        assert!(matches!(folder.get("a"), Some(TreeEntry::Folder(Subfolder::Tree(_)))));
        assert!(folder.get("b").is_none());
    }

    #[test]
    fn sha256_ids_are_longer() {
        let bytes = [b"100644 a\0".as_slice(), &[7; 32], b"100644 b\0", &[8; 32]].concat();
        assert_eq!(TreeFolder::parse(&bytes, 32).unwrap().iter().count(), 2);
        assert_eq!(TreeFolder::parse(&[], 32).unwrap().iter().count(), 0);
    }

    #[test]
    fn duplicates_and_names_that_lead_elsewhere_are_dropped() {
        let bytes = tree(&[
            ("100644", b"a", 1),
            ("40000", b"a", 2),
            ("100644", b"", 3),
            ("40000", b"..", 4),
            ("40000", b".", 5),
            ("100644", b"../b", 6),
            ("60000", b"device", 7),
        ]);
        assert_eq!(listing(&TreeFolder::parse(&bytes, 20).unwrap()), [format!("\"a\" File({})", id(1))]);
    }

    #[test]
    fn malformed_trees_are_refused() {
        for bytes in [b"100644".as_slice(), b"100644 a", b"100644 a\0short", b"mode a\0", b" a\0", b"tree 1\n"] {
            assert!(TreeFolder::parse(bytes, 20).is_err(), "{bytes:?}");
        }
        let bytes = [b"9 a\0".as_slice(), &[1; 20]].concat();
        assert!(TreeFolder::parse(&bytes, 20).is_err());
    }
}
