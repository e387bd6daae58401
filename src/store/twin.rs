use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{Entry, ReadError, Store};
use crate::text::Source;

/// A tier as it is on two sides. Each path is looked at once a side, and a file that is the same on both is one source.
pub struct Twin {
    label: Arc<str>,
    sides: [Half; 2],
    /// Whether both are one and the same: then only the left one is looked at.
    is_one: bool,
    /// By path, in parts, so that threads seldom wait for each other.
    answers: [Mutex<HashMap<Box<str>, Arc<Answers>>>; PARTS],
}

const PARTS: usize = 64;

/// One side of a tier.
#[derive(Clone)]
pub struct Half {
    /// Its files.
    pub store: Arc<dyn Store>,
    /// The largest file in bytes.
    pub limit: u64,
}

/// What both sides say about a path, as far as they were asked.
#[derive(Default)]
struct Answers {
    source: [OnceLock<Result<Arc<Source>, ReadError>>; 2],
    exists: [OnceLock<bool>; 2],
    list: [OnceLock<Result<Box<[Entry]>, ReadError>>; 2],
}

/// What was looked at, as far as the two sides of a tier answer differently.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Differing {
    /// Whether anything is.
    pub any: bool,
    /// The files, after the label of their tier.
    pub files: BTreeSet<(Arc<str>, String)>,
    /// The entries that a folder has on one side alone, likewise. Nobody may have read them.
    pub entries: BTreeSet<(Arc<str>, String)>,
}

/// One side of a tier, as one prompt looks at it.
pub struct OneSide {
    twin: Arc<Twin>,
    side: usize,
    differing: Arc<Mutex<Differing>>,
}

impl Differing {
    /// Adds what else differs.
    pub fn extend(&mut self, other: Self) {
        self.any |= other.any;
        self.files.extend(other.files);
        self.entries.extend(other.entries);
    }
}

impl Twin {
    /// The left and the right side of a tier of that label.
    pub fn new(label: Arc<str>, sides: [Half; 2]) -> Self {
        let answers = std::array::from_fn(|_| Mutex::default());
        let [left, right] = &sides;
        let is_one = left.limit == right.limit && left.store.place().is_some_and(|it| right.store.place() == Some(it));
        Self { label, sides, is_one, answers }
    }

    /// Whether both sides are known to be the same in whole.
    pub fn is_one(&self) -> bool {
        self.is_one
    }

    /// Whether the sides answer differently about a file. Nothing is read where that is known without.
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

    /// One of its sides (0 is the left one), which notes in `differing` what it is asked and the other would answer
    /// differently.
    pub fn side(self: &Arc<Self>, side: usize, differing: &Arc<Mutex<Differing>>) -> OneSide {
        OneSide { twin: Arc::clone(self), side, differing: Arc::clone(differing) }
    }

    /// Reads files of both sides ahead, where that is faster than one by one.
    pub fn read_ahead(&self, paths: &[&str]) {
        for side in if self.is_one { 0..1 } else { 0..2 } {
            let Half { store, limit } = &self.sides[side];
            let unknown: Vec<_> = paths.iter().copied().filter(|path| side == 0 || !self.is_known_same(path)).collect();
            store.read_many(&unknown, *limit, &mut |index, bytes| {
                let path = unknown[index];
                let answers = self.answers(path);
                let read = Source::read(Arc::clone(&self.label), path, bytes).map_err(ReadError::NotUtf8);
                if side == 0 {
                    // If somebody was faster, theirs counts.
                    let _ = answers.source[side].set(read);
                } else {
                    answers.source[side].get_or_init(|| self.shared(&answers, path, read));
                }
            });
        }
    }

    /// Whether a file is there on either side.
    pub fn has(&self, path: &str) -> [bool; 2] {
        let answers = self.answers(path);
        [0, 1].map(|side| self.is_file(&answers, side, path))
    }

    fn looked_at(&self, side: usize) -> usize {
        if self.is_one { 0 } else { side }
    }

    fn answers(&self, path: &str) -> Arc<Answers> {
        // The ends of paths differ most; which part it is only has to be the same each time.
        let part = path.bytes().rev().take(12).fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        let mut known = self.answers[part as usize % PARTS].lock().unwrap_or_else(PoisonError::into_inner);
        match known.get(path) {
            Some(answers) => Arc::clone(answers),
            None => Arc::clone(known.entry(path.into()).or_default()),
        }
    }

