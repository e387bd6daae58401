//! The order of names in ECMAScript's `localeCompare`: the root collation of Unicode.

use icu_collator::CollatorBorrowed;
use icu_collator::options::CollatorOptions;

/// Sorts by name; items with equal names keep their order.
pub fn sort_by_name<T>(items: &mut [T], name: impl Fn(&T) -> &str) {
    let collator = CollatorBorrowed::new_root(CollatorOptions::default());
    items.sort_by(|a, b| collator.compare(name(a), name(b)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_case_and_accents_first() {
        let sorted = [
            "a b", "_x", "-y", "1", "10", "2", "a", "A", "á", "ab", "Ab", "a-b", "b", "resume", "Resume", "résumé", "z",
        ];
        let expected = [
            "_x", "-y", "1", "10", "2", "a", "A", "á", "a b", "a-b", "ab", "Ab", "b", "resume", "Resume", "résumé", "z",
        ];
        let mut names = sorted.map(str::to_string);
        names.reverse();
        sort_by_name(&mut names, |name| name);
        assert_eq!(names, expected);
    }
}
