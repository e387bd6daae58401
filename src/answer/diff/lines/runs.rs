//! Finds the runs in which two lists of lines differ, with bounded effort.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;
use std::time::Instant;

use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::{DiffOp, DiffTag};

use crate::answer::diff::order::Matches;

/// The lines of a run in each list.
pub type RunPair = (Range<usize>, Range<usize>);

/// The limit in steps: enough for 150,000 lines that both sides have in a different order, or for a million lines that
/// divide into parts. Takes about a second.
const STEPS: usize = 60_000_000;

/// The effort left for a comparison. The number of steps depends only on the texts; the deadline is the last resort.
#[derive(Debug)]
pub struct Effort {
    steps: Cell<usize>,
    deadline: Instant,
    is_over: Cell<bool>,
}

impl Effort {
    pub fn until(deadline: Instant) -> Self {
        Self { steps: Cell::new(STEPS), deadline, is_over: Cell::new(false) }
    }

    /// Whether the effort ran out.
    pub fn is_over(&self) -> bool {
        self.is_over.get()
    }

    /// Spends the cost of comparing `lines`, if enough is left. The steps per line grow at most with the
    /// square root of the number of lines.
    fn spend(&self, lines: usize) -> bool {
        let left = self.steps.get().checked_sub(lines.saturating_mul(lines.isqrt()));
        self.steps.set(left.unwrap_or(self.steps.get()));
        left.is_some()
    }

    /// The runs that both lists have.
    fn same(&self, old: &[usize], new: &[usize]) -> impl Iterator<Item = RunPair> + use<> {
        let operations = operations(old, new, Some(self.deadline));
        self.is_over.set(self.is_over() || Instant::now() > self.deadline);
        operations.into_iter().filter(|it| it.tag() == DiffTag::Equal).map(|it| (it.old_range(), it.new_range()))
    }
}

/// What turns a list into another. The function of the library that does the same contains all of its algorithms, which
/// makes the program half a megabyte larger.
pub(super) fn operations(old: &[usize], new: &[usize], deadline: Option<Instant>) -> Vec<DiffOp> {
    let mut operations = Compact::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = myers::diff_deadline(&mut operations, old, 0..old.len(), new, 0..new.len(), deadline);
    operations.into_inner().into_inner().into_ops()
}

pub fn runs<T: AsRef<str>>(old: &[T], new: &[T], effort: &Effort) -> Vec<RunPair> {
    let mut numbers = HashMap::new();
    let [all_old, all_new] = [old, new].map(|lines| numbered(lines, &mut numbers));
    let start = all_old.iter().zip(&all_new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&all_old[start..], &all_new[start..]);
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[..old.len() - end], &new[..new.len() - end]);

    let shared = CommonLines::new(old, new, numbers.len());
    let size = shared.old.len() + shared.new.len();
    let same: Vec<RunPair> = if effort.spend(size) {
        if size > 0 { effort.same(old, new).collect() } else { Vec::new() }
    } else {
        shared.same(old, new, effort)
    };
    let mut runs = Vec::new();
    let mut at = (0, 0);
    for (l, r) in same.into_iter().chain([(old.len()..old.len(), new.len()..new.len())]) {
        if at != (l.start, r.start) {
            runs.push((start + at.0..start + l.start, start + at.1..start + r.start));
        }
        at = (l.end, r.end);
    }
    runs
}

/// Numbers the distinct lines, so that long lines with a common prefix are compared once.
pub(super) fn numbered<'a, T: AsRef<str>>(lines: &'a [T], numbers: &mut HashMap<&'a str, usize>) -> Vec<usize> {
    let number = |line: &'a T| {
        let next = numbers.len();
        *numbers.entry(line.as_ref()).or_insert(next)
    };
    lines.iter().map(number).collect()
}

/// The positions in two lists of the lines that both have.
struct CommonLines {
    old: Vec<usize>,
    new: Vec<usize>,
    /// For each line, whether both have it equally often.
    is_balanced: Vec<bool>,
}

impl CommonLines {
    fn new(old: &[usize], new: &[usize], count: usize) -> Self {
        let mut counts = vec![[0_usize; 2]; count];
        old.iter().for_each(|&line| counts[line][0] += 1);
        new.iter().for_each(|&line| counts[line][1] += 1);
        let places = |lines: &[usize]| -> Vec<usize> {
            (0..lines.len()).filter(|&at| counts[lines[at]].iter().all(|&count| count > 0)).collect()
        };
        Self { old: places(old), new: places(new), is_balanced: counts.iter().map(|[old, new]| old == new).collect() }
    }

