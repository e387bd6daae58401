//! Windows. Its files are opened without waiting, and its shells do not share signals with the programs that they start.

use std::fs::{self, DirEntry, File, FileType, Metadata, Permissions, ReadDir};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};

use super::FolderEntry;
use super::paths::PathStyle;

pub const SHOWS_BLUE: bool = false;

pub const WORKING_FOLDER_IS_REAL: bool = false;

pub const PATHS: PathStyle = PathStyle::Windows;

pub fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

pub fn open_below(folder: &cap_std::fs::Dir, path: &Path) -> io::Result<File> {
    Ok(folder.open(path)?.into_std())
}

/// What a folder holds. It is closed at the end, as nobody could rename an open one.
pub struct OpenedFolder(Option<ReadDir>);

impl OpenedFolder {
    /// Opens a folder, wherever links lead.
    pub fn open(path: &Path, _: Option<(&Self, &Path)>) -> io::Result<Self> {
        Ok(Self(Some(fs::read_dir(path)?)))
    }

    pub fn may_be_entered(&self) -> bool {
        true
    }
}

impl Iterator for OpenedFolder {
    type Item = io::Result<FolderEntry>;

    fn next(&mut self) -> Option<io::Result<FolderEntry>> {
        let entry = |entry: DirEntry| {
            let kind = entry.file_type()?;
            Ok(FolderEntry { name: entry.file_name(), is_file: kind.is_file(), is_folder: kind.is_dir() })
        };
        let next = self.0.as_mut()?.next();
        if next.is_none() {
            self.0 = None;
        }
        next.map(|found| found.and_then(entry))
    }
}

pub fn open_stream(path: &Path) -> io::Result<impl Read> {
    open(path)
}

pub fn special_file(_: FileType) -> Option<&'static str> {
    None
}

pub fn is_link_loop(_: &io::Error) -> bool {
    false
}

pub fn inode_and_ctime(_: &Metadata) -> [i64; 3] {
    [0; 3]
}

pub fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

pub fn is_program(path: &Path) -> bool {
    path.is_file()
}

pub fn new_file_permissions() -> Option<Permissions> {
    None
}

pub fn private_permissions() -> Option<Permissions> {
    None
}

pub fn user_ended(_: ExitStatus) -> bool {
    false
}

pub fn ignore_interrupts() {}

pub fn when_reader_is_gone(_: impl FnOnce() + Send + 'static) {}

pub fn in_own_group(command: &mut Command) -> &mut Command {
    command
}

pub fn ask_group_to_end(_: &Child) {}

pub fn is_group_alive(_: &Child) -> bool {
    false
}

pub fn kill_group(command: &mut Child) {
    let _ = command.kill();
}

/// Windows would say so only to code that this program does not have.
pub fn is_process(_: u32) -> bool {
    true
}

/// A signal ends the program at once.
pub struct Interrupt;

impl Interrupt {
    pub fn watch() -> Self {
        Self
    }

    pub fn is_there(&self) -> bool {
        false
    }

    pub fn follow(&self) {}
}
