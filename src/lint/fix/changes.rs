use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{self, Write};
use std::path::Path;

use super::Left;
use crate::atomic;
use crate::diagnostic::system_reason;
use crate::diff::lines::Comparer;
use crate::diff::{Pair, patch};
use crate::store::{FolderStore, ReadError, Store};
use crate::text::Source;

/// How many lines stand around what differs in a patch.
const CONTEXT: usize = 3;

/// Files of the project as they would be, by path.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    files: BTreeMap<String, Change>,
}

#[derive(Debug, Clone)]
struct Change {
    before: Vec<u8>,
    after: Vec<u8>,
}

impl Changes {
    /// The same file once more keeps what it was at first.
    pub(in crate::lint) fn put(&mut self, source: &Source, after: Vec<u8>) {
        match self.files.entry(source.path().to_string()) {
            Entry::Occupied(known) if known.get().before == after => drop(known.remove()),
            Entry::Occupied(mut known) => known.get_mut().after = after,
            Entry::Vacant(new) => {
                let before = source.bytes();
                if before != after {
                    new.insert(Change { before, after });
                }
            }
        }
    }

    /// Takes a file as it was at first.
    pub(in crate::lint) fn forget(&mut self, path: &str) {
        self.files.remove(path);
    }

    /// Takes all other files as they were at first.
    pub fn keep_only(&mut self, path: &str) {
        self.files.retain(|known, _| known == path);
    }

    /// Makes those changes after these.
    pub fn then(&mut self, later: Self) {
        for (path, Change { before, after }) in later.files {
            self.files
                .entry(path)
                .and_modify(|change| change.after.clone_from(&after))
                .or_insert(Change { before, after });
        }
        self.files.retain(|_, change| change.before != change.after);
    }

    /// Whether no file would change.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// How many files would change.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether a file would change.
    pub fn holds(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// What the files would hold, by path.
    pub fn files(&self) -> impl Iterator<Item = (&String, &Vec<u8>)> {
        self.files.iter().map(|(path, change)| (path, &change.after))
    }

    /// Shows them as a patch that `patch -p1` and `git apply` take in the folder from which `way`, empty or ending in a
    /// slash, leads to the project.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write_patch(&self, way: &str, out: &mut dyn Write) -> io::Result<()> {
        let comparer = Comparer::exact();
        for (path, change) in &self.files {
            // Both were read as text, or made of it.
            let [left, right] = [&change.before, &change.after].map(|bytes| String::from_utf8_lossy(bytes));
            let name = format!("{way}{path}");
            let file = |text| Some(patch::File { name: &name, text });
            patch::write_file(Pair { left: file(&*left), right: file(&*right) }, CONTEXT, &comparer, out)?;
        }
        Ok(())
    }

    /// Writes the files below the folder of the project, and forgets those that are left as they are: each with why.
    ///
    /// A file is left that is no longer what was read, that may not be written, or that a link puts outside.
    pub fn write(&mut self, root: &Path) -> BTreeMap<String, Left> {
        self.keep(root, |change, store, path| change.write(store, root, path))
    }

    /// Forgets the files that [`Self::write`] would leave as they are, as far as that can be told without writing.
    pub fn check(&mut self, root: &Path) -> BTreeMap<String, Left> {
        self.keep(root, |change, store, path| change.check(store, root, path).map(drop))
    }

    fn keep(
        &mut self,
        root: &Path,
        make: impl Fn(&Change, &FolderStore, &str) -> Result<(), Left>,
    ) -> BTreeMap<String, Left> {
        let mut left = BTreeMap::new();
        // Links are never followed out of the project, even where they may be read.
        let store = FolderStore::unopened(root.to_path_buf(), false);
        self.files.retain(|path, change| match make(change, &store, path) {
            Ok(()) => true,
            Err(why) => {
                left.insert(path.clone(), why);
                false
            }
        });
        left
    }
}

