//! Links: to folders that the editor opened, and to files that agents read.

use std::collections::BTreeSet;
use std::mem;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::workspace::{Home, Unsaved, inside};
use crate::lint::Project;
use crate::read::address::{path_of, url_of};
use crate::system;

/// The address of each open folder as the editor writes it, and that of its real path. Both are the same without a link.
/// Agents know files by their real paths, and so does everything that answers: addresses change where messages come in and
/// go out.
#[derive(Default)]
pub struct LinkedFolders(Vec<(String, String)>);

impl LinkedFolders {
    pub fn add<'a>(&mut self, folders: impl IntoIterator<Item = &'a str>) {
        let both = |written: &'a str| Some((written, url_of(&real(&path_of(written)?)?)));
        let trimmed = folders.into_iter().map(|it| it.trim_end_matches('/'));
        self.0.extend(trimmed.filter_map(both).map(|(written, real)| (written.to_string(), real)));
    }

    pub fn remove(&mut self, folders: &[String]) {
        self.0.retain(|(written, _)| !folders.iter().any(|it| it.trim_end_matches('/') == written));
    }

    /// Gives what the editor sends real addresses.
    pub fn resolve(&self, params: &mut Value) {
        self.change(params, |(written, real)| (written, real));
    }

    /// Gives what the editor gets the addresses that it knows.
    pub fn restore(&self, message: &mut Value) {
        self.change(message, |(written, real)| (real, written));
    }

    /// Of several folders, the innermost says what a file in it is called; its real address, if that is open, too.
    fn change(&self, message: &mut Value, direction: impl Fn(&(String, String)) -> (&String, &String)) {
        if self.0.iter().all(|(written, real)| path_of(written) == path_of(real)) {
            return;
        }
        change_addresses(message, &|address| {
            let below = |from: &str| {
                let rest = address.strip_prefix(from)?;
                (rest.is_empty() || rest.starts_with('/')).then_some(rest)
            };
            let found = self.0.iter().map(&direction).filter_map(|(from, to)| Some((from, to, below(from)?)));
            let (_, to, rest) = found.max_by_key(|(from, to, _)| (from.len(), from == to))?;
            Some(format!("{to}{rest}"))
        });
    }
}

/// The paths through links by which agents read files of their home, and these files, by path from its root.
#[derive(Default, PartialEq)]
pub struct LinkedFiles(Vec<(String, String)>);

impl LinkedFiles {
    pub fn of(project: &Project<'_>, home: &Home) -> Self {
        let files = project.folders.iter().flat_map(|folders| &folders.prompts).flat_map(|prompt| &prompt.files);
        let files: BTreeSet<PathBuf> = files.map(|file| system::path(&file.path)).collect();
        let both = files.iter().filter_map(|file| Some((inside(home, file)?, inside(home, &real(file)?)?)));
        Self(both.filter(|(link, file)| link != file).collect())
    }

    /// The text of a file counts for its links, unless they are open themselves.
    pub fn add_to(&self, unsaved: &mut Unsaved) {
        for (link, file) in &self.0 {
            if let Some(text) = unsaved.get(file).cloned() {
                unsaved.entry(link.clone()).or_insert(text);
            }
        }
    }
}

/// A path with its links resolved; `None` if there is nothing, or if the real path is not UTF-8.
fn real(path: &Path) -> Option<PathBuf> {
    let real = path.canonicalize().ok().filter(|real| real.to_str().is_some())?;
    Some(system::path(&system::text(&real)))
}

/// Changes the values of `uri`, `rootUri` and the like, and the keys that are addresses.
fn change_addresses(value: &mut Value, change: &impl Fn(&str) -> Option<String>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| change_addresses(item, change)),
        Value::Object(fields) => {
            let changed = mem::take(fields).into_iter().map(|(key, mut value)| {
                match &mut value {
                    Value::String(address) if key.ends_with("uri") || key.ends_with("Uri") => {
                        *address = change(address).unwrap_or_else(|| mem::take(address));
                    }
                    value => change_addresses(value, change),
                }
                (change(&key).unwrap_or(key), value)
            });
            *fields = changed.collect();
        }
        _ => {}
    }
}
