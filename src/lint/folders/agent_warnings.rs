//! What coding agents warn about when they start in the folder.

use std::collections::HashMap;
use std::sync::Arc;

use super::AgentFolder;
use crate::agents::render_agent;
use crate::diagnostic::{Diagnostic, Location, Severity};
use crate::read::store::Store;
use crate::text::Source;

#[derive(Debug)]
pub struct AgentWarnings {
    /// `codex 0.169.0`
    pub agent: String,
    /// Warnings and errors. Files in the folder are those of the project.
    pub diagnostics: Vec<Diagnostic>,
}

/// The warnings of each agent. `files` are those of the folder and around it, and `tier` is the label of the project.
pub(super) fn warnings(around: &AgentFolder, files: &dyn Store, tier: &Arc<str>) -> Vec<AgentWarnings> {
    let mut places = Places { around, real: files.real(&around.root), tier, sources: HashMap::new() };
    let of_agent = |request| {
        let prompt = render_agent(request, files);
        let serious = prompt.diagnostics.into_iter().filter(|it| it.severity() >= Severity::Warning);
        AgentWarnings { agent: prompt.protocol, diagnostics: serious.map(|it| places.in_project(it)).collect() }
    };
    around.agents.iter().map(of_agent).collect()
}

/// Moves places from absolute paths to paths in the project.
struct Places<'a> {
    around: &'a AgentFolder,
    /// The root without links.
    real: String,
    tier: &'a Arc<str>,
    /// The last source of each path and its copy in the project, since a file may have many warnings. Agents may decode
    /// a file differently.
    sources: HashMap<String, (Arc<Source>, Arc<Source>)>,
}

impl Places<'_> {
    fn in_project(&mut self, diagnostic: Diagnostic) -> Diagnostic {
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
        Diagnostic { at, ..diagnostic }
    }

    fn copy(&mut self, path: String, of: &Arc<Source>) -> Arc<Source> {
        if let Some((_, copy)) = self.sources.get(&path).filter(|(known, _)| Arc::ptr_eq(known, of)) {
            return Arc::clone(copy);
        }
        let copy = Source::read_raw(None, self.tier.clone(), &path, of.text().as_bytes());
        self.sources.insert(path, (Arc::clone(of), Arc::clone(&copy)));
        copy
    }

    fn inside(&self, path: &str) -> Option<String> {
        let real = || path.strip_prefix(&self.real)?.strip_prefix('/');
        self.around.inside(path).or_else(real).map(str::to_string)
    }
}
