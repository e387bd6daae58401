use crate::decide::Lineage;

/// For each file, by index, the directive that it extends and a summary of its chain, so that
/// rules need not walk chains.
#[derive(Debug)]
pub(super) struct Parents {
    of: Vec<Option<usize>>,
    up: Vec<ChainSummary>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DeclaredParts {
    pub context: bool,
    pub permissions: bool,
}

/// A summary of a file and the chain above it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ChainSummary {
    /// The number of distinct files, including this one.
    pub files: usize,
    /// Whether the chain is circular; then the fields below are not valid.
    pub is_circular: bool,
    pub top: usize,
    /// The nearest file with a `<context>`.
    pub context: Option<usize>,
    /// The file nearest the root that declares permissions.
    pub permissions: Option<usize>,
    /// The number of files that declare permissions.
    pub declaring: usize,
}

impl Parents {
    pub fn new(of: Vec<Option<usize>>, declares: impl Fn(usize) -> DeclaredParts) -> Self {
        let Lineage { root_first, lengths, circular, .. } = Lineage::new(&of);
        let mut up = vec![ChainSummary::default(); of.len()];
        for index in root_first {
            let parent = of[index].map_or(ChainSummary { top: index, ..ChainSummary::default() }, |parent| up[parent]);
            let below = parent.below(index, declares(index));
            up[index] = ChainSummary { files: lengths[index], is_circular: circular[index], ..below };
        }
        Self { of, up }
    }

    pub fn members(&self) -> usize {
        self.up.iter().map(|up| up.files).sum()
    }

    /// The parent of a file.
    pub fn of(&self, index: usize) -> Option<usize> {
        self.of[index]
    }

    pub fn up(&self, index: usize) -> ChainSummary {
        self.up[index]
    }
}

impl ChainSummary {
    /// Adds a file at the lower end of the chain.
    fn below(self, index: usize, declares: DeclaredParts) -> Self {
        Self {
            context: if declares.context { Some(index) } else { self.context },
            permissions: self.permissions.or(declares.permissions.then_some(index)),
            declaring: self.declaring + usize::from(declares.permissions),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn summaries_agree_with_walking(
            of in prop::collection::vec(prop::option::weighted(0.8, 0usize..30), 30),
            said in prop::collection::vec((any::<bool>(), any::<bool>()), 30),
        ) {
            let declares = |index: usize| DeclaredParts { context: said[index].0, permissions: said[index].1 };
            let parents = Parents::new(of.clone(), declares);
            for start in 0..of.len() {
                let (mut met, mut path, mut next) = (HashSet::new(), Vec::new(), Some(start));
                while let Some(index) = next.filter(|&index| met.insert(index)) {
                    path.push(index);
                    next = of[index];
                }
                let up = parents.up(start);
                prop_assert_eq!((up.files, up.is_circular), (path.len(), next.is_some()));
                if !up.is_circular {
                    let declaring: Vec<usize> = path.iter().copied().filter(|&index| said[index].1).collect();
                    prop_assert_eq!(Some(up.top), path.last().copied());
                    prop_assert_eq!(up.context, path.iter().copied().find(|&index| said[index].0));
                    prop_assert_eq!((up.permissions, up.declaring), (declaring.last().copied(), declaring.len()));
                }
            }
        }
    }
}
