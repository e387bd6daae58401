//! Chains that do not reach a root, reported where they can be fixed.

use crate::diagnostic::{ChainLink, Location};
use crate::lint::rules::{Composed, LintFile, Project, Span};

/// A broken chain, as one member reports it.
pub(super) struct Broken<'c, 'p> {
    composed: &'c Composed<'p>,
    project: &'c Project<'p>,
    chain: Vec<&'p LintFile>,
    /// The index of the linted member nearest to the break.
    owner: usize,
}

impl<'c, 'p> Broken<'c, 'p> {
    /// The break above member `by`; none if another prompt reports it. A broken directive thus
    /// gives one finding, not one per descendant.
    pub fn behind(by: usize, composed: &'c Composed<'p>, project: &'c Project<'p>) -> Option<Self> {
        let (leaf, chain) = (composed.length() - 1, composed.chain());
        let owner = (by..leaf).find(|&index| chain[index].is_linted).unwrap_or(leaf);
        let is_reporter = owner == leaf || is_routed(chain[owner], project);
        is_reporter.then_some(Self { composed, project, chain, owner })
    }

    /// Where the owner declares its parent.
    pub fn at(&self) -> Location {
        let file = self.chain[self.owner];
        // A hook in another tier cannot be fixed here.
        let is_of_tier = |span: &&Span| *span.source().tier() == *self.project.tiers.list()[file.tier].label;
        match self.link(self.owner).filter(is_of_tier) {
            Some(span) => Location::Span(span.clone()),
            None => self.project.location(file),
        }
    }

    pub fn links(&self, end: &str) -> Vec<ChainLink> {
        let members = (0..=self.owner).rev().map(|index| link(self.chain[index], self.link(index), self.project));
        members.chain([ChainLink::end(end)]).collect()
    }

    /// The declaration that leads from a member to its parent.
    fn link(&self, index: usize) -> Option<&'p Span> {
        let target = match self.composed.routed_by.filter(|_| index + 1 == self.chain.len()) {
            Some(hook) => hook.parent(),
            None => self.chain[index].readable()?.extends.as_ref(),
        };
        target.map(|field| &field.span)
    }
}

/// Whether a hook is certain to set a different parent, so that `extends` only matters to children.
pub(super) fn is_routed(file: &LintFile, project: &Project<'_>) -> bool {
    file.directive().is_some_and(|directive| project.composed(file, directive).routed_by.is_some())
}

pub(super) fn link(file: &LintFile, leads_on: Option<&Span>, project: &Project<'_>) -> ChainLink {
    let place = match leads_on {
        Some(span) => format!("{}:{}", span.source().path(), span.line()),
        None => file.path.clone(),
    };
    ChainLink { id: file.id.clone(), tier: project.tiers.list()[file.tier].label.to_string(), place }
}
