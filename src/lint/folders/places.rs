//! Files of the project as agents read them, and places in them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::agents::{ancestors, below, parent};
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::read::store::{PathKind, ReadError, Store, StoreEntry, Tiers, entries_of};
use crate::text::{Source, Span};

use super::{AgentFolder, folder_of};

/// Moves places from absolute paths to paths in the project.
pub(super) struct Places<'a> {
    around: &'a AgentFolder,
    /// The root without links.
    pub real: String,
    tier: &'a Arc<str>,
    /// The last source of each path and its copy in the project, since a file may have many warnings. Agents may decode
    /// a file differently.
    sources: HashMap<String, (Arc<Source>, Arc<Source>)>,
}

impl<'a> Places<'a> {
    pub fn new(around: &'a AgentFolder, files: &dyn Store, tier: &'a Arc<str>) -> Self {
        Self { around, real: files.real(&around.root), tier, sources: HashMap::new() }
    }

    pub fn in_project(&mut self, diagnostic: Diagnostic) -> Diagnostic {
        let at = match diagnostic.at {
            Some(Location::Span(span)) => match self.inside(span.source().path()) {
                Some(path) => Some(Location::Span(self.copy(path, span.source()).span(span.range()))),
                None => Some(Location::Span(span)),
            },
            Some(Location::File { path, position, revision, tier }) => Some(match self.inside(&path) {
                Some(path) => Location::File { tier: self.tier.clone(), path, revision, position },
                None => Location::File { tier, path, revision, position },
            }),
            None => None,
        };
        let mut problem = diagnostic.problem;
        if let Problem::SkillCollision { winner, .. } = &mut problem {
            *winner = self.inside(winner).unwrap_or_else(|| winner.clone());
        }
        Diagnostic { at, problem }
    }

    /// The source of a file of the project.
    pub fn source(&self, path: &str, bytes: &[u8]) -> Option<Arc<Source>> {
        Some(Source::read_raw(None, self.tier.clone(), self.inside(path)?, bytes))
    }

    pub fn file(&self, path: &str) -> Option<Location> {
        Some(Location::file(Arc::clone(self.tier), self.inside(path)?))
    }

    /// A place in a file of the project.
    pub fn span(&mut self, at: &Span) -> Option<Span> {
        let path = self.inside(at.source().path())?;
        Some(self.copy(path, at.source()).span(at.range()))
    }

    pub fn copy(&mut self, path: String, of: &Arc<Source>) -> Arc<Source> {
        if let Some((_, copy)) = self.sources.get(&path).filter(|(known, _)| Arc::ptr_eq(known, of)) {
            return Arc::clone(copy);
        }
        let copy = of.moved(self.tier.clone(), &path);
        self.sources.insert(path, (Arc::clone(of), Arc::clone(&copy)));
        copy
    }

    pub fn inside(&self, path: &str) -> Option<String> {
        let real = || path.strip_prefix(&self.real)?.strip_prefix('/');
        self.around.inside(path).or_else(real).map(str::to_string)
    }
}

/// The files of the project as its tier reads them, with pending changes, and all other files as they are on disk. It
/// also makes the files that are checked.
pub(super) struct Overlay<'a> {
    pub around: &'a AgentFolder,
    pub tiers: &'a Tiers,
    pub tier: usize,
    /// The real paths of project folders, cached because resolving one means resolving all its parents.
    real: Mutex<HashMap<String, String>>,
    /// Of project folders, cached because every agent lists them.
    listed: Mutex<HashMap<String, Vec<StoreEntry>>>,
}

impl<'a> Overlay<'a> {
    pub fn new(around: &'a AgentFolder, tiers: &'a Tiers, tier: usize) -> Self {
        let root = (around.root.clone(), around.files.real(&around.root));
        let (real, listed) = (Mutex::new(HashMap::from([root])), Mutex::default());
        Self { around, tiers, tier, real, listed }
    }

    fn real_folder(&self, folder: &str) -> String {
        let mut known = self.real.lock().unwrap_or_else(PoisonError::into_inner);
        let unknown: Vec<&str> = ancestors(folder).take_while(|above| !known.contains_key(*above)).collect();
        for folder in unknown.into_iter().rev() {
            let above = parent(folder).and_then(|above| known.get(above)).map(String::as_str);
            let real = self.real_in(folder, above);
            known.insert(folder.to_string(), real);
        }
        known.get(folder).cloned().unwrap_or_else(|| folder.to_string())
    }

    /// Resolves a path, given its resolved folder.
    fn real_in(&self, path: &str, folder: Option<&str>) -> String {
        match (folder, path.rsplit('/').next()) {
            (Some(folder), Some(name)) if !self.around.files.is_link(path) => below(folder, name),
            _ => self.around.files.real(path),
        }
    }
}

impl Store for Overlay<'_> {
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        let Some(inside) = self.around.inside(path) else { return self.around.files.read(path, limit) };
        match self.tiers.read(self.tier, inside) {
            Ok(Some(source)) => {
                let bytes = source.bytes();
                let size = bytes.len() as u64;
                if size > limit { Err(ReadError::TooLarge(Some(size))) } else { Ok(bytes) }
            }
            Ok(None) => Err(ReadError::NotFound),
            // The agent accepts invalid UTF-8.
            Err(error) if matches!(error.problem, Problem::InvalidUtf8 { .. }) => {
                self.tiers.list()[self.tier].store.read(inside, self.tiers.options().max_item_size.min(limit))
            }
            Err(error) => Err(match error.problem {
                Problem::TooLarge { size, .. } => ReadError::TooLarge(size),
                problem => ReadError::other(problem),
            }),
        }
    }

    fn kind(&self, path: &str) -> Result<PathKind, ReadError> {
        let is_piped =
            || self.around.inside(path).is_some_and(|inside| self.around.piped.iter().any(|piped| piped == inside));
        self.around.files.kind(path).or_else(|error| if is_piped() { Ok(PathKind::File) } else { Err(error) })
    }

    fn list(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        let known = || self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entries) = known().get(folder) {
            return Ok(entries.clone());
        }
        let listed = self.list_now(folder)?;
        if self.around.inside(folder).is_some() || folder == self.around.root {
            known().insert(folder.to_string(), listed.clone());
        }
        Ok(listed)
    }

    fn real(&self, path: &str) -> String {
        let folder = parent(path).filter(|_| self.around.inside(path).is_some());
        self.real_in(path, folder.map(|folder| self.real_folder(folder)).as_deref())
    }
}

impl Overlay<'_> {
    fn list_now(&self, folder: &str) -> Result<Vec<StoreEntry>, ReadError> {
        let listed = match &self.around.listed {
            Some(paths) => {
                let before = format!("{}/", folder.trim_end_matches('/'));
                let below = paths.iter().filter_map(|path| path.strip_prefix(&before));
                Ok(entries_of(below).into_iter().collect())
            }
            None => self.around.files.list(folder),
        };
        let is_here = |piped: &&String| self.around.whole(folder_of(piped)) == folder;
        let mut names = self.around.piped.iter().filter(is_here).filter_map(|it| it.rsplit('/').next()).peekable();
        if names.peek().is_none() {
            return listed;
        }
        let mut entries = listed.unwrap_or_default();
        for name in names {
            if let Err(at) = entries.binary_search_by(|entry| entry.name.as_str().cmp(name)) {
                entries.insert(at, StoreEntry::new(name, false));
            }
        }
        Ok(entries)
    }
}
