//! Files that the user names. Unlike the files of a tier, they may be pipes and devices.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::diagnostic::{Diagnostic, Location, Problem, system_reason};
use crate::read::store::{Access, Disk};
use crate::system;
use crate::text::{Position, Source};

/// What was read from standard input, pipes and devices, which can be read only once even if both sides name them.
static STREAMS: Mutex<BTreeMap<PathBuf, Vec<u8>>> = Mutex::new(BTreeMap::new());

/// Prepares another run in this process, which has new streams.
pub fn forget_streams() {
    STREAMS.lock().unwrap_or_else(PoisonError::into_inner).clear();
}

pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads a file as text with universal newlines, or standard input for `-`.
pub fn read(path: &Path, limit: u64, disk: &Disk) -> Result<Arc<Source>, Diagnostic> {
    text(shown(path), bytes(path, limit, disk)?)
}

/// Reads a file as it is, or standard input for `-`.
pub fn bytes(path: &Path, limit: u64, disk: &Disk) -> Result<Vec<u8>, Diagnostic> {
    let problem = match read_bytes(path, limit, disk) {
        Ok(bytes) if bytes.len() as u64 > limit => Problem::TooLarge { size: None, limit, raise_with: None },
        Ok(bytes) => return Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::IsADirectory => Problem::NotAFile { what: "a folder" },
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            Problem::NotAFile { what: "a FIFO without a writer" }
        }
        Err(error) => Problem::Unreadable { reason: system_reason(&error) },
    };
    Err(Diagnostic::at(problem, location(shown(path))))
}

/// The location of an error about a file outside the tiers.
pub fn location(path: impl Into<String>) -> Location {
    Location::File { tier: "".into(), path: path.into(), revision: None, position: None }
}

fn shown(path: &Path) -> String {
    if is_stdin(path) { "standard input".into() } else { path.to_string_lossy().into_owned() }
}

fn text(path: String, bytes: Vec<u8>) -> Result<Arc<Source>, Diagnostic> {
    Source::read_at(None, "".into(), path.clone(), bytes).map_err(|not| {
        let position = Some(Position { line: not.line, column: not.column });
        let at = Location::File { tier: "".into(), path, revision: None, position };
        Diagnostic::at(Problem::InvalidUtf8 { at: not.at }, at)
    })
}

/// The first character in a regular file other than white space. A pipe is not read, since that would consume it.
pub fn first_character(path: &Path) -> Option<char> {
    let is_regular = fs::metadata(path).is_ok_and(|found| found.is_file());
    let mut bytes = Vec::new();
    is_regular.then(|| system::open_stream(path))?.ok()?.take(1_000).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    text.trim_start_matches('\u{feff}').trim_start().chars().next()
}

/// Reads at most one byte more than the limit, so that the caller can recognise a larger file. For a FIFO without a
/// writer, the error is a broken pipe.
fn read_bytes(path: &Path, limit: u64, disk: &Disk) -> io::Result<Vec<u8>> {
    let is_stream = is_stdin(path) || fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
    let mut streams = STREAMS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bytes) = streams.get(path) {
        return Ok(bytes.clone());
    }
    let mut bytes = Vec::new();
    if is_stdin(path) {
        io::stdin().lock().take(limit + 1).read_to_end(&mut bytes)?;
    } else {
        disk.record(path, Access::Read);
        system::open_stream(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    }
    if is_stream {
        streams.insert(path.to_path_buf(), bytes.clone());
    }
    Ok(bytes)
}

/// An error in a file that a flag names.
pub fn wrong(source: &Arc<Source>, what: String, help: &str, place: Option<(usize, usize)>) -> Diagnostic {
    at(source, Problem::invalid(what, help), place)
}

/// A problem at a 1-based line and byte column, as parsers report them, or at the start of the file.
pub fn at(source: &Arc<Source>, problem: Problem, place: Option<(usize, usize)>) -> Diagnostic {
    let start = place.map_or(0, |(line, column)| offset(source.text(), line, column));
    Diagnostic::at(problem, source.span(start..start))
}

/// The offset of a 1-based line and byte column: never past the end of the text or within a character.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let lines_before = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum::<usize>();
    text.floor_char_boundary(lines_before.saturating_add(column.saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_stay_in_the_text_and_on_character_boundaries() {
        let text = "a\nüb\n";
        assert_eq!(offset(text, 1, 1), 0);
        assert_eq!(offset(text, 2, 1), 2);
        assert_eq!(offset(text, 2, 2), 2, "within ü");
        assert_eq!(offset(text, 2, 3), 4);
        assert_eq!(offset(text, 9, 9), text.len());
        assert_eq!(offset("", 0, 0), 0);
    }
}
