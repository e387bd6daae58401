//! Why a rule with patterns joins, or why it does not.

use super::nested::NestedTexts;
use super::texts::{FoundTexts, ScopedRule};
use crate::agents::agent::KnownFiles;
use crate::agents::files::{below, normalized, parent};
use crate::agents::visit::Visit;
use crate::prompt::{FileNote, NoteStep, PromptSubject};

/// How many patterns that do not match are listed.
const MOST_LISTED: usize = 5;

/// Notes what the patterns of the rules in question match.
pub(super) fn write<'n>(visit: &mut Visit<'_>, found: &FoundTexts, nested: impl Iterator<Item = &'n NestedTexts>) {
    let Some(question) = &visit.request.why else { return };
    let subject = PromptSubject::Folder(visit.request.cwd.clone());
    let rules = found.scoped.iter().chain(nested.flat_map(|nested| &nested.scoped));
    let meant = rules.filter(|rule| subject.calls(&rule.text.path, &question.name));
    let notes: Vec<FileNote> = meant
        .map(|rule| FileNote { path: rule.text.path.clone(), steps: steps(rule, visit, &question.files, &subject) })
        .collect();
    visit.notes.extend(notes);
}

fn steps(rule: &ScopedRule, visit: &Visit<'_>, files: &KnownFiles, subject: &PromptSubject) -> Vec<NoteStep> {
    let touched: Vec<String> = visit.request.touch.iter().map(|file| normalized(file)).collect();
    let mut steps = Vec::new();
    let mut has_match = false;
    for path in &touched {
        let shown = subject.short(path);
        match relative(path, rule) {
            Some(relative) if rule.patterns.match_file(relative) => {
                has_match = true;
                steps.extend(matching(rule, relative, &shown));
            }
            Some(relative) => steps.extend(missing(rule, relative, &shown)),
            None => steps.push((format!("its patterns apply below {} only, not to {shown}", rule.base), None)),
        }
    }
    if !has_match {
        let from = touched.first().and_then(|path| parent(path)).unwrap_or(&visit.request.cwd);
        steps.push((nearest(rule, files, from, subject), None));
    }
    steps
}

/// The path of a file as the patterns see it.
fn relative<'p>(path: &'p str, rule: &ScopedRule) -> Option<&'p str> {
    path.strip_prefix(below(&rule.base, "").as_str())
}

fn matching(rule: &ScopedRule, relative: &str, shown: &str) -> Option<NoteStep> {
    // The last one decides.
    let mut written = rule.patterns.written().rev();
    let part = written.find(|part| rule.patterns.of(part).match_file(relative))?;
    Some((format!("`{}` matches {shown}", part.text), part.span.clone()))
}

fn missing(rule: &ScopedRule, relative: &str, shown: &str) -> Vec<NoteStep> {
    let alone = |part| rule.patterns.of(part).match_file(relative);
    if let Some(part) = rule.patterns.written().find(|part| alone(part)) {
        let what = format!("`{}` matches {shown}, but a later pattern with `!` takes it out", part.text);
        return vec![(what, part.span.clone())];
    }
    let parts = rule.patterns.written().take(MOST_LISTED);
    let mut steps: Vec<NoteStep> =
        parts.map(|part| (format!("`{}` does not match {shown}", part.text), part.span.clone())).collect();
    let more = rule.patterns.written().len().saturating_sub(MOST_LISTED);
    if more > 0 {
        steps.push((format!("{more} more of its patterns do not match {shown}"), None));
    }
    steps
}

/// The file that would bring the rule, and is nearest to a folder.
fn nearest(rule: &ScopedRule, files: &KnownFiles, folder: &str, subject: &PromptSubject) -> String {
    let matching = files
        .paths
        .iter()
        .filter(|path| relative(path, rule).is_some_and(|relative| rule.patterns.match_file(relative)));
    let kind = if files.are_tracked { "tracked file" } else { "file below the working folder" };
    match matching.min_by_key(|path| (steps_between(folder, path), *path)) {
        Some(path) => format!("the nearest {kind} that would bring it is {}", subject.short(path)),
        None => format!("its patterns match no {kind}"),
    }
}

/// How many folders one goes up and down from a folder to a file.
fn steps_between(folder: &str, path: &str) -> usize {
    let names = |path: &'_ str| path.split('/').filter(|name| !name.is_empty()).map(str::to_string).collect::<Vec<_>>();
    let (from, to) = (names(folder), names(parent(path).unwrap_or("/")));
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    from.len() + to.len() - 2 * shared
}