    fn source<'a>(&self, answers: &'a Answers, side: usize, path: &str) -> &'a Result<Arc<Source>, ReadError> {
        let side = self.looked_at(side);
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

    /// What the right side reads, or the very same of the left side. That never waits for the right one, so this ends.
    fn shared(
        &self,
        answers: &Answers,
        path: &str,
        right: Result<Arc<Source>, ReadError>,
    ) -> Result<Arc<Source>, ReadError> {
        match (self.source(answers, 0, path), right) {
            (Ok(left), Ok(right)) if *left == right => Ok(Arc::clone(left)),
            (_, right) => right,
        }
    }

    /// Reads a file. Its revision is not told: what is the same on both sides is of neither.
    fn read(&self, side: usize, path: &str) -> Result<Arc<Source>, ReadError> {
        let Half { store, limit } = &self.sides[side];
        Source::read(Arc::clone(&self.label), path, store.read(path, *limit)?).map_err(ReadError::NotUtf8)
    }

    /// Whether a file is the same on both sides, as far as that is known without reading it.
    pub fn is_known_same(&self, path: &str) -> bool {
        let [left, right] = &self.sides;
        self.is_one
            || left.limit == right.limit
                && left.store.identity(path).is_some_and(|id| right.store.identity(path) == Some(id))
    }

    fn exists(&self, answers: &Answers, side: usize, path: &str) -> bool {
        let side = self.looked_at(side);
        *answers.exists[side].get_or_init(|| self.sides[side].store.exists(path))
    }

    fn list<'a>(&self, answers: &'a Answers, side: usize, folder: &str) -> &'a Result<Box<[Entry]>, ReadError> {
        let side = self.looked_at(side);
        answers.list[side].get_or_init(|| self.sides[side].store.list(folder).map(Vec::into_boxed_slice))
    }

    fn is_file(&self, answers: &Answers, side: usize, path: &str) -> bool {
        !matches!(self.source(answers, side, path), Err(ReadError::NotFound | ReadError::NotAFile(_)))
    }
}

impl OneSide {
    /// Notes that the other side answers differently.
    fn note(&self, note: impl FnOnce(&mut Differing)) {
        let mut differing = self.differing.lock().unwrap_or_else(PoisonError::into_inner);
        differing.any = true;
        note(&mut differing);
    }

    fn place(&self, path: &str) -> (Arc<str>, String) {
        (Arc::clone(&self.twin.label), path.to_string())
    }
}

impl Store for OneSide {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        // Bytes are not kept, and prompts are made of sources alone; but what is read here decides as well.
        let _ = self.source(&self.twin.label, path, limit);
        self.twin.sides[self.side].store.read(path, limit)
    }

    fn exists(&self, path: &str) -> bool {
        let twin = &self.twin;
        let answers = twin.answers(path);
        let [left, right] = [0, 1].map(|side| twin.exists(&answers, side, path));
        if left != right {
            let is_file = [0, 1].into_iter().any(|side| twin.is_file(&answers, side, path));
            self.note(|differing| differing.files.extend(is_file.then(|| self.place(path))));
        }
        [left, right][self.side]
    }

    fn list(&self, folder: &str) -> Result<Vec<Entry>, ReadError> {
        let answers = self.twin.answers(folder);
        let sides = [0, 1].map(|side| self.twin.list(&answers, side, folder));
        match sides {
            [Ok(left), Ok(right)] if left == right => {}
            [Err(left), Err(right)] if left.is_same(right) => {}
            _ => self.note(|differing| {
                let [left, right] = sides.map(|entries| entries.as_deref().unwrap_or_default());
                let alone = |these: &'_ [Entry], those: &'_ [Entry]| -> Vec<_> {
                    let alone = these.iter().filter(|entry| those.binary_search(entry).is_err());
                    alone.map(|entry| self.place(&format!("{folder}/{}", entry.name))).collect()
                };
                differing.entries.extend(alone(left, right).into_iter().chain(alone(right, left)));
            }),
        }
        sides[self.side].as_ref().map(|entries| entries.to_vec()).map_err(Clone::clone)
    }

    fn source(&self, _: &Arc<str>, path: &str, _: u64) -> Result<Arc<Source>, ReadError> {
        let answers = self.twin.answers(path);
        let sides = [0, 1].map(|side| self.twin.source(&answers, side, path));
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
