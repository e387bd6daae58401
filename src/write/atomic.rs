//! Atomic replacement of files.

use std::fs::{self, File, Permissions};
use std::io;
use std::path::Path;

use crate::system;

/// Writes a temporary file beside the target and renames it. After an error, the old file is unchanged.
///
/// A link stays a link, and an existing file keeps its permissions.
pub(crate) fn replace<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    let (path, permissions) = match fs::metadata(path) {
        Ok(metadata) => (fs::canonicalize(path)?, Some(metadata.permissions())),
        Err(_) => (path.to_path_buf(), None),
    };
    replace_with(&path, permissions, write)
}

/// Like [`replace`], but a link is replaced, and only the user can read the file.
pub(crate) fn replace_private<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    replace_with(path, system::private_permissions(), write)
}

/// The file gets these permissions, or those of any new file.
fn replace_with<E: From<io::Error>>(
    path: &Path,
    permissions: Option<Permissions>,
    write: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    let new = system::new_file_permissions();
    if let Some(permissions) = permissions.as_ref().or(new.as_ref()) {
        builder.permissions(permissions.clone());
    }
    let mut file = builder.prefix(".rye-render-").tempfile_in(folder)?;
    write(file.as_file_mut())?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.persist(path).map_err(io::Error::from)?;
    Ok(())
}
