//! Folders that the editor opened through a link. Agents know files by their real paths, and so does everything that
//! answers: addresses change where messages come in and go out.

use std::mem;
use std::path::PathBuf;

use serde_json::Value;

use crate::read::address::{path_of, url_of};
use crate::system;

/// The folders as the editor names them, each with its real path.
#[derive(Default)]
pub struct LinkedFolders(Vec<(PathBuf, PathBuf)>);

impl LinkedFolders {
    pub fn add(&mut self, folders: impl IntoIterator<Item = PathBuf>) {
        for folder in folders {
            let real = folder.canonicalize().ok().filter(|real| real.to_str().is_some());
            let real = real.map(|real| system::text(&real)).filter(|real| *real != system::text(&folder));
            self.0.extend(real.map(|real| (folder, system::path(&real))));
        }
    }

    /// Gives what the editor sends real addresses.
    pub fn resolve(&self, params: &mut Value) {
        self.change(params, |(folder, real)| (folder, real));
    }

    /// Gives what the editor gets the addresses that it knows.
    pub fn restore(&self, message: &mut Value) {
        self.change(message, |(folder, real)| (real, folder));
    }

    fn change(&self, message: &mut Value, direction: impl Fn(&(PathBuf, PathBuf)) -> (&PathBuf, &PathBuf)) {
        if self.0.is_empty() {
            return;
        }
        change_addresses(message, &|address| {
            let path = path_of(address)?;
            self.0.iter().map(&direction).find_map(|(from, to)| Some(url_of(&to.join(path.strip_prefix(from).ok()?))))
        });
    }
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
