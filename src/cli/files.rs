//! Files that are named on the command line. They are the user's own, so any kind but a folder is read: a pipe, too.

use std::collections::BTreeMap;
use std::fs;
#[cfg(unix)]
use std::fs::OpenOptions;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::diagnostic::{Diagnostic, Location, Problem, system_reason};
use crate::looked;
use crate::store::Access;
use crate::text::{Position, Source};

/// What stands for standard input.
const STDIN: &str = "-";

/// Whether a path stands for standard input.
pub(super) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == STDIN
}

/// Reads a file as text with universal newlines, or standard input for `-`.
pub(super) fn read(path: &Path, limit: u64) -> Result<Arc<Source>, Diagnostic> {
    text(shown(path), bytes(path, limit)?)
}

/// Reads a file as it is, or standard input for `-`.
pub(super) fn bytes(path: &Path, limit: u64) -> Result<Vec<u8>, Diagnostic> {
    let problem = match read_bytes(path, limit) {
        Ok(bytes) if bytes.len() as u64 > limit => Problem::TooLarge { size: None, limit, raise_with: None },
        Ok(bytes) => return Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::IsADirectory => Problem::NotAFile { what: "a folder" },
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            Problem::NotAFile { what: "a FIFO that nobody writes to" }
        }
        Err(error) => Problem::Unreadable { reason: system_reason(&error) },
    };
    let path = shown(path);
    Err(Diagnostic::at(problem, Location::File { tier: "".into(), path, revision: None, position: None }))
}

/// What a file is called.
fn shown(path: &Path) -> String {
    if is_stdin(path) { "standard input".into() } else { path.to_string_lossy().into_owned() }
}

/// The bytes of a file as text with universal newlines.
pub(super) fn text(path: String, bytes: Vec<u8>) -> Result<Arc<Source>, Diagnostic> {
    text_at(None, path, bytes)
}

/// The same of a file as it is at a revision.
pub(super) fn text_at(revision: Option<Arc<str>>, path: String, bytes: Vec<u8>) -> Result<Arc<Source>, Diagnostic> {
    Source::read_at(revision.clone(), "".into(), path.clone(), bytes).map_err(|not| {
        let position = Some(Position { line: not.line, column: not.column });
        Diagnostic::at(
            Problem::InvalidUtf8 { at: not.at },
            Location::File { tier: "".into(), path, revision, position },
        )
    })
}

/// The first character of a regular file that is no blank; none of any other, which could be read only once.
pub(super) fn first_character(path: &Path) -> Option<char> {
    let is_regular = fs::metadata(path).is_ok_and(|found| found.is_file());
    let bytes = read_start(is_regular.then(|| open(path))?.ok()?).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    text.trim_start_matches('\u{feff}').trim_start().chars().next()
}

/// Enough of a file to see what it is.
fn read_start(file: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(1_000).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// At most one byte more than the limit, so that the caller can tell. A broken pipe is one without a writer.
///
/// What can be read only once, such as standard input, is kept: both sides of a comparison may name it.
fn read_bytes(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    static KEPT: Mutex<BTreeMap<PathBuf, Vec<u8>>> = Mutex::new(BTreeMap::new());
    let reads_once = is_stdin(path) || fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bytes) = kept.get(path) {
        return Ok(bytes.clone());
    }
    let mut bytes = Vec::new();
    if is_stdin(path) {
        io::stdin().lock().take(limit + 1).read_to_end(&mut bytes)?;
    } else {
        looked::at(path, Access::Read);
        open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    }
    if reads_once {
        kept.insert(path.to_path_buf(), bytes.clone());
    }
    Ok(bytes)
}

/// Opens a file. A FIFO is not waited for until somebody opens it to write, who may never come; one that somebody has
/// open is read to its end.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<impl Read> {
    use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

    // The bits of open flags fit into the `int` that the system takes.
    let without_waiting = (OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32;
    let mut file = OpenOptions::new().read(true).custom_flags(without_waiting).open(path)?;
    let mut begun = Vec::new();
    if file.metadata()?.file_type().is_fifo() {
        match file.by_ref().take(1).read_to_end(&mut begun) {
            Ok(0) => return Err(io::ErrorKind::BrokenPipe.into()),
            Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
            _ => {}
        }
    }
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(io::Cursor::new(begun).chain(file))
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<impl Read> {
    std::fs::File::open(path)
}

/// What is wrong in a file that a flag names, in words.
pub(super) fn wrong(source: &Arc<Source>, what: String, help: &str, place: Option<(usize, usize)>) -> Diagnostic {
    at(source, Problem::InvalidArgument { what, help: Some(help.to_string()) }, place)
}

/// A problem at a 1-based line and byte column, as parsers count them, or at the start of the file.
pub(super) fn at(source: &Arc<Source>, problem: Problem, place: Option<(usize, usize)>) -> Diagnostic {
    let start = place.map_or(0, |(line, column)| offset(source.text(), line, column));
    Diagnostic::at(problem, source.span(start..start))
}

/// The offset of a 1-based line and byte column, at most the end of the text and never within a character.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let lines_before = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum::<usize>();
    text.floor_char_boundary(lines_before.saturating_add(column.saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_stay_in_the_text_and_on_characters() {
        let text = "a\nüb\n";
        assert_eq!(offset(text, 1, 1), 0);
        assert_eq!(offset(text, 2, 1), 2);
        assert_eq!(offset(text, 2, 2), 2, "within ü");
        assert_eq!(offset(text, 2, 3), 4);
        assert_eq!(offset(text, 9, 9), text.len());
        assert_eq!(offset("", 0, 0), 0);
    }
}