    /// Divides the lists, if they are too long to compare at once. Lines that both have equally often match in order;
    /// the longest sequence of these in order divides the rest into parts. A part that is still too long is one change.
    fn same(&self, old: &[usize], new: &[usize], effort: &Effort) -> Vec<RunPair> {
        let old_line = |at: usize| old[self.old[at]];
        let new_line = |at: usize| new[self.new[at]];
        let balanced = |line: usize| self.is_balanced[line].then_some(line);
        let mut matches = Matches::new(self.old.len(), self.new.len());
        matches.add_by(|at| balanced(old_line(at)), |at| balanced(new_line(at)));
        let in_order = matches.in_order(|_, _| true);
        let anchors = (0..self.new.len()).filter(|&at| in_order[at]);
        let anchors = anchors.filter_map(|right| Some((matches.right[right]?, right)));

        let mut same = Vec::new();
        let mut at = (0, 0);
        for (l, r) in anchors.chain([(self.old.len(), self.new.len())]) {
            let between = (&self.old[at.0..l], &self.new[at.1..r]);
            let lines = [between.0, between.1].map(|places| places.len());
            if lines.contains(&0) {
                // Nothing can match.
            } else if effort.spend(lines[0] + lines[1]) {
                let part_old: Vec<usize> = between.0.iter().map(|&place| old[place]).collect();
                let part_new: Vec<usize> = between.1.iter().map(|&place| new[place]).collect();
                for (run_old, run_new) in effort.same(&part_old, &part_new) {
                    same.extend(between.0[run_old].iter().copied().zip(between.1[run_new].iter().copied()));
                }
            } else {
                effort.is_over.set(true);
            }
            same.extend(self.old.get(l).copied().zip(self.new.get(r).copied()));
            at = (l + 1, r + 1);
        }
        same.into_iter().map(|(l, r)| (l..l + 1, r..r + 1)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Reproducible pseudorandom numbers.
    fn numbers(mut seed: u64) -> impl Iterator<Item = u64> {
        std::iter::repeat_with(move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed >> 33
        })
    }

    fn effort(steps: usize) -> Effort {
        let effort = Effort::until(Instant::now() + Duration::from_secs(600));
        effort.steps.set(steps);
        effort
    }

    fn applied(old: &[String], new: &[String], runs: &[RunPair]) -> Vec<String> {
        let (mut out, mut at) = (Vec::new(), 0);
        for (left, right) in runs {
            out.extend_from_slice(&old[at..left.start]);
            out.extend_from_slice(&new[right.clone()]);
            at = left.end;
        }
        out.extend_from_slice(&old[at..]);
        out
    }

    #[test]
    fn the_runs_turn_one_list_into_the_other_with_any_effort() {
        for seed in 0..40 {
            let list =
                |seed, of: u64| numbers(seed).take(60).map(|number| (number % of).to_string()).collect::<Vec<_>>();
            let of = 3 + seed;
            let (old, new) = (list(seed, of), list(seed + 100, of));
            for steps in [0, 50, 200, 1_000, 10_000] {
                let runs = runs(&old, &new, &effort(steps));
                assert_eq!(applied(&old, &new, &runs), new, "{seed} {steps}");
            }
        }
    }

    #[test]
    fn few_changes_in_many_lines_are_found_without_effort() {
        let mut old: Vec<String> = numbers(1).take(10_000).map(|number| (number % 5_000).to_string()).collect();
        let new = old.clone();
        old[10] = "here".to_string();
        old.insert(5_000, "there".to_string());
        old.push("at the end".to_string());
        let effort = effort(0);
        let runs = runs(&old, &new, &effort);
        assert_eq!(applied(&old, &new, &runs), new);
        assert_eq!(runs[runs.len() - 2..], [(5_000..5_001, 5_000..5_000), (10_001..10_002, 10_000..10_000)]);
    }

    #[test]
    fn a_comparison_without_effort_is_one_change_and_coarse() {
        let [old, new] = [1, 2].map(|seed| numbers(seed).take(500).map(|it| (it % 3).to_string()).collect::<Vec<_>>());
        let effort = effort(0);
        assert_eq!(runs(&old, &new, &effort).len(), 1);
        assert!(effort.is_over());
    }
}
