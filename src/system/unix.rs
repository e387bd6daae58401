//! Linux, macOS and other systems like Unix.

use std::ffi::{CStr, OsStr};
use std::fs::{File, FileType, Metadata, Permissions};
use std::io::{self, Read};
use std::iter;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use cap_std::fs::OpenOptionsExt;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{
    AtFlags, CWD, Dir, DirEntry, FileType as Kind, Mode, OFlags, Stat, fcntl_getfl, fcntl_setfl, fstat, openat, statat,
};
use rustix::io::{Errno, retry_on_intr};
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process, test_kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGPIPE, SIGTERM};

use super::FolderEntry;
use super::paths::PathStyle;

/// Whether a terminal shows dark blue legibly on black.
pub const SHOWS_BLUE: bool = true;

/// Whether the path of the working folder never has links.
pub const WORKING_FOLDER_IS_REAL: bool = true;

pub const PATHS: PathStyle = PathStyle::Unix;

/// Flags that keep `open` from blocking on a FIFO without a writer, and from acquiring a controlling terminal.
const CAREFUL: OFlags = OFlags::NONBLOCK.union(OFlags::NOCTTY);

/// In bytes, with the zero at its end.
const LONGEST_PATH: usize = 4096;

/// Opens a file for reading without waiting for the writer of a FIFO, which may never appear. The standard library would
/// ask musl, which takes two system calls.
pub fn open(path: &Path) -> io::Result<File> {
    let flags = CAREFUL | OFlags::RDONLY | OFlags::CLOEXEC;
    Ok(retry_on_intr(|| openat(CWD, path, flags, Mode::empty()))?.into())
}

/// Like [`open`], for a path below an opened folder.
pub fn open_below(folder: &cap_std::fs::Dir, path: &Path) -> io::Result<File> {
    let mut options = cap_std::fs::OpenOptions::new();
    // Open flags fit into the system's `int`.
    options.read(true).custom_flags(CAREFUL.bits() as i32);
    Ok(folder.open_with(path, &options)?.into_std())
}

/// A folder that stays open, and what it holds.
pub struct OpenedFolder(Dir);

impl OpenedFolder {
    /// Opens a folder, wherever links lead. `nearer` is an open folder above it, with the path from there: to follow a
    /// long path takes the system longer than to read a small file.
    pub fn open(path: &Path, nearer: Option<(&Self, &Path)>) -> io::Result<Self> {
        let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
        let (folder, path) = match nearer {
            // Files below a longer path can be read only from there.
            Some((above, below)) if path.as_os_str().len() < LONGEST_PATH => (above.0.fd()?, below),
            _ => (CWD, path),
        };
        Ok(Self(Dir::new(retry_on_intr(|| openat(folder, path, flags, Mode::empty()))?)?))
    }

    /// Whether more than the names in it can be known.
    pub fn may_be_entered(&self) -> bool {
        self.stat(c".").is_ok()
    }

    fn stat(&self, name: &CStr) -> rustix::io::Result<Stat> {
        statat(self.0.fd()?, name, AtFlags::SYMLINK_NOFOLLOW)
    }

    fn entry(&self, found: &DirEntry) -> rustix::io::Result<FolderEntry> {
        let kind = match found.file_type() {
            // Some file systems do not say it in their lists.
            Kind::Unknown => Kind::from_raw_mode(self.stat(found.file_name())?.st_mode),
            kind => kind,
        };
        let name = OsStr::from_bytes(found.file_name().to_bytes()).to_os_string();
        Ok(FolderEntry { name, is_file: kind.is_file(), is_folder: kind.is_dir() })
    }
}

impl Iterator for OpenedFolder {
    type Item = io::Result<FolderEntry>;

    fn next(&mut self) -> Option<io::Result<FolderEntry>> {
        let is_inside = |found: &DirEntry| ![c".", c".."].contains(&found.file_name());
        let found = iter::from_fn(|| self.0.read()).find(|found| found.as_ref().map_or(true, is_inside))?;
        Some(found.and_then(|found| self.entry(&found)).map_err(io::Error::from))
    }
}

/// Like [`open`], but waits for what the writer of a FIFO has to say. Without a writer, the error is a broken pipe.
pub fn open_stream(path: &Path) -> io::Result<impl Read> {
    let mut file = open(path)?;
    let mut start = Vec::new();
    if file.metadata()?.file_type().is_fifo() {
        match file.by_ref().take(1).read_to_end(&mut start) {
            Ok(0) => return Err(io::ErrorKind::BrokenPipe.into()),
            Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
            _ => {}
        }
    }
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(io::Cursor::new(start).chain(file))
}

