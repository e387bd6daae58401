//! The rules: one folder per group, whose `CHECKS` lists them by name.

pub mod cost;
pub mod folders;
pub mod hooks;
pub mod inputs;
pub mod lint;
pub mod references;
pub mod structure;
pub mod tools;
pub mod trust;

use std::collections::HashMap;
use std::collections::hash_map::Entry;

// Imported once, here, for all rule files.
use super::allow::Allowance;
use super::finding::{Edit, Finding, Findings, whole_project};
use super::folders::Folders;
use super::project::{Composed, LintFile, Project};
use crate::decide::condition::Truth;
use crate::diagnostic::{Diagnostic, Location, Problem};
use crate::read::item::{Directive, Hook, IgnoredPart, ItemField, Knowledge};
use crate::read::protocol::{ContextScope, Protocol};
use crate::read::store::ItemKind;
use crate::text::Span;

/// How a rule finds problems. Only files of the project are checked; findings elsewhere are dropped.
#[derive(Debug, Clone, Copy)]
pub enum Check {
    /// The rule reports the diagnostics from reading and rendering whose code is its name.
    Diagnosed,
    /// For each text file.
    File(fn(&LintFile, &Project<'_>, &mut Findings<'_>)),
    /// For each directive, on its own.
    Directive(fn(&LintFile, &Directive, &Project<'_>, &mut Findings<'_>)),
    /// For each part of a directive that nothing reads: what is wrong with it.
    Ignored(fn(&IgnoredPart) -> Option<String>),
    /// For the prompt of each directive without its context: whether it may have the problem with the rule's name.
    OwnPrompt(fn(&Directive, &Protocol) -> bool),
    /// For each knowledge item, on its own.
    Knowledge(fn(&LintFile, &Knowledge, &Project<'_>, &mut Findings<'_>)),
    /// For each hook of the configuration and of directives; the file is the directive's.
    Hook(fn(&Hook, Option<&LintFile>, &Project<'_>, &mut Findings<'_>)),
    /// For each directive, with all parts of its prompt.
    Composed(fn(&Composed<'_>, &Project<'_>, &mut Findings<'_>)),
    /// Once, for the whole project.
    Project(fn(&Project<'_>, &mut Findings<'_>)),
    /// Once, for the files in coding agents' working folders.
    Folders(fn(&Folders, &Project<'_>, &mut Findings<'_>)),
    /// Once, for the allow comments, after all other rules.
    Allowances(fn(&[Allowance], &Project<'_>, &mut Findings<'_>)),
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

/// Whether a hook certainly applies to a directive with a property: to the directive of its file, or to any. An unknown
/// condition may depend on the inputs themselves.
fn applies_to(hook: &Hook, file: Option<&LintFile>, project: &Project<'_>, has: impl Fn(&Directive) -> bool) -> bool {
    let applies = |file: &LintFile, directive: &Directive| {
        has(directive) && project.composed(file, directive).truth(hook) == Truth::True
    };
    match file {
        Some(file) => file.directive().is_some_and(|directive| applies(file, directive)),
        None => project.directives().any(|(file, directive)| applies(file, directive)),
    }
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
