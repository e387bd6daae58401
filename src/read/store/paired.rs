use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{PathKind, ReadError, Store, StoreEntry, shard};
use crate::text::Source;

/// Two states of a tier to compare. Each side reads a path once; a file that is equal on both becomes one source.
pub struct PairedTier {
    label: Arc<str>,
    sides: [PairedTierSide; 2],
    /// Whether both sides are the same store; if so, only the left one is read.
    is_one: bool,
    /// By path, sharded to reduce contention.
    answers: [Mutex<HashMap<Box<str>, Arc<PathAnswers>>>; SHARDS],
}

const SHARDS: usize = 64;

#[derive(Clone)]
pub struct PairedTierSide {
    pub store: Arc<dyn Store>,
    /// Largest file, in bytes.
    pub limit: u64,
}

/// Of the left and the right side.
#[derive(Default)]
struct PathAnswers {
    source: [OnceLock<SourceAnswer>; 2],
    exists: [OnceLock<bool>; 2],
    list: [OnceLock<Result<Box<[StoreEntry]>, ReadError>>; 2],
}

type SourceAnswer = Result<Arc<Source>, ReadError>;

/// The accessed paths that differ between the sides.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Differing {
    pub any: bool,
    pub files: BTreeSet<(Arc<str>, String)>,
    /// Entries that a folder has on one side only, as tier label and path. They need not have been read.
    pub entries: BTreeSet<(Arc<str>, String)>,
}

pub struct RecordedSide {
    pair: Arc<PairedTier>,
    side: usize,
    differing: Arc<Mutex<Differing>>,
}

impl Differing {
    pub fn extend(&mut self, other: Self) {
        self.any |= other.any;
        self.files.extend(other.files);
        self.entries.extend(other.entries);
    }
}

impl PairedTier {
    pub fn new(label: Arc<str>, sides: [PairedTierSide; 2]) -> Self {
        let answers = std::array::from_fn(|_| Mutex::default());
        let [left, right] = &sides;
        let is_one = left.limit == right.limit && left.store.place().is_some_and(|it| right.store.place() == Some(it));
        Self { label, sides, is_one, answers }
    }

    pub fn is_one(&self) -> bool {
        self.is_one
    }

    /// Whether a file differs. Reads it only if necessary.
    pub fn differs(&self, path: &str) -> bool {
        if self.is_known_same(path) {
            return false;
        }
        let answers = self.answers(path);
        let sources = self.sources(&answers, path);
        match sources {
            [Err(ReadError::NotFound), Err(ReadError::NotFound)] => false,
            [Err(_), Err(_)] => {
                let [in_left, in_right] = self.exists(&answers, path);
                in_left != in_right || !is_same(sources)
            }
            _ => !is_same(sources),
        }
    }

    /// Side 0 (left) or 1 (right). Accesses whose result differs on the other side are recorded in `differing`.
    pub fn side(self: &Arc<Self>, side: usize, differing: &Arc<Mutex<Differing>>) -> RecordedSide {
        RecordedSide { pair: Arc::clone(self), side, differing: Arc::clone(differing) }
    }

    /// Reads files of both sides in advance, where that is faster than reading them one by one.
    pub fn read_ahead(&self, paths: &[&str]) {
        for side in if self.is_one { 0..1 } else { 0..2 } {
            let PairedTierSide { store, limit } = &self.sides[side];
            let unknown: Vec<_> = paths.iter().copied().filter(|path| side == 0 || !self.is_known_same(path)).collect();
            store.read_many(&unknown, *limit, &mut |index, bytes| {
                let path = unknown[index];
                let answers = self.answers(path);
                let read = self.source(path, bytes);
                if side == 0 {
                    let _ = answers.source[0].set(read);
                } else {
                    answers.source[1].get_or_init(|| shared(self.left(&answers, path), read));
                }
            });
        }
    }

    pub fn has(&self, path: &str) -> [bool; 2] {
        self.sources(&self.answers(path), path).map(is_file)
    }

    /// Whether both sides are known to be equal without reading the file.
    pub fn is_known_same(&self, path: &str) -> bool {
        let [left, right] = &self.sides;
        self.is_one
            || left.limit == right.limit
                && left.store.identity(path).is_some_and(|id| right.store.identity(path) == Some(id))
    }

    fn answers(&self, path: &str) -> Arc<PathAnswers> {
        let mut known = self.answers[shard(path, SHARDS)].lock().unwrap_or_else(PoisonError::into_inner);
        match known.get(path) {
            Some(answers) => Arc::clone(answers),
            None => Arc::clone(known.entry(path.into()).or_default()),
        }
    }

