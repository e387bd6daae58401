use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// The file that the run itself writes, which must not trigger another run.
#[derive(Debug, Default)]
pub(super) struct OwnOutput {
    /// Links resolved: the path itself, and the target if it is a link.
    paths: Vec<PathBuf>,
}

impl OwnOutput {
    pub fn new(written: Option<&Path>) -> Self {
        let Some(written) = written.and_then(|path| std::path::absolute(path).ok()) else { return Self::default() };
        let mut paths: Vec<_> = resolved(&written).into_iter().chain(fs::canonicalize(&written)).collect();
        paths.dedup();
        Self { paths }
    }

    /// Whether a path leads to the file.
    pub fn is(&self, path: &Path) -> bool {
        let has_same_name = self.paths.iter().any(|own| own.file_name() == path.file_name());
        has_same_name && resolved(path).is_some_and(|path| self.is_real(&path))
    }

    /// Like [`Self::is`], for a path with links resolved.
    pub fn is_real(&self, path: &Path) -> bool {
        self.paths.iter().any(|own| own == path)
    }

    /// Whether the file is the entry `name` of `folder`, a path with links resolved.
    pub fn is_in(&self, folder: &Path, name: &OsStr) -> bool {
        self.paths.iter().any(|own| own.parent() == Some(folder) && own.file_name() == Some(name))
    }
}

/// Resolves links in all but the last component, since the file need not exist.
fn resolved(path: &Path) -> Option<PathBuf> {
    Some(fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?))
}
