//! All directives of a project, and their chains.

mod chain;
mod lineage;
#[cfg(test)]
mod tests;

use std::ops::{self, Range};
use std::sync::Arc;
use std::{iter, mem};

use indexmap::IndexMap;
use rayon::prelude::*;

use crate::read::FILES_AT_A_TIME;
use crate::read::item::{Directive, ItemField};
use crate::read::store::ItemId;

use chain::Inherited;
pub use chain::{Chain, ChainEnd, granting};
use lineage::Lineage;

/// All directives of a project, each once, and the directives that they extend.
#[derive(Debug, Clone)]
pub struct DirectiveIndex<T> {
    entries: IndexMap<String, IndexedDirective<T>>,
    parents: Vec<Option<usize>>,
    lineage: Lineage,
    /// What the children of each inherit; not valid for a circular chain.
    handed_on: Vec<Inherited>,
}

/// The copy of a directive that is used.
#[derive(Debug, Clone)]
pub struct IndexedDirective<T> {
    /// `None` if it cannot be used.
    pub directive: Option<Arc<Directive>>,
    /// What the user of the index knows about its file.
    pub file: T,
}

impl<T: Send + Sync> DirectiveIndex<T> {
    /// Reads directives, and then level by level the parents that they name, each file once, and sorts them by id.
    ///
    /// Listings do not follow links to folders, so a parent below one is found only by its name.
    pub fn read(
        ids: impl IntoIterator<Item = ItemId>,
        read: impl Fn(&ItemId) -> Option<IndexedDirective<T>> + Sync,
    ) -> Self {
        let mut entries: IndexMap<String, IndexedDirective<T>> = IndexMap::new();
        let mut wanted: Vec<ItemId> = ids.into_iter().collect();
        while !wanted.is_empty() {
            wanted.sort_unstable();
            wanted.dedup();
            // Each result is written to its place; `filter_map` would gather lists and then join them.
            let found: Vec<Option<_>> =
                wanted.into_par_iter().with_max_len(FILES_AT_A_TIME).map(|id| Some((read(&id)?, id))).collect();
            let known = entries.len();
            entries.reserve(found.len());
            entries.extend(found.into_iter().flatten().map(|(entry, id)| (id.into_string(), entry)));
            let unknown = |at: usize| {
                let parent = entries[at].extends()?.as_str();
                (!entries.contains_key(parent)).then(|| ItemId::parse(parent).ok())?
            };
            wanted = (known..entries.len()).into_par_iter().filter_map(unknown).collect();
        }
        entries.sort_keys();
        Self::new(entries)
    }
}

impl<T> IndexedDirective<T> {
    pub fn extends(&self) -> Option<&ItemField> {
        self.directive.as_ref()?.parent()
    }
}

impl<T: Sync> DirectiveIndex<T> {
    pub fn new(entries: IndexMap<String, IndexedDirective<T>>) -> Self {
        let parent = |at: usize| position(&entries, entries[at].extends()?.as_str());
        let parents: Vec<_> = (0..entries.len()).into_par_iter().map(parent).collect();
        let lineage = Lineage::new(&parents);
        let mut handed_on = vec![Inherited::default(); parents.len()];
        for &at in &lineage.root_first {
            let inherited = parents[at].map_or(Inherited::default(), |parent| handed_on[parent]);
            handed_on[at] = inherited.below(at, entries[at].directive.as_deref());
        }
        Self { entries, parents, lineage, handed_on }
    }

    /// Replaces the text of a directive.
    pub fn replace(&mut self, at: usize, directive: Option<Arc<Directive>>) {
        let facts = |directive: &Option<Arc<Directive>>| {
            let directive = directive.as_ref()?;
            Some((directive.parent().map(|parent| parent.as_str().to_string()), directive.permissions.is_empty()))
        };
        let is_same = facts(&self.entries[at].directive) == facts(&directive);
        self.entries[at].directive = directive;
        if !is_same {
            *self = Self::new(mem::take(&mut self.entries));
        }
    }
}

impl<T> DirectiveIndex<T> {
    pub fn positions(&self) -> Range<usize> {
        0..self.entries.len()
    }

    pub fn entries(&self) -> impl ExactSizeIterator<Item = (&str, &IndexedDirective<T>)> {
        self.entries.iter().map(|(id, entry)| (id.as_str(), entry))
    }

    pub fn id(&self, at: usize) -> &str {
        let (id, _) = self.entries.get_index(at).expect("it is a position in the index");
        id
    }

    pub fn find(&self, id: &str) -> Option<usize> {
        self.entries.get_index_of(id)
    }

    /// The directive that an `extends` or a routing hook names.
    pub fn named(&self, parent: &ItemField) -> Option<usize> {
        position(&self.entries, parent.as_str())
    }

    pub fn parent(&self, at: usize) -> Option<usize> {
        self.parents[at]
    }

    /// For each directive, those that extend it.
    pub fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.entries.len()];
        for (child, parent) in self.parents.iter().enumerate() {
            parent.iter().for_each(|&parent| children[parent].push(child));
        }
        children
    }

    /// A directive and its ancestors, the nearest first and each once.
    pub fn members(&self, at: usize) -> impl Iterator<Item = usize> {
        iter::successors(Some(at), |&at| self.parents[at]).take(self.chain_length(at))
    }

    /// Each directive after its parent. In a cycle, any member may come first.
    pub fn root_first(&self) -> &[usize] {
        &self.lineage.root_first
    }

    /// The number of distinct directives in the chain of one, including itself.
    pub fn chain_length(&self, at: usize) -> usize {
        self.lineage.lengths[at]
    }

    pub fn is_circular(&self, at: usize) -> bool {
        self.lineage.circular[at]
    }

    /// The first member of each cycle.
    pub fn cycles(&self) -> &[usize] {
        &self.lineage.cycles
    }

    /// For each directive, whether one in its chain is selected.
    pub fn have_in_chain(&self, is_selected: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut have: Vec<bool> = self.positions().map(is_selected).collect();
        // The first pass may reach a member of a cycle before its parent.
        for _ in 0..2 {
            for &at in self.root_first() {
                have[at] |= self.parents[at].is_some_and(|parent| have[parent]);
            }
        }
        have
    }
}

impl<T: Sync> Default for DirectiveIndex<T> {
    fn default() -> Self {
        Self::new(IndexMap::new())
    }
}

impl<T> ops::Index<usize> for DirectiveIndex<T> {
    type Output = IndexedDirective<T>;

    fn index(&self, at: usize) -> &IndexedDirective<T> {
        &self.entries[at]
    }
}

/// A file may exist whose name is not a valid id, but nothing can name it.
fn position<T>(entries: &IndexMap<String, IndexedDirective<T>>, id: &str) -> Option<usize> {
    entries.get_index_of(id).filter(|_| ItemId::check(id).is_ok())
}
