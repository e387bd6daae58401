//! No byte of a file affects the prompt of an agent unless the prompt says that the file counts.
//!
//! In every conformance case of an agent, bytes of every file are replaced, one at a time:
//!
//! 1. a byte of a file that is left out, or that has no state, before and after, changes no message, unless the file is
//!    one of the few that decide about others;
//! 2. a letter of a loaded file changes the segments whose range contains it, and nothing else, unless other files count
//!    or stand in another order, such as those that the letter imports;
//! 3. whatever changes, segments follow each other without gaps, and one of a file is a slice of that file.

mod trees;

use std::collections::BTreeMap;

use rayon::prelude::*;
use rye_render::internals::prompt::{FileReason, FileState, Prompt};
use rye_render::internals::read::store::Store;
use rye_render::internals::text::{Origin, Source};

use super::mutation::thorough;
use crate::announce;
use crate::cases::conformance_folder;
use trees::Tree;

/// Files above this size have about this many of their bytes replaced, unless every byte is asked for.
const MOST_BYTES: usize = 150;

/// Marks with a meaning in some format, one of which replaces each byte, in turn.
const MARKS: &[u8] = b" \n\"'-#:*[{<=!,\xff";

/// The names of files that decide which others count, and have no state themselves.
const DECIDING: [&str; 7] =
    [".gitignore", ".ignore", ".git", ".claude.json", "package.json", "settings.json", "trust.json"];

#[test]
fn every_byte_that_changes_the_prompt_of_an_agent_is_in_a_file_that_counts() {
    let Some(folder) = conformance_folder() else {
        announce("mutation: agents: not run: RYE_RENDER_CONFORMANCE is not set");
        return;
    };
    let trees = trees::all(&folder.with_file_name("agents"));
    let changes: Vec<(&Tree, Change)> = trees.iter().flat_map(|tree| changes(tree).map(move |it| (tree, it))).collect();
    let failed =
        changes.par_iter().filter_map(|(tree, change)| Some(((&tree.name, change.path), change.check(tree).err()?)));
    // One for each file is enough to see what is wrong.
    let failures: BTreeMap<(&String, &str), String> = failed.collect::<Vec<_>>().into_iter().collect();
    assert!(failures.is_empty(), "changes are not explained: {failures:#?}");
    announce(&format!("mutation: agents: {} changes in {} cases", changes.len(), trees.len()));
}

/// A replaced byte.
#[derive(Clone, Copy)]
struct Change<'a> {
    path: &'a str,
    at: usize,
    was: u8,
    with: u8,
}

fn changes(tree: &Tree) -> impl Iterator<Item = Change<'_>> {
    tree.files.iter().flat_map(|(path, bytes)| {
        let most = if thorough() { bytes.len() } else { MOST_BYTES };
        let step = bytes.len().div_ceil(most.max(1)).max(1);
        bytes.iter().enumerate().step_by(step).flat_map(move |(at, &was)| {
            let letter = if was == b'x' { b'y' } else { b'x' };
            let marks = MARKS.iter().cycle().skip(at % MARKS.len());
            let mark = marks.copied().find(|&mark| mark != was).unwrap_or(letter);
            [letter, mark].map(|with| Change { path, at, was, with })
        })
    })
}

/// A segment of a message: its text, and the range of the changed file that it has or is computed from.
#[derive(PartialEq)]
struct Piece {
    text: String,
    is_exact: bool,
    range: std::ops::Range<usize>,
}