/// What a path names that is neither a file nor a folder.
pub fn special_file(kind: FileType) -> Option<&'static str> {
    match kind {
        kind if kind.is_fifo() => Some("a FIFO"),
        kind if kind.is_socket() => Some("a socket"),
        kind if kind.is_char_device() || kind.is_block_device() => Some("a device"),
        _ => None,
    }
}

pub fn is_link_loop(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::LOOP.raw_os_error())
}

/// Tells two states of a file apart, since programs cannot set the time of the last status change.
pub fn inode_and_ctime(metadata: &Metadata) -> [i64; 3] {
    // The sign does not matter for a comparison.
    [metadata.ino() as i64, metadata.ctime(), metadata.ctime_nsec()]
}

/// A path as another program wrote it.
pub fn path_of_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}

pub fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// The permissions of an ordinary new file, before the umask. A temporary file would be private.
pub fn new_file_permissions() -> Option<Permissions> {
    Some(Permissions::from_mode(0o666))
}

/// Only the user can read and write the file.
pub fn private_permissions() -> Option<Permissions> {
    Some(Permissions::from_mode(0o600))
}

/// Whether the user left a program. A shell reports a signal as 128 plus its number.
pub fn user_ended(status: ExitStatus) -> bool {
    let signal = status.signal().or_else(|| Some(status.code()? - 128));
    signal.is_some_and(|signal| [SIGHUP, SIGINT, SIGPIPE, SIGTERM].contains(&signal))
}

/// Leaves an interrupt to the pager, which would otherwise be orphaned on the terminal.
pub fn ignore_interrupts() {
    // If this fails, an interrupt ends both.
    let _ = signal_hook::flag::register(SIGINT, Arc::default());
}

/// Notices a closed pipe on standard output at once; writing would notice it only at the next change.
pub fn when_reader_is_gone(tell: impl FnOnce() + Send + 'static) {
    let kind = fstat(io::stdout()).map(|found| Kind::from_raw_mode(found.st_mode));
    if !kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket()) {
        return;
    }
    std::thread::spawn(move || {
        let out = io::stdout();
        // Without events of interest, poll returns on a hang-up or an interrupt.
        let ready = loop {
            match poll(&mut [PollFd::new(&out, PollFlags::empty())], None) {
                Err(Errno::INTR) => {}
                ready => break ready,
            }
        };
        if ready.is_ok_and(|ready| ready > 0) {
            tell();
        }
    });
}

/// A command and what it starts are ended together.
pub fn in_own_group(command: &mut Command) -> &mut Command {
    command.process_group(0)
}

/// Any process of the group may have ended since.
pub fn ask_group_to_end(command: &Child) {
    let _ = kill_process_group(Pid::from_child(command), Signal::TERM);
}

pub fn is_group_alive(command: &Child) -> bool {
    test_kill_process_group(Pid::from_child(command)).is_ok()
}

pub fn kill_group(command: &mut Child) {
    let _ = kill_process_group(Pid::from_child(command), Signal::KILL);
}

/// Whether there is a process with this number; it may be of another user.
pub fn is_process(number: u32) -> bool {
    let process = i32::try_from(number).ok().and_then(Pid::from_raw);
    process.is_some_and(|process| test_kill_process(process) != Err(Errno::SRCH))
}

/// A signal to this program, which waits until the program can end. A terminal interrupts this program alone if its
/// command is in a group of its own.
#[derive(Default)]
pub struct Interrupt {
    signal: Arc<AtomicUsize>,
    /// Whether a signal ends this program at once.
    is_over: Arc<AtomicBool>,
}

impl Interrupt {
    /// From now on, signals are left to the caller.
    pub fn watch() -> Self {
        let watched = Self::default();
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            let number = usize::try_from(signal).unwrap_or_default();
            // If this fails, the signal ends this program alone.
            let _ = signal_hook::flag::register_conditional_default(signal, Arc::clone(&watched.is_over));
            let _ = signal_hook::flag::register_usize(signal, Arc::clone(&watched.signal), number);
        }
        watched
    }

    pub fn is_there(&self) -> bool {
        self.signal.load(Ordering::Relaxed) != 0
    }

    /// Ends this program if there was a signal, and leaves later ones to the system.
    pub fn follow(&self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Ok(signal @ 1..) = i32::try_from(self.signal.load(Ordering::Relaxed)) {
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    }
}
