//! The tool's own settings: `.rye-render.yaml` in the project's folder.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::files;
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::nearest::nearest;
use crate::store::{FolderStore, ReadError, Snapshot, Store};
use crate::text::Source;

/// The name of the file.
pub(super) const NAME: &str = ".rye-render.yaml";

/// The keys it may have.
const KEYS: [&str; 2] = ["examples", "protocols"];

/// The largest settings file, in bytes.
pub(super) const MAX_SIZE: u64 = 1_000_000;

/// The settings of a project, if it has any. They come with the project, so what holds for its items holds for them: a
/// regular file, and no link that leaves the project unless `follow_links` says so.
///
/// In a snapshot they are those of that state.
pub(super) fn read(
    project: Option<&Path>,
    follow_links: bool,
    snapshot: Option<&Snapshot>,
) -> Result<Option<Arc<Source>>, Diagnostic> {
    let Some(project) = project else { return Ok(None) };
    let path = project.join(NAME).to_string_lossy().into_owned();
    let state = snapshot.and_then(|snapshot| Some(snapshot.store(&snapshot.within(project)?, follow_links)));
    let revision = state.as_ref().and_then(|state| state.revision());
    let read = match state {
        Some(state) => state.read(NAME, MAX_SIZE),
        None => FolderStore::open(project, follow_links)
            .map_err(ReadError::from)
            .and_then(|folder| folder.read(NAME, MAX_SIZE)),
    };
    match read {
        Ok(bytes) => files::text_at(revision, path, bytes).map(Some),
        Err(ReadError::NotFound) => Ok(None),
        Err(error) => {
            let at = Location::File { tier: "".into(), path, revision, position: None };
            Err(Diagnostic::at(error.problem(MAX_SIZE, None), at))
        }
    }
}

/// A warning for each key that has no meaning: it is likely misspelt. What is wrong with the others is found where they
/// are used.
pub(super) fn unknown_keys(source: &Arc<Source>) -> Vec<Diagnostic> {
    let Ok(serde_yaml::Value::Mapping(settings)) = serde_yaml::from_str(source.text()) else { return Vec::new() };
    let keys = settings.keys().filter_map(serde_yaml::Value::as_str).filter(|key| !KEYS.contains(key));
    let places = places(source.text());
    let warning = |key: &str| {
        let nearest = nearest(key, KEYS.into_iter());
        Diagnostic::at(
            Problem::UnknownSetting { key: key.to_string(), known: KEYS.to_vec(), nearest },
            source.span(places.get(key).map_or(0..0, |&at| at..at + key.len())),
        )
    };
    keys.map(warning).collect()
}

/// Where each key stands that begins a line; one that is written in another way is not found.
fn places(text: &str) -> HashMap<&str, usize> {
    let mut places = HashMap::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some((key, _)) = line.split_once(':') {
            places.entry(key.trim_end()).or_insert(at);
        }
        at += line.len();
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_key_is_shown_where_it_stands() {
        let text = "# settings\nprotocols: []\nprotocls : []\n";
        let source = Source::read("".into(), NAME, text.as_bytes().to_vec()).unwrap();
        let [warning] = &unknown_keys(&source)[..] else { panic!("one key is unknown") };
        assert_eq!(warning.message(), "there is no setting `protocls`; known: examples, protocols");
        assert_eq!(warning.help().as_deref(), Some("did you mean `protocols`?"));
        let Some(Location::Span(span)) = &warning.at else { panic!("it has a place") };
        assert_eq!((span.line(), span.text()), (3, "protocls"));
    }

    #[test]
    fn what_is_no_map_is_for_others_to_refuse() {
        for text in ["", "[1]", "a: [", "1: 2"] {
            let source = Source::read("".into(), NAME, text.as_bytes().to_vec()).unwrap();
            assert!(unknown_keys(&source).is_empty(), "{text}");
        }
    }
}
