//! Where results go: standard output, or a file that is there whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::files;
use super::pager::{self, Paged};
use super::screen;
use crate::atomic;
use crate::diagnostic::{Diagnostic, Location, Problem, system_reason};
use crate::looked;
use crate::render::WriteError;

/// It is a pipe of the process, so the process knows it.
static IS_READER_GONE: AtomicBool = AtomicBool::new(false);

/// Whether somebody went away before all was written.
pub(super) fn is_reader_gone() -> bool {
    IS_READER_GONE.load(Ordering::Relaxed)
}

/// Where the result goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Output {
    /// Standard output.
    Standard,
    /// A file.
    File(PathBuf),
}

impl Output {
    /// What `-o` names; `-` is standard output, and so is nothing.
    pub(super) fn new(path: Option<&Path>) -> Self {
        match path {
            Some(path) if !files::is_stdin(path) => Self::File(path.to_path_buf()),
            _ => Self::Standard,
        }
    }

    /// The file, if it is one.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::Standard => None,
            Self::File(path) => Some(path),
        }
    }

    /// Whether someone looks at it as it is written.
    pub(super) fn is_terminal(&self) -> bool {
        *self == Self::Standard && io::stdout().is_terminal()
    }

    /// The columns of the terminal, if it is one.
    pub(super) fn terminal_width(&self) -> Option<usize> {
        self.is_terminal().then(terminal_size::terminal_size)?.map(|(width, _)| width.0.into())
    }

    /// Writes a result as it comes, to where `-o` says.
    pub(super) fn write(
        &self,
        result: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
    ) -> Result<(), Diagnostic> {
        self.write_by("-o", result)
    }

    /// Writes a result as it comes, to where a flag says. A reader that went away is no error: it has what it wanted.
    pub(super) fn write_by(
        &self,
        flag: &str,
        result: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
    ) -> Result<(), Diagnostic> {
        let (written, place) = match self {
            Self::Standard => (write_standard(result), "standard output".into()),
            Self::File(path) => (write_file(path, result), path.to_string_lossy().into_owned()),
        };
        match written {
            Ok(()) => Ok(()),
            Err(WriteError::Refused(diagnostic)) => Err(diagnostic),
            Err(WriteError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
                IS_READER_GONE.store(true, Ordering::Relaxed);
                Ok(())
            }
            Err(WriteError::Io(error)) => {
                let what = format!("cannot be written: {}", system_reason(&error));
                let problem =
                    Problem::InvalidArgument { what, help: Some(format!("choose another place with {flag}")) };
                Err(Diagnostic::at(
                    problem,
                    Location::File { tier: "".into(), path: place, revision: None, position: None },
                ))
            }
        }
    }
}

fn write_standard(result: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>) -> Result<(), WriteError> {
    screen::make_way();
    let out = io::stdout().lock();
    let rows = || terminal_size::terminal_size().map_or(0, |(_, height)| usize::from(height.0));
    // A pager would wait for the user where the next result waits for a file. A screen without lines is none that
    // somebody reads.
    let may_page = out.is_terminal() && !looked::is_kept();
    let pager = may_page.then(pager::command).flatten().filter(|_| rows() > 0);
    if let Some(command) = pager {
        let mut paged = Paged::new(out, rows(), command);
        let written = buffered(&mut paged, result);
        let is_on_screen = paged.finish()?;
        return written.map(|last| {
            if is_on_screen {
                end_line(last)
            }
        });
    }
    let is_terminal = out.is_terminal();
    let last = buffered(out, result)?;
    if is_terminal {
        end_line(last);
    }
    Ok(())
}

/// The exact bytes may leave a line open. On a terminal it is ended beside them, so that a warning, or the shell, begins a
/// line of its own.
fn end_line(last: Option<u8>) {
    if io::stderr().is_terminal() && last.is_some_and(|last| last != b'\n') {
        // It decides nothing whether it can be written.
        let _ = io::stderr().write_all(b"\n");
    }
}

/// Writes through a buffer; the last byte written.
fn buffered(
    out: impl Write,
    result: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
) -> Result<Option<u8>, WriteError> {
    let mut out = BufWriter::new(LastByte { out, last: None });
    result(&mut out)?;
    out.flush()?;
    Ok(out.get_ref().last)
}

/// A writer that remembers the last byte it wrote.
struct LastByte<W> {
    out: W,
    last: Option<u8>,
}

impl<W: Write> Write for LastByte<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.last = bytes[..written].last().copied().or(self.last);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a file whole or not at all. What is no regular file (a pipe, `/dev/null`) cannot be replaced and is written to.
fn write_file(path: &Path, result: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>) -> Result<(), WriteError> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => buffered(OpenOptions::new().write(true).open(path)?, result).map(drop),
        _ => atomic::replace(path, |out| buffered(out, result).map(drop)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(output: &Output, text: &str) -> Result<(), Diagnostic> {
        output.write(|out| Ok(out.write_all(text.as_bytes())?))
    }

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        let output = Output::new(Some(&path));
        write(&output, "one").unwrap();
        write(&output, "two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::fs::Permissions;
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (path, plain, link) = (folder.path().join("out"), folder.path().join("plain"), folder.path().join("link"));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        fs::write(&plain, "").unwrap();
        write(&Output::new(Some(&path)), "new").unwrap();
        assert_eq!(mode(&path), mode(&plain), "as a plainly created file");
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write(&Output::new(Some(&link)), "through").unwrap();
        assert_eq!((fs::read(&path).unwrap(), mode(&path)), (b"through".to_vec(), 0o640));
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        write(&Output::new(Some(Path::new("/dev/null"))), "gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn what_cannot_be_written_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("absent/out.txt");
        let diagnostic = write(&Output::new(Some(&path)), "x").unwrap_err();
        assert_eq!(diagnostic.message(), "cannot be written: No such file or directory");
        assert!(write(&Output::new(Some(folder.path())), "x").is_err());
    }
}