/// Why a file was not written.
enum Refused {
    Because(Left),
    Io(io::Error),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Change {
    /// Whether anything is to be written, and may be.
    fn check(&self, store: &FolderStore, root: &Path, path: &str) -> Result<bool, Left> {
        if self.is_written(store, path)? {
            return Ok(false);
        }
        match root.join(path).metadata() {
            Ok(found) if found.permissions().readonly() => Err(Left::ReadOnly),
            Ok(_) => Ok(true),
            Err(error) => Err(Left::NotWritten(system_reason(&error))),
        }
    }

    fn write(&self, store: &FolderStore, root: &Path, path: &str) -> Result<(), Left> {
        if !self.check(store, root, path)? {
            return Ok(());
        }
        let written = atomic::replace(&root.join(path), |file| {
            file.write_all(&self.after)?;
            file.flush()?;
            // Once more, as late as can be.
            self.is_written(store, path).map_err(Refused::Because).map(drop)
        });
        written.map_err(|refused| match refused {
            Refused::Because(why) => why,
            Refused::Io(error) => Left::NotWritten(system_reason(&error)),
        })
    }

    /// Whether the file holds what it should already, as one does that has two names; if not, it must hold what was read.
    fn is_written(&self, store: &FolderStore, path: &str) -> Result<bool, Left> {
        let longest = self.before.len().max(self.after.len()) as u64;
        match store.read(path, longest) {
            Ok(bytes) if bytes == self.after => Ok(true),
            Ok(bytes) if bytes == self.before => Ok(false),
            Ok(_) => Err(Left::Changed),
            Err(error) => Err(not_read(error)),
        }
    }
}

/// Why a file is left that cannot be read once more.
fn not_read(error: ReadError) -> Left {
    match error {
        ReadError::Outside => Left::Outside,
        ReadError::Io(error) => Left::NotWritten(system_reason(&error)),
        // It is gone, or something else than it was.
        _ => Left::Changed,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn change(path: &str, before: &str, after: &str) -> Changes {
        let mut changes = Changes::default();
        let source = Source::read("project".into(), path, before.as_bytes().to_vec()).unwrap();
        changes.put(&source, after.as_bytes().to_vec());
        changes
    }

    fn written(mut changes: Changes, root: &Path) -> Vec<String> {
        changes.write(root).values().map(|left| left.words().0).collect()
    }

    #[test]
    fn a_file_that_changed_since_it_was_read_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        fs::write(&path, "old").unwrap();
        let changes = change("a.md", "old", "new");
        fs::write(&path, "somebody else's").unwrap();
        assert_eq!(written(changes, folder.path()), ["not changed: it changed while it was checked"]);
        assert_eq!(fs::read(&path).unwrap(), b"somebody else's");
        fs::remove_file(&path).unwrap();
        assert_eq!(written(change("a.md", "old", "new"), folder.path()).len(), 1);
        assert!(!path.exists());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
    }

    #[test]
    fn what_the_system_says_is_told() {
        let refused = io::Error::from_raw_os_error(5);
        let reason = system_reason(&refused);
        assert_eq!(not_read(ReadError::Io(refused.into())), Left::NotWritten(reason));
        assert_eq!([ReadError::NotFound, ReadError::TooLarge(None)].map(not_read), [Left::Changed, Left::Changed]);
    }

    #[test]
    fn what_comes_back_to_where_it_was_is_no_change() {
        let mut changes = change("a.md", "one", "two");
        let source = Source::read("project".into(), "a.md", b"two".to_vec()).unwrap();
        changes.put(&source, b"one".to_vec());
        assert!(changes.is_empty());
        changes = change("a.md", "one", "one");
        assert!(changes.is_empty());
    }

    #[test]
    fn what_is_written_already_is_well() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.md"), "new").unwrap();
        assert_eq!(written(change("a.md", "old", "new"), folder.path()), [""; 0]);
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links_and_none_is_followed_out_of_the_project() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (root, outside) = (folder.path().join("project"), folder.path().join("outside.md"));
        fs::create_dir(&root).unwrap();
        fs::write(&outside, "old").unwrap();
        fs::write(root.join("a.md"), "old").unwrap();
        fs::set_permissions(root.join("a.md"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink("a.md", root.join("near.md")).unwrap();
        symlink(&outside, root.join("far.md")).unwrap();
        assert_eq!(written(change("near.md", "old", "new"), &root), [""; 0]);
        assert_eq!(written(change("far.md", "old", "new"), &root), ["not changed: a link leads out of the project"]);
        assert!(root.join("near.md").is_symlink());
        assert_eq!((fs::read(root.join("a.md")).unwrap(), fs::read(&outside).unwrap()), (b"new".into(), b"old".into()));
        assert_eq!(fs::metadata(root.join("a.md")).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[cfg(unix)]
    #[test]
    fn what_may_not_be_written_is_left_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        assert_eq!(written(change("a.md", "old", "new"), folder.path()), ["not changed: the file may not be written"]);
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }

    #[test]
    fn later_changes_keep_what_was_there_at_first() {
        let mut all = change("a.md", "one", "two");
        all.then(change("a.md", "two", "three"));
        all.then(change("b.md", "x", "y"));
        assert_eq!(all.len(), 2);
        let mut patch = Vec::new();
        all.write_patch("", &mut patch).unwrap();
        let expected = "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-one\n\\ No newline at end of file\n+three\n\
                        \\ No newline at end of file\n--- a/b.md\n+++ b/b.md\n@@ -1 +1 @@\n-x\n\
                        \\ No newline at end of file\n+y\n\\ No newline at end of file\n";
        assert_eq!(String::from_utf8(patch).unwrap(), expected);
        all.then(change("a.md", "three", "one"));
        assert_eq!(all.len(), 1, "what comes back to where it was is no change");
    }
}
