//! What differs between operating systems. Everything else is written once.

mod paths;
#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(not(unix), path = "windows.rs")]
mod this;

use std::ffi::OsString;

pub use paths::{PathStyle, path, text};
pub use this::*;

/// What a folder holds. A link is neither a file nor a folder.
pub struct FolderEntry {
    pub name: OsString,
    pub is_file: bool,
    pub is_folder: bool,
}
