use crate::read::item::{Directive, ItemField};

use super::DirectiveIndex;

/// The chain of a directive's own prompt.
#[derive(Debug, Clone, Copy)]
pub struct Chain<'i, T> {
    index: &'i DirectiveIndex<T>,
    leaf: Option<usize>,
    step: Option<Step<'i>>,
    pub inherited: Inherited,
}

/// A parent as written, and its position if a tier has it.
type Step<'i> = (&'i ItemField, Option<usize>);

#[derive(Debug, Clone, Copy)]
pub enum ChainEnd<'i> {
    Root,
    /// A parent that is in no tier, or whose id is invalid.
    Missing(&'i ItemField),
    /// A directive that the chain already contains.
    Cycle(&'i ItemField),
    Unusable(usize),
}

/// A summary of the ancestors of a directive, so that nothing has to walk long chains.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inherited {
    pub length: usize,
    last: Option<usize>,
    /// The ancestor nearest the root that declares permissions.
    pub granting: Option<usize>,
    /// The number of ancestors that declare permissions.
    pub declaring: usize,
}

impl Inherited {
    /// Adds a directive at the lower end.
    pub(super) fn below(self, at: usize, directive: Option<&Directive>) -> Self {
        let declares = directive.is_some_and(|directive| !directive.permissions.is_empty());
        Self {
            length: self.length + 1,
            last: self.last.or(Some(at)),
            granting: self.granting.or(declares.then_some(at)),
            declaring: self.declaring + usize::from(declares),
        }
    }
}

impl<T> DirectiveIndex<T> {
    /// The chain from the directive at `leaf`, if it is indexed, to `parent`: the one that it declares, or that a hook
    /// sets.
    pub fn chain<'i>(&'i self, leaf: Option<usize>, parent: Option<&'i ItemField>) -> Chain<'i, T> {
        let step = parent.map(|field| (field, self.named(field)));
        let mut chain = Chain { index: self, leaf, step, inherited: Inherited::default() };
        let first = step.and_then(|(_, at)| at);
        chain.inherited = match (leaf, first) {
            (Some(leaf), Some(first)) if self.parent(leaf) == Some(first) && !self.is_circular(leaf) => {
                self.handed_on[first]
            }
            _ => {
                let ancestors: Vec<usize> = chain.ancestors().collect();
                let below = |above: Inherited, &at: &usize| above.below(at, self[at].directive.as_deref());
                ancestors.iter().rev().fold(Inherited::default(), below)
            }
        };
        chain
    }
}

impl<'i, T> Chain<'i, T> {
    /// The nearest first, without a directive that the chain already contains.
    pub fn ancestors(&self) -> impl Iterator<Item = usize> + use<'i, T> {
        let Self { index, leaf, step, .. } = *self;
        let first = step.and_then(|(_, at)| at);
        first.into_iter().flat_map(|at| index.members(at)).take_while(move |&at| Some(at) != leaf)
    }

    pub fn end(&self) -> ChainEnd<'i> {
        let step = match self.inherited.last {
            None => self.step,
            Some(last) => match &self.index[last].directive {
                None => return ChainEnd::Unusable(last),
                Some(directive) => directive.parent().map(|field| (field, self.index.parent(last))),
            },
        };
        match step {
            None => ChainEnd::Root,
            Some((field, None)) => ChainEnd::Missing(field),
            Some((field, Some(_))) => ChainEnd::Cycle(field),
        }
    }
}

/// The member of a chain whose permissions apply: the directive itself if it declares any, else the one nearest the
/// root that does (Directives, "Chain").
pub fn granting<M>(mut leaf_first: impl DoubleEndedIterator<Item = M>, declares: impl Fn(&M) -> bool) -> Option<M> {
    let leaf = leaf_first.next()?;
    if declares(&leaf) { Some(leaf) } else { leaf_first.rev().find(declares) }
}
