//! The rules, a file each, in a folder for each group.

mod cost;
mod folders;
mod hooks;
mod inputs;
mod lint;
mod pages;
mod references;
mod structure;
mod tools;
mod trust;

use std::sync::LazyLock;

// One import of a rule's file brings in all of these.
use super::finding::{Edit, Finding, Findings};
use super::project::{Composed, LintFile, Project};
use super::rule::{Check, Rule};

/// All rules in order of codes.
pub static RULES: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let groups = [
        structure::RULES,
        references::RULES,
        inputs::RULES,
        hooks::RULES,
        tools::RULES,
        cost::RULES,
        trust::RULES,
        folders::RULES,
        lint::RULES,
    ];
    groups.into_iter().flatten().copied().collect()
});

/// The rule of a code or a name.
pub fn find(code_or_name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.code.eq_ignore_ascii_case(code_or_name) || rule.name == code_or_name)
}
