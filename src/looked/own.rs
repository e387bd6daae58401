use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// The file that a run itself writes: that it is there, and what it holds, is no reason for another run.
#[derive(Debug, Default)]
pub(super) struct Own {
    /// Without links: where it is called, and where a link there leads.
    places: Vec<PathBuf>,
}

impl Own {
    /// What a run writes, if that is a file.
    pub fn new(written: Option<&Path>) -> Self {
        let Some(written) = written.and_then(|path| std::path::absolute(path).ok()) else { return Self::default() };
        let mut places: Vec<_> = place(&written).into_iter().chain(fs::canonicalize(&written)).collect();
        places.dedup();
        Self { places }
    }

    /// Whether it is the file, by whatever folder it is called.
    pub fn is(&self, path: &Path) -> bool {
        let is_called_so = self.places.iter().any(|own| own.file_name() == path.file_name());
        is_called_so && place(path).is_some_and(|place| self.is_real(&place))
    }

    /// The same of a path without links.
    pub fn is_real(&self, path: &Path) -> bool {
        self.places.iter().any(|own| own == path)
    }

    /// Whether a folder, which is called without links, holds it by that name.
    pub fn is_in(&self, folder: &Path, name: &OsStr) -> bool {
        self.places.iter().any(|own| own.parent() == Some(folder) && own.file_name() == Some(name))
    }
}

/// The path without links up to its last part: the file need not be there.
fn place(path: &Path) -> Option<PathBuf> {
    Some(fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?))
}
