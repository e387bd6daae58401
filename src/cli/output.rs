//! Where results go: standard output, or a file that is replaced atomically.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::run::{CommandOutcome, Run};
use super::terminal::{theme, variable, width};
use super::{Exit, pager, pending, watch};
use crate::answer::render::WriteError;
use crate::diagnostic::{Diagnostic, Problem, system_reason};
use crate::read::files;
use crate::write::atomic;
use crate::write::screen::Screen;
use crate::write::theme::Theme;

/// Whether standard output is a pipe that its reader has closed.
static IS_READER_GONE: AtomicBool = AtomicBool::new(false);

/// Whether the reader closed the pipe before everything was written.
pub(super) fn is_reader_gone() -> bool {
    IS_READER_GONE.load(Ordering::Relaxed)
}

/// Prepares another run in this process.
pub(super) fn forget_reader() {
    IS_READER_GONE.store(false, Ordering::Relaxed);
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OutputTarget {
    Standard,
    File(PathBuf),
}

/// An output, and how to format text for it.
pub(super) struct Printer {
    pub output: OutputTarget,
    pub screen: Screen,
}

impl Run<'_> {
    /// A printer for the output that `-o` names. `is_text`: the format is text for people, which may be coloured.
    pub(super) fn printer(&self, path: Option<&Path>, is_text: bool) -> Printer {
        let output = OutputTarget::new(path);
        let is_terminal = output.is_terminal();
        let theme = theme(self.color, is_terminal, variable);
        // Coloured text ends up on a terminal, even through a pipe.
        let visible = is_terminal || (is_text && theme == Theme::Coloured);
        let columns = is_terminal.then(terminal_size::terminal_size).flatten();
        let width = width(columns.map(|(width, _)| width.0.into()), variable);
        Printer { screen: Screen { theme, width, visible }, output }
    }
}

impl OutputTarget {
    /// What `-o` names. Without it, and for `-`, this is standard output.
    pub(super) fn new(path: Option<&Path>) -> Self {
        match path {
            Some(path) if !files::is_stdin(path) => Self::File(path.to_path_buf()),
            _ => Self::Standard,
        }
    }

    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::Standard => None,
            Self::File(path) => Some(path),
        }
    }

    pub(super) fn is_terminal(&self) -> bool {
        *self == Self::Standard && io::stdout().is_terminal()
    }

    /// Streams a result to the target of `-o`.
    pub(super) fn write(
        &self,
        result: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
    ) -> Result<(), Diagnostic> {
        self.write_by("-o", result)
    }

    /// Like [`Self::write`] for a flag other than `-o`. A reader that closes the pipe is not an error.
    pub(super) fn write_by(
        &self,
        flag: &str,
        result: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
    ) -> Result<(), Diagnostic> {
        let (written, path) = match self {
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
                let help = format!("choose another place with {flag}");
                Err(Diagnostic::at(Problem::invalid(what, help), files::location(path)))
            }
        }
    }
}

/// Prints the result of a command that has no `-o`.
pub(super) fn print(text: impl AsRef<[u8]>) -> CommandOutcome {
    OutputTarget::Standard.write(|out| Ok(out.write_all(text.as_ref())?))?;
    Ok(Exit::Success)
}

fn write_standard(result: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>) -> Result<(), WriteError> {
    pending::clear();
    let mut out = io::stdout().lock();
    if !out.is_terminal() {
        return buffered(out, result);
    }
    // The pager is started only if the whole text does not fit.
    let mut text = Vec::new();
    let written = result(&mut text);
    let rows = terminal_size::terminal_size().map_or(0, |(_, height)| usize::from(height.0));
    // With `--watch` a pager would block the next run. A terminal that reports no rows has no reader.
    let may_page = rows > 0 && !watch::is_watching();
    let pager = may_page.then(pager::command).flatten();
    let is_on_screen = pager::show(&text, rows, pager.as_deref(), &mut out)?;
    // The exact bytes may lack a final newline. One on standard error lets the shell's prompt begin on a new line.
    if is_on_screen && io::stderr().is_terminal() && text.last().is_some_and(|&last| last != b'\n') {
        // A failure only affects the appearance.
        let _ = io::stderr().write_all(b"\n");
    }
    written
}

fn buffered(out: impl Write, result: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>) -> Result<(), WriteError> {
    let mut out = BufWriter::new(out);
    result(&mut out)?;
    Ok(out.flush()?)
}

/// Replaces a file atomically. Anything but a regular file (a pipe, `/dev/null`) is written to in place.
fn write_file(path: &Path, result: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>) -> Result<(), WriteError> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => buffered(OpenOptions::new().write(true).open(path)?, result),
        _ => atomic::replace(path, |out| buffered(out, result)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(output: &OutputTarget, text: &str) -> Result<(), Diagnostic> {
        output.write(|out| Ok(out.write_all(text.as_bytes())?))
    }

    #[test]
    fn a_file_is_replaced_atomically() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        let output = OutputTarget::new(Some(&path));
        write(&output, "one").unwrap();
        write(&output, "two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_are_kept() {
        use std::fs::Permissions;
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (path, plain, link) = (folder.path().join("out"), folder.path().join("plain"), folder.path().join("link"));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        fs::write(&plain, "").unwrap();
        write(&OutputTarget::new(Some(&path)), "new").unwrap();
        assert_eq!(mode(&path), mode(&plain), "as for any new file");
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write(&OutputTarget::new(Some(&link)), "through").unwrap();
        assert_eq!((fs::read(&path).unwrap(), mode(&path)), (b"through".to_vec(), 0o640));
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        write(&OutputTarget::new(Some(Path::new("/dev/null"))), "gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn an_output_that_cannot_be_written_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("absent/out.txt");
        let diagnostic = write(&OutputTarget::new(Some(&path)), "x").unwrap_err();
        assert_eq!(diagnostic.message(), "cannot be written: No such file or directory");
        assert!(write(&OutputTarget::new(Some(folder.path())), "x").is_err());
    }
}