    fn sources<'a>(&self, answers: &'a PathAnswers, path: &str) -> [&'a SourceAnswer; 2] {
        let left = self.left(answers, path);
        let right = answers.source[1].get_or_init(|| match self.is_known_same(path) {
            true => left.clone(),
            false => shared(left, self.read(1, path)),
        });
        [left, right]
    }

    /// It never waits for the right one, so this cannot deadlock.
    fn left<'a>(&self, answers: &'a PathAnswers, path: &str) -> &'a SourceAnswer {
        answers.source[0].get_or_init(|| self.read(0, path))
    }

    fn read(&self, side: usize, path: &str) -> SourceAnswer {
        let PairedTierSide { store, limit } = &self.sides[side];
        self.source(path, store.read(path, *limit)?)
    }

    /// Leaves out the revision: a file equal on both sides belongs to neither.
    fn source(&self, path: &str, bytes: Vec<u8>) -> SourceAnswer {
        Source::read(Arc::clone(&self.label), path, bytes).map_err(ReadError::NotUtf8)
    }

    /// The sides that answer for the left and the right one.
    fn answering(&self) -> [usize; 2] {
        [0, usize::from(!self.is_one)]
    }

    fn exists(&self, answers: &PathAnswers, path: &str) -> [bool; 2] {
        self.answering().map(|side| *answers.exists[side].get_or_init(|| self.sides[side].store.exists(path)))
    }
}

/// The right side's source, or the left one if equal.
fn shared(left: &SourceAnswer, right: SourceAnswer) -> SourceAnswer {
    match (left, right) {
        (Ok(left), Ok(right)) if *left == right => Ok(Arc::clone(left)),
        (_, right) => right,
    }
}

fn is_same(sources: [&SourceAnswer; 2]) -> bool {
    match sources {
        [Ok(left), Ok(right)] => Arc::ptr_eq(left, right),
        [Err(left), Err(right)] => left.is_same(right),
        _ => false,
    }
}

fn is_file(source: &SourceAnswer) -> bool {
    !matches!(source, Err(ReadError::NotFound | ReadError::NotAFile(_)))
}

impl RecordedSide {
    fn note(&self, note: impl FnOnce(&mut Differing)) {
        let mut differing = self.differing.lock().unwrap_or_else(PoisonError::into_inner);
        differing.any = true;
        note(&mut differing);
    }

    fn place(&self, path: &str) -> (Arc<str>, String) {
        (Arc::clone(&self.pair.label), path.to_string())
    }
}

impl Store for RecordedSide {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        // Bytes are not cached, but this read is recorded as an access.
        let _ = self.source(&self.pair.label, path, limit);
        self.pair.sides[self.side].store.read(path, limit)
    }

    fn kind(&self, path: &str) -> Result<PathKind, ReadError> {
        // Tiers only ask whether a path exists, so that is what is cached and recorded.
        self.exists(path);
        self.pair.sides[self.side].store.kind(path)
    }

    fn exists(&self, path: &str) -> bool {
        let answers = self.pair.answers(path);
        let [left, right] = self.pair.exists(&answers, path);
        if left != right {
            let is_file = self.pair.sources(&answers, path).into_iter().any(is_file);
            self.note(|differing| differing.files.extend(is_file.then(|| self.place(path))));
        }
        [left, right][self.side]
    }

    fn list(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        let answers = self.pair.answers(folder);
        // A tier treats a link as a file.
        let seen = |entry| StoreEntry { is_link: false, ..entry };
        let list = |side: usize| Ok(self.pair.sides[side].store.list(folder)?.into_iter().map(seen).collect());
        let sides = self.pair.answering().map(|side| answers.list[side].get_or_init(|| list(side)));
        match sides {
            [Ok(left), Ok(right)] if left == right => {}
            [Err(left), Err(right)] if left.is_same(right) => {}
            _ => self.note(|differing| {
                let [left, right] = sides.map(|entries| entries.as_deref().unwrap_or_default());
                let alone = |these: &'_ [StoreEntry], those: &'_ [StoreEntry]| -> Vec<_> {
                    let alone = these.iter().filter(|entry| those.binary_search(entry).is_err());
                    alone.map(|entry| self.place(&format!("{folder}/{}", entry.name))).collect()
                };
                differing.entries.extend(alone(left, right).into_iter().chain(alone(right, left)));
            }),
        }
        sides[self.side].as_ref().map(|entries| entries.to_vec()).map_err(Clone::clone)
    }

    fn source(&self, _: &Arc<str>, path: &str, _: u64) -> Result<Arc<Source>, ReadError> {
        let answers = self.pair.answers(path);
        let sources = self.pair.sources(&answers, path);
        if !is_same(sources) {
            self.note(|differing| {
                differing.files.insert(self.place(path));
            });
        }
        sources[self.side].clone()
    }
}
