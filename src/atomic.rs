//! Files that are there whole or not at all.

use std::fs::{self, File, Permissions};
use std::io;
use std::path::Path;

/// Writes beside the target and renames, so that no reader ever sees half a file and an error of `write` leaves the old
/// one.
///
/// A link stays a link, and an existing file keeps its permissions.
///
/// # Errors
/// What `write` says, or the system.
pub(crate) fn replace<E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    let (path, permissions) = match fs::metadata(path) {
        Ok(metadata) => (fs::canonicalize(path)?, Some(metadata.permissions())),
        Err(_) => (path.to_path_buf(), None),
    };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    let new = new_file_permissions();
    if let Some(permissions) = permissions.as_ref().or(new.as_ref()) {
        builder.permissions(permissions.clone());
    }
    let mut file = builder.prefix(".rye-render-").tempfile_in(folder)?;
    write(file.as_file_mut())?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.persist(&path).map_err(io::Error::from)?;
    Ok(())
}

/// What a plainly created file gets; the system takes the user's mask off. A temporary file would be private.
#[cfg(unix)]
fn new_file_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn new_file_permissions() -> Option<Permissions> {
    None
}
