//! The project that `init` creates.

use std::path::Path;
use std::{fs, io};

/// Paths below `.ai/`, and contents.
pub const FILES: [(&str, &str); 3] = [
    ("directives/review.md", include_str!("project/directives/review.md")),
    ("knowledge/house/rules.md", include_str!("project/knowledge/house/rules.md")),
    ("config/rye-render.yaml", include_str!("project/config/rye-render.yaml")),
];

/// Writes all files or none. Fails with [`io::ErrorKind::AlreadyExists`] if there is an `.ai`.
pub fn write(folder: &Path) -> io::Result<()> {
    let target = folder.join(".ai");
    if fs::symlink_metadata(&target).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    fs::create_dir_all(folder)?;
    let beside = tempfile::Builder::new().prefix(".rye-render-").tempdir_in(folder)?;
    let made = beside.path().join("ai");
    for (path, text) in FILES {
        let path = made.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
    }
    fs::rename(made, target)
}
