//! How much of each description fits into the budget of the list.

/// A line of the list, by its lengths.
pub(super) struct LineSize {
    /// Bytes of the line without a description.
    pub least: usize,
    /// Bytes of each character of the description.
    pub description: Vec<usize>,
}

/// What becomes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// With this many characters of its description.
    Listed(usize),
    Dropped,
}

impl LineSize {
    /// What the line costs with the first `characters` of its description.
    fn cost(&self, characters: usize) -> usize {
        let space = usize::from(characters > 0);
        let bytes = self.least + space + self.description[..characters].iter().sum::<usize>();
        (bytes + 1).div_ceil(4)
    }

    fn whole(&self) -> usize {
        self.cost(self.description.len())
    }
}

/// Whether all lines fit whole.
pub(super) fn all_fit(lines: &[&LineSize], limit: usize) -> bool {
    lines.iter().map(|line| line.whole()).sum::<usize>() <= limit
}

/// Shortens descriptions evenly until all lines fit; if they do not fit even without, drops lines that do not.
pub(super) fn fit(lines: &[&LineSize], limit: usize) -> Vec<Fit> {
    if all_fit(lines, limit) {
        return lines.iter().map(|line| Fit::Listed(line.description.len())).collect();
    }
    let least: usize = lines.iter().map(|line| line.cost(0)).sum();
    let mut left = limit;
    if least > limit {
        let fits = |line: &&LineSize| match left.checked_sub(line.cost(0)) {
            Some(rest) => {
                left = rest;
                Fit::Listed(0)
            }
            None => Fit::Dropped,
        };
        return lines.iter().map(fits).collect();
    }
    left -= least;
    let mut growing: Vec<Growing> =
        lines.iter().map(|line| Growing { line, characters: 0, bytes: line.least }).collect();
    while growing.iter_mut().filter_map(|line| line.grow(&mut left)).count() > 0 {}
    growing.into_iter().map(|line| Fit::Listed(line.characters)).collect()
}

struct Growing<'a> {
    line: &'a LineSize,
    characters: usize,
    bytes: usize,
}

impl Growing<'_> {
    /// Takes one more character, if what is left pays for it.
    fn grow(&mut self, left: &mut usize) -> Option<()> {
        let next = self.line.description.get(self.characters)?;
        let bytes = self.bytes + next + usize::from(self.characters == 0);
        let more = (bytes + 1).div_ceil(4) - (self.bytes + 1).div_ceil(4);
        *left = left.checked_sub(more)?;
        (self.bytes, self.characters) = (bytes, self.characters + 1);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(least: usize, description: usize) -> LineSize {
        LineSize { least, description: vec![1; description] }
    }

    #[test]
    fn descriptions_shrink_evenly() {
        let (long, short) = (line(19, 100), line(19, 2));
        let lines = [&long, &short];
        assert_eq!(fit(&lines, 100), [Fit::Listed(100), Fit::Listed(2)]);
        // Each line costs 5 without its description; 4 more pay for 16 bytes in all.
        assert_eq!(fit(&lines, 14), [Fit::Listed(11), Fit::Listed(2)]);
        assert_eq!(fit(&lines, 10), [Fit::Listed(0), Fit::Listed(0)]);
    }

    #[test]
    fn lines_that_do_not_fit_are_dropped() {
        assert_eq!(fit(&[&line(19, 1), &line(39, 1), &line(3, 1)], 6), [Fit::Listed(0), Fit::Dropped, Fit::Listed(0)]);
    }
}
