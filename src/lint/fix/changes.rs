use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use super::NotFixed;
use crate::answer::diff::lines::Comparer;
use crate::answer::diff::{CONTEXT, Pair, patch};
use crate::diagnostic::system_reason;
use crate::read::store::{Disk, FolderStore, ReadError, Store};
use crate::text::Source;
use crate::write::atomic;

/// Changed files of the project in memory, by path.
#[derive(Debug, Clone, Default)]
pub struct FileChanges {
    files: BTreeMap<String, FileChange>,
}

#[derive(Debug, Clone)]
struct FileChange {
    before: Vec<u8>,
    after: Vec<u8>,
}

impl FileChanges {
    pub(in crate::lint) fn put(&mut self, source: &Source, after: Vec<u8>) {
        self.set(source.path().to_string(), source.bytes(), after);
    }

    /// A second change of a file keeps the original of the first.
    fn set(&mut self, path: String, before: Vec<u8>, after: Vec<u8>) {
        let before = self.files.remove(&path).map_or(before, |known| known.before);
        if before != after {
            self.files.insert(path, FileChange { before, after });
        }
    }

    pub(in crate::lint) fn forget(&mut self, path: &str) {
        self.files.remove(path);
    }

    pub fn keep_only(&mut self, path: &str) {
        self.files.retain(|known, _| known == path);
    }

    /// Applies later changes on top.
    pub fn then(&mut self, later: Self) {
        for (path, FileChange { before, after }) in later.files {
            self.set(path, before, after);
        }
    }

