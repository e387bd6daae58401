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

#[derive(Default)]
struct PathAnswers {
    source: [OnceLock<Result<Arc<Source>, ReadError>>; 2],
    exists: [OnceLock<bool>; 2],
    list: [OnceLock<Result<Box<[StoreEntry]>, ReadError>>; 2],
}

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
        match [0, 1].map(|side| self.source(&answers, side, path)) {
            [Ok(left), Ok(right)] => !Arc::ptr_eq(left, right),
            [Err(ReadError::NotFound), Err(ReadError::NotFound)] => false,
            [Err(left), Err(right)] => {
                let [in_left, in_right] = [0, 1].map(|side| self.exists(&answers, side, path));
                in_left != in_right || !left.is_same(right)
            }
            _ => true,
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
                let read = Source::read(Arc::clone(&self.label), path, bytes).map_err(ReadError::NotUtf8);
                if side == 0 {
                    let _ = answers.source[side].set(read);
                } else {
                    answers.source[side].get_or_init(|| self.shared(&answers, path, read));
                }
            });
        }
    }

    pub fn has(&self, path: &str) -> [bool; 2] {
        let answers = self.answers(path);
        [0, 1].map(|side| self.is_file(&answers, side, path))
    }

    fn side_to_read(&self, side: usize) -> usize {
        if self.is_one { 0 } else { side }
    }

    fn answers(&self, path: &str) -> Arc<PathAnswers> {
        let mut known = self.answers[shard(path, SHARDS)].lock().unwrap_or_else(PoisonError::into_inner);
        match known.get(path) {
            Some(answers) => Arc::clone(answers),
            None => Arc::clone(known.entry(path.into()).or_default()),
        }
    }

    fn source<'a>(&self, answers: &'a PathAnswers, side: usize, path: &str) -> &'a Result<Arc<Source>, ReadError> {
        let side = self.side_to_read(side);
        answers.source[side].get_or_init(|| {
            if side == 0 {
                return self.read(side, path);
            }
            if self.is_known_same(path) {
                return self.source(answers, 0, path).clone();
            }
            self.shared(answers, path, self.read(side, path))
        })
    }

    /// The right side's source, or the left one if equal. The left side never waits for the right
    /// one, so this cannot deadlock.
    fn shared(
        &self,
        answers: &PathAnswers,
        path: &str,
        right: Result<Arc<Source>, ReadError>,
    ) -> Result<Arc<Source>, ReadError> {
        match (self.source(answers, 0, path), right) {
            (Ok(left), Ok(right)) if *left == right => Ok(Arc::clone(left)),
            (_, right) => right,
        }
    }

    /// Leaves out the revision: a file equal on both sides belongs to neither.
    fn read(&self, side: usize, path: &str) -> Result<Arc<Source>, ReadError> {
        let PairedTierSide { store, limit } = &self.sides[side];
        Source::read(Arc::clone(&self.label), path, store.read(path, *limit)?).map_err(ReadError::NotUtf8)
    }

    /// Whether both sides are known to be equal without reading the file.
    pub fn is_known_same(&self, path: &str) -> bool {
        let [left, right] = &self.sides;
        self.is_one
            || left.limit == right.limit
                && left.store.identity(path).is_some_and(|id| right.store.identity(path) == Some(id))
    }

    fn exists(&self, answers: &PathAnswers, side: usize, path: &str) -> bool {
        let side = self.side_to_read(side);
        *answers.exists[side].get_or_init(|| self.sides[side].store.exists(path))
    }

    fn list<'a>(
        &self,
        answers: &'a PathAnswers,
        side: usize,
        folder: &str,
    ) -> &'a Result<Box<[StoreEntry]>, ReadError> {
        let side = self.side_to_read(side);
        // A tier treats a link as a file.
        let seen = |entry| StoreEntry { is_link: false, ..entry };
        answers.list[side].get_or_init(|| Ok(self.sides[side].store.list(folder)?.into_iter().map(seen).collect()))
    }

    fn is_file(&self, answers: &PathAnswers, side: usize, path: &str) -> bool {
        !matches!(self.source(answers, side, path), Err(ReadError::NotFound | ReadError::NotAFile(_)))
    }
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
        let pair = &self.pair;
        let answers = pair.answers(path);
        let [left, right] = [0, 1].map(|side| pair.exists(&answers, side, path));
        if left != right {
            let is_file = [0, 1].into_iter().any(|side| pair.is_file(&answers, side, path));
            self.note(|differing| differing.files.extend(is_file.then(|| self.place(path))));
        }
        [left, right][self.side]
    }

    fn list(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        let answers = self.pair.answers(folder);
        let sides = [0, 1].map(|side| self.pair.list(&answers, side, folder));
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
        let sides = [0, 1].map(|side| self.pair.source(&answers, side, path));
        let is_same = match sides {
            [Ok(left), Ok(right)] => Arc::ptr_eq(left, right),
            [Err(left), Err(right)] => left.is_same(right),
            _ => false,
        };
        if !is_same {
            self.note(|differing| {
                differing.files.insert(self.place(path));
            });
        }
        sides[self.side].clone()
    }
}
