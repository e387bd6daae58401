use crate::answer::diff::summary::signed;
use crate::answer::diff::{Change, FieldChange, Pair};

/// A sign with the same meaning as the word next to it.
pub fn sign(change: Change) -> &'static str {
    match change {
        Change::Added => "+",
        Change::Removed => "−",
        Change::Changed => "~",
        Change::TextUnchanged => "→",
        Change::Same => "=",
    }
}

/// `+72`, `-3`; empty if both are equal.
pub fn grown(tokens: Pair<usize>) -> String {
    if tokens.left == tokens.right { String::new() } else { signed(tokens) }
}

/// The value of a field on a side that has it; `present` for a field without values.
pub fn value(change: &FieldChange, value: &Option<String>) -> Option<String> {
    let there = value.as_ref().map(|_| "present");
    change.shown(value).or(there).map(str::to_string)
}
