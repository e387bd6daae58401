//! What one reading of a project leaves for the next, which then reads only the files that changed.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use rayon::prelude::*;
use strum::VariantArray;

use crate::decide::{DirectiveIndex, IndexedDirective};
use crate::diagnostic::Diagnostic;
use crate::fill::assemble::Configuration;
use crate::read::item::Directive;
use crate::read::store::ItemKind;

use super::{FileContent, LintFile, Project};

#[derive(Debug, Clone, Default)]
pub struct Known {
    pub(super) reading: Option<Reading>,
    /// The paths that have another text now than on disk.
    pub(super) replaced: BTreeSet<String>,
}

impl Known {
    /// For a reading in which these paths have another text than on disk, and the disk is as it was.
    pub fn replacing(self, replaced: BTreeSet<String>) -> Self {
        Self { replaced, ..self }
    }
}

impl From<&Project<'_>> for Known {
    fn from(project: &Project<'_>) -> Self {
        let reading = Reading {
            files: project.files.clone(),
            configuration: project.configuration.clone(),
            listing: project.listing.clone(),
            ids: project.ids.clone(),
            index: project.index.clone(),
            names: project.names.clone(),
        };
        Self { reading: Some(reading), replaced: BTreeSet::new() }
    }
}

impl From<Project<'_>> for Known {
    fn from(project: Project<'_>) -> Self {
        let Project { files, configuration, listing, ids, index, names, .. } = project;
        let reading = Reading { files, configuration, listing, ids, index, names };
        Self { reading: Some(reading), replaced: BTreeSet::new() }
    }
}

#[derive(Debug, Clone)]
pub(super) struct Reading {
    pub files: Vec<LintFile>,
    pub configuration: Option<Arc<Configuration>>,
    pub listing: Listing,
    pub ids: Ids,
    pub index: DirectiveIndex<usize>,
    pub names: Names,
}

impl Reading {
    /// Replaces a listed file; returns whether it still names the same items.
    pub fn replace(&mut self, at: usize, file: LintFile) -> bool {
        let indexed = self.index.find(&file.id).filter(|&indexed| self.index[indexed].file == at);
        if let Some(indexed) = indexed {
            self.index.replace(indexed, file.indexed(at).directive);
        }
        let named = |file: &LintFile| {
            let references = file.readable().into_iter().flat_map(Directive::references);
            references.map(|(kind, id)| (kind, id.as_str().to_string())).collect::<Vec<_>>()
        };
        let is_same = named(&self.files[at]) == named(&file);
        self.files[at] = file;
        is_same
    }

    /// The listed files alone.
    pub fn into_listed(mut self) -> (Vec<LintFile>, Listing) {
        self.files.truncate(self.listing.files.unwrap_or_default());
        (self.files, self.listing)
    }
}

/// The files of the project tier.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// Their number; `None` if not all could be read.
    pub(super) files: Option<usize>,
    /// Markdown files in the folders of directives and knowledge with an extension that is never read.
    pub unread_markdown: Vec<String>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// The paths that had another text than on disk.
    pub(super) replaced: BTreeSet<String>,
}

/// The copy of each item that is used, as an index into the files.
#[derive(Debug, Clone, Default)]
pub(super) struct Ids {
    /// Without directives.
    items: [HashMap<String, usize>; ItemKind::VARIANTS.len()],
    /// In the order of the files, until they are indexed.
    pub directives: IndexMap<String, IndexedDirective<usize>>,
}

impl Ids {
    pub fn of(files: &[LintFile]) -> Self {
        let mut ids = Self::default();
        (0..files.len()).for_each(|index| ids.enter(files, index));
        ids
    }

    /// Adds one of the files. If several have the same id, the first extension wins.
    pub fn enter(&mut self, files: &[LintFile], index: usize) {
        let file = &files[index];
        let Some(kind) = file.kind.item() else { return };
        if kind == ItemKind::Directive {
            self.directives.entry(file.id.clone()).or_insert_with(|| file.indexed(index));
            return;
        }
        let rank = |path: &str| {
            let extension = path.rsplit('.').next().unwrap_or_default();
            kind.extensions().iter().position(|known| *known == extension)
        };
        let entry = self.items[kind as usize].entry(file.id.clone()).or_insert(index);
        if rank(&file.path) < rank(&files[*entry].path) {
            *entry = index;
        }
    }

    pub fn find(&self, kind: ItemKind, id: &str) -> Option<usize> {
        match kind {
            ItemKind::Directive => Some(self.directives.get(id)?.file),
            _ => self.items[kind as usize].get(id).copied(),
        }
    }
}

/// What directives and hooks name.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    /// The files whose directive names an id.
    by: [HashMap<String, Vec<usize>>; ItemKind::VARIANTS.len()],
    /// Whether an id is in no tier, or has placeholders.
    pub is_any_missing: bool,
    /// Items that exist but could not be read.
    pub refused: Vec<(ItemKind, String, Diagnostic)>,
    /// Suggestions for missing ids, computed on first use.
    pub nearest: HashMap<(ItemKind, String), OnceLock<Option<String>>>,
}

impl Names {
    /// Enters what files name, from one of them on; returns what no file named before.
    pub fn enter_all(&mut self, files: &[LintFile], from: usize) -> Vec<(ItemKind, String)> {
        // A thread for each kind, since nothing else can run meanwhile.
        let named = files.iter().enumerate().skip(from).filter_map(|(at, file)| Some((at, file.readable()?)));
        let of_kind = |(kind, by): (&ItemKind, &mut HashMap<String, Vec<usize>>)| {
            let mut new = Vec::new();
            for (at, directive) in named.clone() {
                for (_, id) in directive.references().filter(|(it, _)| it == kind) {
                    match by.get_mut(id.as_str()) {
                        Some(files) => files.push(at),
                        None => {
                            let id = id.as_str().to_string();
                            new.push((*kind, id.clone()));
                            by.insert(id, vec![at]);
                        }
                    }
                }
            }
            new
        };
        ItemKind::VARIANTS.par_iter().zip(&mut self.by).flat_map(of_kind).collect()
    }

    pub fn by(&self, kind: ItemKind, id: &str) -> &[usize] {
        self.by[kind as usize].get(id).map_or(&[], Vec::as_slice)
    }
}

impl LintFile {
    fn indexed(&self, file: usize) -> IndexedDirective<usize> {
        let directive = match &self.content {
            FileContent::Directive(directive) => Some(Arc::clone(directive)),
            _ => None,
        };
        IndexedDirective { directive, file }
    }
}
