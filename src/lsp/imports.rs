//! The imports of agents' files: where each leads, and which lead to a file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gen_lsp_types::Location;

use super::about::About;
use super::names;
use super::places::START;
use crate::read::address::url_of;
use crate::text::{Source, Span};

impl<'a> About<'a> {
    fn all_imports(&self) -> impl Iterator<Item = &'a (Span, String)> {
        self.reading.project.folders.iter().flat_map(|folders| &folders.imports)
    }

    /// The file that is imported at an offset.
    pub(super) fn import(&self, offset: usize) -> Option<&'a Path> {
        let here = self.root.join(self.path);
        let mut own = self.all_imports().filter(|(span, _)| here == Path::new(span.source().path()));
        let position = self.encoding.position_in(self.read_text(), offset);
        let mut last: Option<(&Arc<Source>, usize)> = None;
        let mut is_here = |span: &'a Span| {
            // Some agents read the file with its own line ends.
            let at = match last {
                Some((source, at)) if Arc::ptr_eq(source, span.source()) => at,
                _ => last.insert((span.source(), self.encoding.offset(span.source().text(), position))).1,
            };
            names::holds(span, at)
        };
        own.find_map(|(span, imported)| is_here(span).then(|| Path::new(imported)))
    }

    /// The imports of the file that is imported at an offset, or of the document, for which its first line stands.
    pub(super) fn imports(&self, offset: usize, with_definition: bool) -> Vec<Location> {
        let is_first_line = !self.read_text()[..offset].contains('\n');
        let own = || is_first_line.then(|| self.root.join(self.path));
        let Some(file) = self.import(offset).map(PathBuf::from).or_else(own) else { return Vec::new() };
        // Several agents may read the same import.
        let mut known = BTreeSet::new();
        let of_it = self.all_imports().filter(|(_, imported)| file == Path::new(imported)).map(|(span, _)| span);
        let of_it = of_it.filter(|span| known.insert((span.source().path(), span.range().start)));
        let definition = with_definition.then(|| Location { uri: url_of(&file).into(), range: START });
        let place = |span: &Span| {
            let path = self.root.join(span.source().path());
            Location { uri: url_of(&path).into(), range: self.encoding.span(span) }
        };
        definition.into_iter().chain(of_it.map(place)).collect()
    }
}
