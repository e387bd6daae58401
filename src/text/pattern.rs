use regex::Regex;

/// A pattern that is written in the program, not by a user.
pub(crate) fn constant_pattern(pattern: &str) -> Regex {
    // A test of each caller runs its pattern.
    Regex::new(pattern).expect("the pattern is valid")
}
