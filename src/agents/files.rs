//! Paths of the files that apply to a folder: absolute, with `/` as the separator.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::diagnostic::{Location, Problem};
use crate::read::limits;
use crate::read::store::{Store, StoreEntry};
use crate::text::Source;

pub fn read(files: &dyn Store, path: &str) -> Result<Vec<u8>, Problem> {
    files.read(path, limits::FILE_BYTES).map_err(|error| error.problem(limits::FILE_BYTES, None))
}

pub(in crate::agents) fn size(files: &dyn Store, path: &str) -> Option<usize> {
    files.size(path, limits::FILE_BYTES)
}

pub(in crate::agents) fn location(path: &str, tier: &str, revision: Option<Arc<str>>) -> Location {
    Location::File { tier: tier.into(), path: path.to_string(), revision, position: None }
}

/// Where in a text the first `kept` bytes of its file end. A character that is cut in two is behind the end.
pub fn cut_at(whole: &Source, bytes: &[u8], kept: usize) -> usize {
    let before = String::from_utf8_lossy(&bytes[..kept.min(bytes.len())]);
    // Half of a character counts as U+FFFD before the cut; the file has the whole character there.
    let replaced = before.len() - char::REPLACEMENT_CHARACTER.len_utf8().min(before.len());
    if whole.text().starts_with(before.as_ref()) { before.len() } else { whole.text().floor_char_boundary(replaced) }
}

pub fn below(folder: &str, name: &str) -> String {
    // Half of the time of `format!`; this is asked for each name in each folder.
    [folder, if folder.ends_with('/') { "" } else { "/" }, name].concat()
}

/// A path without empty, `.` and `..` parts.
pub fn normalized(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// A path as seen from a folder, without empty, `.` and `..` parts. Links are not resolved.
pub fn joined(folder: &str, path: &str) -> String {
    if path.starts_with('/') { normalized(path) } else { normalized(&below(folder, path)) }
}

/// [`joined`], with a leading `~` as the home folder.
pub fn resolved(path: &str, base: &str, home: &str) -> String {
    match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => normalized(&below(home, rest)),
        _ => joined(base, path),
    }
}

pub fn parent(path: &str) -> Option<&str> {
    match path.rsplit_once('/')? {
        ("", "") => None,
        ("", _) => Some("/"),
        (folder, _) => Some(folder),
    }
}

pub fn ancestors(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| parent(folder))
}

/// Every agent asks for a dozen names in a folder and in each one above it.
pub fn survey_ancestors(files: &dyn Store, folder: &str) {
    let way: Vec<&str> = ancestors(folder).collect();
    // The list of a folder says what the next one is.
    way.iter().rev().for_each(|folder| files.survey(folder));
}

/// A working folder and those below it, nearest first, with what they hold. Neither a home nor a folder above it is
/// searched: either may be huge.
pub fn folders_from(files: &dyn Store, cwd: &str, home: &str) -> impl Iterator<Item = (String, Vec<StoreEntry>)> {
    let is_searched =
        |entry: &&StoreEntry| entry.is_folder && entry.is_named && !matches!(&*entry.name, ".git" | "node_modules");
    let mut waiting = VecDeque::from_iter((!ancestors(home).any(|it| it == cwd)).then(|| cwd.to_string()));
    let next = move || {
        let folder = waiting.pop_front()?;
        let entries = files.list(&folder).unwrap_or_default();
        // Those behind the limit would never be searched.
        let room = limits::FOLDERS_BELOW - waiting.len();
        waiting.extend(entries.iter().filter(is_searched).take(room).map(|entry| below(&folder, &entry.name)));
        Some((folder, entries))
    };
    std::iter::from_fn(next).take(limits::FOLDERS_BELOW)
}

/// The folders below a working folder that hold a wanted name, nearest first.
pub(in crate::agents) fn folders_below(
    files: &dyn Store,
    cwd: &str,
    home: &str,
    is_wanted: impl Fn(&str) -> bool,
) -> Vec<String> {
    let holds_wanted = |entries: &[StoreEntry]| entries.iter().any(|entry| is_wanted(&entry.name));
    let below = folders_from(files, cwd, home).skip(1);
    below.filter(|(_, entries)| holds_wanted(entries)).map(|(folder, _)| folder).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ancestors_end_at_the_root() {
        assert_eq!(ancestors("/a/b").collect::<Vec<_>>(), ["/a/b", "/a", "/"]);
        assert_eq!(ancestors("/").collect::<Vec<_>>(), ["/"]);
        assert_eq!((below("/", "x"), below("/a", "x")), ("/x".to_string(), "/a/x".to_string()));
    }
}
