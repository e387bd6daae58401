/// For each file of a project the file of the directive that it extends itself, as indices.
#[derive(Debug)]
pub(super) struct Parents {
    of: Vec<Option<usize>>,
    distinct: Vec<usize>,
}

impl Parents {
    /// Works out how far each file leads, in time that grows with their number alone.
    pub fn new(of: Vec<Option<usize>>) -> Self {
        // Zero is not known yet: each file leads at least to itself.
        let mut distinct = vec![0; of.len()];
        let mut place = vec![usize::MAX; of.len()];
        let mut way = Vec::new();
        for file in 0..of.len() {
            let mut next = Some(file);
            while let Some(index) = next.filter(|&index| distinct[index] == 0 && place[index] == usize::MAX) {
                place[index] = way.len();
                way.push(index);
                next = of[index];
            }
            // Where the way comes back to itself, all in the circle lead to as many.
            let circle = next.filter(|&index| distinct[index] == 0).map_or(way.len(), |index| place[index]);
            let length = way.len() - circle;
            way.drain(circle..).for_each(|index| distinct[index] = length);
            while let Some(index) = way.pop() {
                distinct[index] = 1 + of[index].map_or(0, |parent| distinct[parent]);
            }
        }
        Self { of, distinct }
    }

    /// Where a file leads.
    pub fn of(&self, index: usize) -> Option<usize> {
        self.of[index]
    }

    /// How many files are met on the way up from one, itself included, before one comes again.
    pub fn distinct(&self, index: usize) -> usize {
        self.distinct[index]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn files_are_counted_as_walking_counts_them(
            of in prop::collection::vec(prop::option::weighted(0.8, 0usize..30), 30),
        ) {
            let parents = Parents::new(of.clone());
            for start in 0..of.len() {
                let (mut met, mut next) = (HashSet::new(), Some(start));
                while let Some(index) = next.filter(|&index| met.insert(index)) {
                    next = of[index];
                }
                prop_assert_eq!(parents.distinct(start), met.len());
            }
        }
    }
}
