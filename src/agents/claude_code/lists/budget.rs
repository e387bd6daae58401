//! Which lines of the list of skills keep their descriptions.

/// Characters of the agent's own lines.
const OWN: usize = 6_076;
const MOST: usize = 30_000;

/// The length of a line in UTF-16 units.
pub(super) struct LineSize {
    /// Without its description.
    pub least: usize,
    /// What the description adds.
    pub more: usize,
}

/// `typed` replaces the usual limit if it is a number.
pub(super) fn limit(typed: Option<&str>) -> usize {
    typed.and_then(|typed| typed.trim().parse().ok()).filter(|most| *most > 0).unwrap_or(MOST)
}

/// Whether each line keeps its description: one that does not fit leaves room for later ones.
pub(super) fn fit(lines: &[LineSize], limit: usize) -> Vec<bool> {
    let least: usize = lines.iter().map(|line| line.least + 1).sum();
    let mut left = limit.saturating_sub(OWN + least);
    let fits = |line: &LineSize| match left.checked_sub(line.more) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    };
    lines.iter().map(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_shorter_lines_may_still_fit() {
        let lines = [3, 5, 1, 2].map(|more| LineSize { least: 9, more });
        let fits = |left: usize| fit(&lines, OWN + 40 + left);
        assert_eq!(fits(11), [true, true, true, true]);
        assert_eq!(fits(10), [true, true, true, false]);
        assert_eq!(fits(7), [true, false, true, true]);
        assert_eq!(fits(0), [false; 4]);
        assert_eq!(fit(&lines, 10), [false; 4]);
    }

    #[test]
    fn a_variable_sets_the_limit() {
        for (typed, expected) in [(None, MOST), (Some("7000"), 7_000), (Some("x"), MOST), (Some("0"), MOST)] {
            assert_eq!(limit(typed), expected);
        }
    }
}
