//! A chain that does not reach a root, told where somebody can put it right.

use std::borrow::Cow;

use crate::diagnostic::{ChainLink, Location};
use crate::lint::project::ComposedMember;
use crate::lint::rules::{Composed, LintFile, Project};
use crate::text::Span;

/// A chain that breaks: the member that is told of it, and the chain from there on.
pub(super) struct Broken<'c, 'p> {
    composed: &'c Composed<'p>,
    project: &'c Project<'p>,
    chain: Cow<'c, [ComposedMember<'p>]>,
    /// The linted member that is nearest to the break, by its index in the chain.
    owner: usize,
}

impl<'c, 'p> Broken<'c, 'p> {
    /// The break behind the member `by` of a chain; none where another prompt tells of it, so that many descendants of
    /// one broken directive give one finding.
    pub fn behind(by: usize, composed: &'c Composed<'p>, project: &'c Project<'p>) -> Option<Self> {
        let (leaf, chain) = (composed.length - 1, composed.chain());
        let owner = (by..leaf).find(|&index| chain[index].file.is_linted).unwrap_or(leaf);
        let is_told = owner == leaf || is_routed(chain[owner].file, project);
        is_told.then_some(Self { composed, project, chain, owner })
    }

    /// Where the member says what leads on.
    pub fn at(&self) -> Location {
        let file = self.chain[self.owner].file;
        // A hook of another tier is no place to put it right.
        let is_of_tier = |span: &&Span| *span.source().tier() == *self.project.tiers.list()[file.tier].label;
        match self.link(self.owner).filter(is_of_tier) {
            Some(span) => Location::Span(span.clone()),
            None => self.project.location(file),
        }
    }

    /// The chain from the member on, ending in the id that breaks it.
    pub fn links(&self, end: &str) -> Vec<ChainLink> {
        let members = (0..=self.owner).rev().map(|index| self.member(index));
        members.chain([last(end)]).collect()
    }

    fn member(&self, index: usize) -> ChainLink {
        link(self.chain[index].file, self.link(index), self.project)
    }

    /// The declaration that leads from a member to its parent.
    fn link(&self, index: usize) -> Option<&'p Span> {
        let Composed { length, routed_by, .. } = *self.composed;
        let target = match routed_by.filter(|_| index + 1 == length) {
            Some(hook) => hook.parent(),
            None => self.chain[index].directive?.extends.as_ref(),
        };
        target.map(|field| &field.span)
    }
}

/// Whether a hook surely sets another parent for the prompts of a directive itself, so that what it extends matters to
/// its children alone.
pub(super) fn is_routed(file: &LintFile, project: &Project<'_>) -> bool {
    file.directive().is_some_and(|directive| project.composed(file, directive).routed_by.is_some())
}

/// A member of a chain as an error shows it.
pub(super) fn link(file: &LintFile, leads_on: Option<&Span>, project: &Project<'_>) -> ChainLink {
    let place = match leads_on {
        Some(span) => format!("{}:{}", span.source().path(), span.line()),
        None => file.path.clone(),
    };
    ChainLink { id: file.id.clone(), tier: project.tiers.list()[file.tier].label.to_string(), place }
}

/// The id that breaks or closes a chain.
pub(super) fn last(id: &str) -> ChainLink {
    ChainLink { id: id.to_string(), tier: String::new(), place: String::new() }
}
