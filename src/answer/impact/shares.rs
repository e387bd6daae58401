//! How much of a difference each cause accounts for.

use std::collections::{BTreeMap, BTreeSet};

use super::Share;
use crate::answer::diff::{FilePlace, Pair};
use crate::read::store::ItemKind;
use crate::text::Source;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owner {
    /// A file that differs, by the label of its tier and its path.
    File(String, String),
    Arguments,
}

impl Owner {
    pub fn source(source: &Source) -> Self {
        Self::File(source.tier().to_string(), source.path().to_string())
    }

    pub fn place(place: &FilePlace) -> Self {
        Self::File(place.tier.clone(), place.path.clone())
    }

    pub fn is_of(&self, kind: ItemKind) -> bool {
        self.is_below(kind.folder())
    }

    pub fn is_below(&self, folder: &str) -> bool {
        let below = |path: &String| path.strip_prefix(folder).is_some_and(|below| below.starts_with('/'));
        matches!(self, Self::File(_, path) if below(path))
    }
}

/// What differs in a prompt, by the cause of each part.
pub(super) struct Shares {
    by_owner: BTreeMap<Owner, Share>,
    /// The owners of what nothing else accounts for.
    rest: BTreeSet<Owner>,
}

impl Shares {
    pub fn new(rest: BTreeSet<Owner>) -> Self {
        Self { by_owner: BTreeMap::new(), rest }
    }

    /// Adds a part to the share of each owner; without owners, to that of the rest.
    pub fn give(&mut self, owners: BTreeSet<Owner>, add: &dyn Fn(&mut Share)) {
        let owners = if owners.is_empty() { self.rest.clone() } else { owners };
        owners.into_iter().for_each(|owner| add(self.by_owner.entry(owner).or_default()));
    }

    /// [`Self::give`] for a layer, by its place among those that differ. Only known text counts.
    pub fn layer(&mut self, owners: BTreeSet<Owner>, listed: usize, tokens: Pair<Option<usize>>) {
        let tokens = tokens.map(Option::unwrap_or_default);
        self.give(owners, &|share| {
            share.layers.push(listed);
            share.tokens += grown(tokens);
        });
    }

    /// All shares. `total` is the growth of the prompt, which a single cause owns with the text between layers.
    pub fn whole(self, total: Pair<usize>) -> Vec<(Owner, Share)> {
        let Self { by_owner, rest } = self;
        let mut shares: Vec<_> = by_owner.into_iter().collect();
        if shares.is_empty() {
            shares = rest.into_iter().map(|owner| (owner, Share::default())).collect();
        }
        if let [(_, share)] = &mut shares[..] {
            share.tokens = grown(total);
        }
        shares
    }
}

/// The difference in tokens.
pub(super) fn grown(tokens: Pair<usize>) -> i64 {
    // Token counts fit into `i64`.
    tokens.right as i64 - tokens.left as i64
}