    pub fn holds(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    pub fn files(&self) -> impl Iterator<Item = (&String, &Vec<u8>)> {
        self.files.iter().map(|(path, change)| (path, &change.after))
    }

    /// Writes a patch for `patch -p1` or `git apply`. `prefix` is the path to the project from the
    /// folder where they run: empty, or ending in a slash.
    pub fn write_patch(&self, prefix: &str, out: &mut dyn Write) -> io::Result<()> {
        let comparer = Comparer::exact();
        for (path, change) in &self.files {
            // Both are valid UTF-8.
            let [left, right] = [&change.before, &change.after].map(|bytes| String::from_utf8_lossy(bytes));
            let name = format!("{prefix}{path}");
            let file = |text| Some(patch::PatchFile { name: &name, text });
            patch::write_file(Pair { left: file(&*left), right: file(&*right) }, CONTEXT, &comparer, out)?;
        }
        Ok(())
    }

    /// Writes the files, and drops those that cannot be written: changed since they were read,
    /// read-only, or behind a link out of the project.
    pub fn write(&mut self, root: &Path, disk: &Disk) -> BTreeMap<String, NotFixed> {
        self.keep(root, disk, |change, store, path| change.write(store, root, path))
    }

    /// Drops the files that [`Self::write`] would drop, but writes nothing, so it cannot detect failed writes.
    pub fn check(&mut self, root: &Path, disk: &Disk) -> BTreeMap<String, NotFixed> {
        self.keep(root, disk, |change, store, path| change.check(store, root, path).map(drop))
    }

    fn keep(
        &mut self,
        root: &Path,
        disk: &Disk,
        make: impl Fn(&FileChange, &FolderStore, &str) -> Result<(), NotFixed>,
    ) -> BTreeMap<String, NotFixed> {
        let mut left = BTreeMap::new();
        // Never follows a link out of the project, even if the project may read through one.
        let store = FolderStore::unopened(root.to_path_buf(), false, disk);
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

impl From<io::Error> for NotFixed {
    fn from(error: io::Error) -> Self {
        Self::NotWritten(system_reason(&error))
    }
}

impl FileChange {
    /// Whether the file still has to be written; an error if it cannot be.
    fn check(&self, store: &FolderStore, root: &Path, path: &str) -> Result<bool, NotFixed> {
        if self.is_written(store, path)? {
            return Ok(false);
        }
        match root.join(path).metadata() {
            Ok(found) if found.permissions().readonly() => Err(NotFixed::ReadOnly),
            Ok(_) => Ok(true),
            Err(error) => Err(error.into()),
        }
    }

    fn write(&self, store: &FolderStore, root: &Path, path: &str) -> Result<(), NotFixed> {
        if !self.check(store, root, path)? {
            return Ok(());
        }
        atomic::replace(&root.join(path), |file| {
            file.write_all(&self.after)?;
            file.flush()?;
            // Checked again as late as possible.
            self.is_written(store, path).map(drop)
        })
    }

    /// Whether the file already has the new content, as a file with two names may; otherwise it must be unchanged.
    fn is_written(&self, store: &FolderStore, path: &str) -> Result<bool, NotFixed> {
        let longest = self.before.len().max(self.after.len()) as u64;
        match store.read(path, longest) {
            Ok(bytes) if bytes == self.after => Ok(true),
            Ok(bytes) if bytes == self.before => Ok(false),
            Ok(_) => Err(NotFixed::Changed),
            Err(error) => Err(not_read(error)),
        }
    }
}

fn not_read(error: ReadError) -> NotFixed {
    match error {
        ReadError::Outside => NotFixed::Outside,
        ReadError::Io(error) => NotFixed::NotWritten(system_reason(&error)),
        // Deleted or replaced.
        _ => NotFixed::Changed,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn change(path: &str, before: &str, after: &str) -> FileChanges {
        let mut changes = FileChanges::default();
        let source = Source::read("project".into(), path, before.as_bytes().to_vec()).unwrap();
        changes.put(&source, after.as_bytes().to_vec());
        changes
    }

    fn written(mut changes: FileChanges, root: &Path) -> Vec<String> {
        changes.write(root, &Disk::default()).values().map(|left| left.words().0).collect()
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
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "no temporary file is left");
    }

    #[test]
    fn system_errors_are_reported() {
        let refused = io::Error::from_raw_os_error(5);
        let reason = system_reason(&refused);
        assert_eq!(not_read(ReadError::Io(refused.into())), NotFixed::NotWritten(reason));
        assert_eq!(
            [ReadError::NotFound, ReadError::TooLarge(None)].map(not_read),
            [NotFixed::Changed, NotFixed::Changed]
        );
    }

    #[test]
    fn a_reverted_file_is_unchanged() {
        let mut changes = change("a.md", "one", "two");
        let source = Source::read("project".into(), "a.md", b"two".to_vec()).unwrap();
        changes.put(&source, b"one".to_vec());
        assert!(changes.files.is_empty());
        changes = change("a.md", "one", "one");
        assert!(changes.files.is_empty());
    }

    #[test]
    fn a_file_with_the_new_content_is_accepted() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.md"), "new").unwrap();
        assert_eq!(written(change("a.md", "old", "new"), folder.path()), [""; 0]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_kept_and_never_followed_out_of_the_project() {
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
    fn read_only_files_are_left_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.md");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        assert_eq!(written(change("a.md", "old", "new"), folder.path()), ["not changed: the file is read-only"]);
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }

    #[test]
    fn later_changes_keep_the_original() {
        let mut all = change("a.md", "one", "two");
        all.then(change("a.md", "two", "three"));
        all.then(change("b.md", "x", "y"));
        assert_eq!(all.files.len(), 2);
        let mut patch = Vec::new();
        all.write_patch("", &mut patch).unwrap();
        let expected = "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-one\n\\ No newline at end of file\n+three\n\
                        \\ No newline at end of file\n--- a/b.md\n+++ b/b.md\n@@ -1 +1 @@\n-x\n\
                        \\ No newline at end of file\n+y\n\\ No newline at end of file\n";
        assert_eq!(String::from_utf8(patch).unwrap(), expected);
        all.then(change("a.md", "three", "one"));
        assert_eq!(all.files.len(), 1, "a reverted change is dropped");
    }
}
