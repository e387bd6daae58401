/// For each file of a project the directive that it extends itself, and what that one's chain comes to, so that nobody
/// has to walk a chain to know it. Files are indices.
#[derive(Debug)]
pub(super) struct Parents {
    of: Vec<Option<usize>>,
    up: Vec<Up>,
}

/// What is told of a file that the others need.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Says {
    /// Whether its `<context>` holds anything.
    pub context: bool,
    /// Whether it declares permissions.
    pub permissions: bool,
}

/// What a file and those above it come to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Up {
    /// How many files are met, itself included, before one comes again.
    pub files: usize,
    /// Whether one comes again, so that the rest is not worked out.
    pub is_circular: bool,
    /// The last of them.
    pub top: usize,
    /// The nearest that says something about context.
    pub context: Option<usize>,
    /// The one nearest the root that declares permissions.
    pub permissions: Option<usize>,
    /// How many declare permissions.
    pub declaring: usize,
}

impl Parents {
    /// Works it out in time that grows with the number of files alone.
    pub fn new(of: Vec<Option<usize>>, says: impl Fn(usize) -> Says) -> Self {
        // Where no file is met nothing is known yet: each file meets at least itself.
        let mut up = vec![Up::default(); of.len()];
        let mut place = vec![usize::MAX; of.len()];
        let mut way = Vec::new();
        for file in 0..of.len() {
            let mut next = Some(file);
            while let Some(index) = next.filter(|&index| up[index].files == 0 && place[index] == usize::MAX) {
                place[index] = way.len();
                way.push(index);
                next = of[index];
            }
            // Where the way comes back to itself, all in the circle meet as many.
            let circle = next.filter(|&index| up[index].files == 0).map_or(way.len(), |index| place[index]);
            let files = way.len() - circle;
            way.drain(circle..).for_each(|index| up[index] = Up { files, is_circular: true, ..Up::default() });
            while let Some(index) = way.pop() {
                let parent = of[index].map_or(Up { top: index, ..Up::default() }, |parent| up[parent]);
                up[index] = parent.below(index, says(index));
            }
        }
        Self { of, up }
    }

    /// How many members all chains have together.
    pub fn members(&self) -> usize {
        self.up.iter().map(|up| up.files).sum()
    }

    /// Where a file leads.
    pub fn of(&self, index: usize) -> Option<usize> {
        self.of[index]
    }

    /// What a file and those above it come to.
    pub fn up(&self, index: usize) -> Up {
        self.up[index]
    }
}

impl Up {
    /// The same with one more file at the lower end.
    fn below(self, index: usize, says: Says) -> Self {
        Self {
            files: self.files + 1,
            context: if says.context { Some(index) } else { self.context },
            permissions: self.permissions.or(says.permissions.then_some(index)),
            declaring: self.declaring + usize::from(says.permissions),
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
        fn what_is_worked_out_is_what_walking_finds(
            of in prop::collection::vec(prop::option::weighted(0.8, 0usize..30), 30),
            said in prop::collection::vec((any::<bool>(), any::<bool>()), 30),
        ) {
            let says = |index: usize| Says { context: said[index].0, permissions: said[index].1 };
            let parents = Parents::new(of.clone(), says);
            for start in 0..of.len() {
                let (mut met, mut way, mut next) = (HashSet::new(), Vec::new(), Some(start));
                while let Some(index) = next.filter(|&index| met.insert(index)) {
                    way.push(index);
                    next = of[index];
                }
                let up = parents.up(start);
                prop_assert_eq!((up.files, up.is_circular), (way.len(), next.is_some()));
                if !up.is_circular {
                    let declaring: Vec<usize> = way.iter().copied().filter(|&index| said[index].1).collect();
                    prop_assert_eq!(Some(up.top), way.last().copied());
                    prop_assert_eq!(up.context, way.iter().copied().find(|&index| said[index].0));
                    prop_assert_eq!((up.permissions, up.declaring), (declaring.last().copied(), declaring.len()));
                }
            }
        }
    }
}