impl Change<'_> {
    fn check(self, tree: &Tree) -> Result<(), String> {
        let Self { path, at, was, with } = self;
        let mut changed = tree.files[path].clone();
        changed[at] = with;
        let store = tree.store(Some((path, &changed)));
        let (before, after) = (&tree.prompt, tree.render(&store));
        let wrong =
            |what: &str| Err(format!("{path}: byte {at}, {:?} became {:?}: {what}", char::from(was), char::from(with)));
        if let Some(what) = incoherent(&after, &store) {
            return wrong(&what);
        }
        let counts = |prompt| counts(prompt, &store, path);
        let is_deciding = path.split('/').any(|name| DECIDING.contains(&name));
        if texts(before) != texts(&after) && !counts(before) && !counts(&after) && !is_deciding {
            return wrong("messages change, but the file does not count");
        }
        let is_loaded = before
            .files
            .iter()
            .any(|file| matches!(file.state, FileState::Loaded | FileState::Cut(_)) && store.real(&file.path) == path);
        // Otherwise, offsets in the text are not those of the file.
        let is_text = std::str::from_utf8(&changed).is_ok();
        let is_letter = was.is_ascii_alphanumeric() && with.is_ascii_alphabetic();
        if is_loaded && is_text && is_letter && outline(before) == outline(&after) {
            let (before, after) = (pieces(before, &store, path), pieces(&after, &store, path));
            let same = |(a, b): (&Piece, &Piece)| {
                let holds = a.range.contains(&at);
                a.range == b.range
                    && if holds && a.is_exact { b.text == replaced(a, at, with) } else { holds || a == b }
            };
            if before.len() != after.len() || !before.iter().zip(&after).all(same) {
                return wrong("other segments change than those that contain it");
            }
        }
        Ok(())
    }
}

/// The text of a segment with another byte at an offset of the file.
fn replaced(piece: &Piece, at: usize, with: u8) -> String {
    let mut bytes = piece.text.clone().into_bytes();
    bytes[at - piece.range.start] = with;
    String::from_utf8(bytes).expect("an ASCII character replaces another")
}

/// Which files count, and the layers in order.
fn outline(prompt: &Prompt) -> (Vec<(&str, FileState, Option<FileReason>)>, Vec<&str>) {
    let files = prompt.files.iter().map(|file| (file.path.as_str(), file.state, file.why));
    (files.collect(), prompt.layers.iter().map(|layer| layer.name.as_str()).collect())
}

fn texts(prompt: &Prompt) -> Vec<(&'static str, &str)> {
    prompt.messages.iter().map(|message| (message.role.into(), message.text())).collect()
}

/// Whether a prompt says that a file counts. Skills that are hidden or over the budget compete with those that are listed.
fn counts(prompt: &Prompt, store: &dyn Store, path: &str) -> bool {
    let mut of_file = prompt.files.iter().filter(|file| store.real(&file.path) == path);
    of_file.any(|file| {
        file.state != FileState::LeftOut || matches!(file.why, Some(FileReason::Hidden | FileReason::Budget))
    }) || !pieces(prompt, store, path).iter().all(|piece| piece.range.is_empty())
}

/// All segments; those of other files have an empty range.
fn pieces(prompt: &Prompt, store: &dyn Store, path: &str) -> Vec<Piece> {
    let segments = prompt.messages.iter().flat_map(|message| message.segments());
    segments
        .map(|segment| {
            let span = segment.origin.span().filter(|span| store.real(span.source().path()) == path);
            let range = span.map_or(0..0, |span| span.range());
            Piece { text: segment.text.to_string(), is_exact: matches!(segment.origin, Origin::File(_)), range }
        })
        .collect()
}

/// What is wrong with the segments of a prompt.
fn incoherent(prompt: &Prompt, store: &dyn Store) -> Option<String> {
    for message in &prompt.messages {
        let mut end = 0;
        for segment in message.segments() {
            if segment.at != end || segment.text != &message.text()[end..end + segment.text.len()] {
                return Some(format!("a gap at {end}"));
            }
            end += segment.text.len();
            let Origin::File(span) = segment.origin else { continue };
            let path = span.source().path();
            let bytes = store.read(path, u64::MAX).ok()?;
            let file = Source::read_raw(None, "".into(), path, &bytes);
            if file.text().get(span.range()) != Some(segment.text) {
                return Some(format!("{path}: {:?} is not {:?} of it", segment.text, span.range()));
            }
        }
        if end != message.text().len() {
            return Some(format!("nothing from {end} on"));
        }
    }
    None
}
