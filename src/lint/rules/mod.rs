//! The rules: one file per rule, one folder per group.

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

use std::collections::HashMap;
use std::collections::hash_map::Entry;

// Each file of a rule imports what it needs of these from here.
use super::finding::{Edit, Finding, Findings};
use super::project::{Composed, LintFile, Project};
use super::rule::{Check, Rule};
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::item::{Directive, Hook, ItemField, Knowledge};
use crate::protocol::ContextScope;
use crate::store::ItemKind;
use crate::text::Span;
pub use pages::RULES;

pub fn find(code_or_name: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.code.eq_ignore_ascii_case(code_or_name) || rule.name == code_or_name)
}

/// The place of a finding about the whole project.
pub(super) fn whole_project() -> Location {
    Location::File { tier: "".into(), path: String::new(), revision: None, position: None }
}

fn first_line(text: &Span) -> Span {
    text.slice(0..text.text().find('\n').unwrap_or(text.text().len()))
}

/// Joins the first names, and counts the rest.
fn name_first(names: impl ExactSizeIterator<Item = String>) -> String {
    const MOST: usize = 3;
    let more = names.len().saturating_sub(MOST);
    let mut named: Vec<String> = names.take(MOST).collect();
    named.extend((more > 0).then(|| format!("{more} more")));
    named.join(", ")
}

/// Whether the protocol assembles a context for a thread, from hooks and parents.
fn has_context(project: &Project<'_>) -> bool {
    project.protocol.context != ContextScope::None
}

/// The repeated names, each with its place and its first place.
fn repeated<'n>(names: impl Iterator<Item = (&'n str, &'n Span)>) -> Vec<(&'n str, &'n Span, &'n Span)> {
    let mut first = HashMap::new();
    let again = names.filter(|(name, _)| !name.is_empty()).filter_map(|(name, at)| match first.entry(name) {
        Entry::Vacant(entry) => {
            entry.insert(at);
            None
        }
        Entry::Occupied(entry) => Some((name, at, *entry.get())),
    });
    again.collect()
}
