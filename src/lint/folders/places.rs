//! Places in files that agents read.

use std::collections::HashMap;
use std::sync::Arc;

use super::AgentFolder;
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::read::store::Store;
use crate::text::{Source, Span};

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
        let path = self.inside(path)?;
        Some(Location::File { tier: self.tier.clone(), path, revision: None, position: None })
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
