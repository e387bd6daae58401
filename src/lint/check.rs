use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rayon::prelude::*;

use crate::diagnostic::{Diagnostic, Location};
use crate::item::Hook;
use crate::progress;
use crate::store::{ItemKind, TierKind};
use crate::text::Span;

use super::allow;
use super::finding::{Finding, Findings};
use super::folders::Folders;
use super::project::{File, Project};
use super::rule::{Check, FixKind, Group, Level, Rule};
use super::rules::RULES;

/// Everything that the rules find in the linted files of a project, in order of paths and places, whatever the threads
/// did.
pub fn check(project: &Project<'_>) -> Vec<Finding> {
    let checks = Checks::new(project);
    let linted: Vec<&File> = project.linted().collect();
    progress::begin("checking", "files", linted.len());
    let of_file = |file: &&File| {
        progress::step();
        checks.file(file)
    };
    let mut found: Vec<Finding> = linted.par_iter().flat_map_iter(of_file).collect();
    let whole = checks.whole.par_iter();
    found.par_extend(whole.flat_map_iter(|&(rule, look)| asks(rule, |found| look(project, found))));
    if let Some(folders) = &project.folders {
        let whole = checks.of_folders.par_iter();
        found.par_extend(whole.flat_map_iter(|&(rule, look)| asks(rule, |found| look(folders, project, found))));
    }
    found.extend(checks.hooks(project.configured_hooks(), None));
    found.extend(checks.diagnosed(&project.diagnostics, None));

    let label = |file: &File| &*project.tiers.list()[file.tier].label;
    let places: HashSet<(&str, &str)> = linted.iter().map(|file| (label(file), file.path.as_str())).collect();
    let others: HashSet<(&str, &str)> =
        project.files.iter().filter(|file| !file.is_linted).map(|file| (label(file), file.path.as_str())).collect();
    let is_of_project =
        |tier: &str| project.tiers.list().iter().any(|it| it.kind == TierKind::Project && *it.label == *tier);
    // What is about a folder of the project, such as one that cannot be listed, is in no file at all.
    found.retain(|finding| {
        let place = (finding.tier(), finding.path());
        finding.path().is_empty() || places.contains(&place) || is_of_project(place.0) && !others.contains(&place)
    });
    let unused = unused_ignores(project, &found);
    found.extend(unused);
    settle(project, &mut found);
    let known = found.len();
    found = allow::pass(project, found);
    keep_prompts(project, &mut found);
    if found.len() != known || found.iter().any(|finding| finding.rule.group == Group::Lint) {
        settle(project, &mut found);
    }
    found
}

/// What is ignored in some files, and would not be found in any of them. It stands for an allowance where none can be
/// written, and is reported as one.
fn unused_ignores(project: &Project<'_>, found: &[Finding]) -> Vec<Finding> {
    let Some(teller) = RULES.iter().find(|rule| rule.name == "path_setting_unused") else { return Vec::new() };
    let is_linted = |at: &Span| project.linted().any(|file| file.path == at.source().path());
    let mut unused = Vec::new();
    for entry in &project.options.paths {
        let files = || project.files.iter().filter(|file| entry.files.matches(&file.path));
        // Of files that are not looked at nobody knows what would be found.
        if files().next().is_none() || files().any(|file| !file.is_linted) {
            continue;
        }
        let named = entry.ignored.iter().filter_map(|(rule, at)| Some((rule, at.as_ref()?)));
        // What is wrong with allowances is found later.
        let may_be_told = |rule: &Rule| {
            rule.group != Group::Lint && rule.is_asked_of(project.folders.is_some()) && project.options.speaks(rule)
        };
        for (rule, at) in named.filter(|(rule, at)| may_be_told(rule) && is_linted(at)) {
            if !found.iter().any(|finding| finding.rule.code == rule.code && entry.files.matches(finding.path())) {
                let message = format!("`{}` finds nothing in these files", at.text());
                Findings::new(teller, &mut unused).at(at, message);
            }
        }
    }
    unused
}

/// Takes a fix back that would change a prompt after all: a hook may put a directive into one with every byte.
fn keep_prompts(project: &Project<'_>, found: &mut [Finding]) {
    let mut promised = found.iter_mut().filter(|it| it.fix.is_some() && it.rule.fix == FixKind::SamePrompt).peekable();
    if promised.peek().is_none() {
        return;
    }
    let sent = allow::Sent::of(project);
    for finding in promised {
        let below = finding.path().strip_prefix(ItemKind::Directive.folder()).and_then(|it| it.strip_prefix('/'));
        if below.and_then(|it| it.strip_suffix(".md")).is_some_and(|id| sent.directive(id).is_some()) {
            finding.fix = None;
        }
    }
}

/// Gives findings the level that the settings say, and their order.
fn settle(project: &Project<'_>, found: &mut Vec<Finding>) {
    let level = |rule: &Rule, path: &str| match project.passed_over.contains(path) {
        true => project.options.least.level(rule, path).unwrap_or(Level::Off),
        false => project.options.level(rule, path),
    };
    found.retain_mut(|finding| match level(finding.rule, finding.path()).severity() {
        Some(severity) => {
            finding.severity = severity;
            true
        }
        None => false,
    });
    found.par_sort_by(order);
    // One problem of a parent is met on the way of every child.
    found.dedup_by(|later, first| order(later, first) == Ordering::Equal && later.message == first.message);
}

/// The rules that are asked, by what they look at.
struct Checks<'p> {
    project: &'p Project<'p>,
    diagnosed: HashMap<&'static str, &'static Rule>,
    each: Vec<&'static Rule>,
    whole: Vec<(&'static Rule, WholeCheck)>,
    of_folders: Vec<(&'static Rule, FoldersCheck)>,
}

type WholeCheck = fn(&Project<'_>, &mut Findings<'_>);
type FoldersCheck = fn(&Folders, &Project<'_>, &mut Findings<'_>);

/// What a rule finds.
fn asks(rule: &'static Rule, look: impl FnOnce(&mut Findings<'_>)) -> Vec<Finding> {
    let mut list = Vec::new();
    look(&mut Findings::new(rule, &mut list));
    list
}

impl<'p> Checks<'p> {
    fn new(project: &'p Project<'p>) -> Self {
        let mut checks =
            Self { project, diagnosed: HashMap::new(), each: Vec::new(), whole: Vec::new(), of_folders: Vec::new() };
        let is_asked = |rule: &&Rule| rule.is_asked_of(project.folders.is_some()) && project.options.speaks(rule);
        for rule in RULES.iter().copied().filter(is_asked) {
            match rule.check {
                Check::Diagnosed => drop(checks.diagnosed.insert(rule.name, rule)),
                Check::Project(look) => checks.whole.push((rule, look)),
                Check::Folders(look) => checks.of_folders.push((rule, look)),
                _ => checks.each.push(rule),
            }
        }
        checks
    }

    /// What the rules find in a file, and in the prompt of the directive that it may hold.
    fn file(&self, file: &'p File) -> Vec<Finding> {
        let project = self.project;
        let mut found = self.diagnosed(&file.diagnostics, Some(file));
        // One mistake does not hide the others: what a directive that is refused names is looked at, too.
        let directive = file.readable();
        let composed = directive.map(|directive| project.composed(file, directive));
        let is_refused = file.directive().is_none();
        for &rule in &self.each {
            let mut found = Findings::new(rule, &mut found);
            match (rule.check, directive, file.knowledge(), &composed) {
                (Check::File(look), ..) if file.source.is_some() => look(file, project, &mut found),
                (Check::Directive(look), Some(directive), ..) => look(file, directive, project, &mut found),
                (Check::Knowledge(look), _, Some(knowledge), _) => look(file, knowledge, project, &mut found),
                // There is no prompt that could cost or grant something.
                (Check::Composed(_), ..) if is_refused && rule.group != Group::References => {}
                (Check::Composed(look), .., Some(composed)) => look(composed, project, &mut found),
                _ => {}
            }
        }
        if let Some(directive) = directive {
            found.extend(self.hooks(directive.hooks.iter(), Some(file)));
        }
        found
    }

    fn hooks<'h>(&self, hooks: impl Iterator<Item = &'h Hook>, file: Option<&File>) -> Vec<Finding> {
        let mut found = Vec::new();
        for hook in hooks {
            for &rule in &self.each {
                if let Check::Hook(look) = rule.check {
                    look(hook, file, self.project, &mut Findings::new(rule, &mut found));
                }
            }
        }
        found
    }

    /// What was found without being asked.
    fn diagnosed(&self, diagnostics: &[Diagnostic], file: Option<&File>) -> Vec<Finding> {
        let mut list = Vec::new();
        for diagnostic in diagnostics {
            let Some(&rule) = self.diagnosed.get(diagnostic.code()) else { continue };
            let otherwise = || match file {
                Some(file) => self.project.location(file),
                None => Location::File { tier: "".into(), path: String::new(), revision: None, position: None },
            };
            Findings::new(rule, &mut list).diagnosed(diagnostic, otherwise);
        }
        list
    }
}

/// By path, place and code.
fn order(left: &Finding, right: &Finding) -> Ordering {
    let place = || match (&left.at, &right.at) {
        // In one text this comes to the same, and costs nothing.
        (Location::Span(left), Location::Span(right)) if Arc::ptr_eq(left.source(), right.source()) => {
            let [left, right] = [left, right].map(|span| (span.range().start, span.range().end));
            left.cmp(&right)
        }
        (left, right) => position(left).cmp(&position(right)),
    };
    left.path().cmp(right.path()).then_with(place).then_with(|| left.rule.code.cmp(right.rule.code))
}

/// The line and the column at which a place begins and ends; what is a file as a whole comes before its first.
fn position(at: &Location) -> [(usize, usize); 2] {
    match at {
        Location::Span(span) => [span.range().start, span.range().end].map(|offset| {
            let at = span.source().position(offset);
            (at.line, at.column)
        }),
        Location::File { position, .. } => [position.map_or((0, 0), |at| (at.line, at.column)); 2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::view::tests::rule;
    use crate::text::Position;
    use crate::text::testing::source;

    static RULE: Rule = rule("RR003", "invalid_utf8", Group::Structure, Level::Error, FixKind::None);

    /// What shows its text and what has nothing but a line stand in the order of their lines.
    #[test]
    fn places_are_in_order_whatever_they_are() {
        let file = source("project", "x.md", "a long first line\nb\nc\n");
        let in_line = |line| Location::File {
            tier: "project".into(),
            path: "x.md".to_string(),
            revision: None,
            position: (line > 0).then_some(Position { line, column: 1 }),
        };
        let ordered = [
            in_line(0),
            file.span(0..0).into(),
            file.span(5..6).into(),
            in_line(2),
            file.span(18..19).into(),
            in_line(3),
            file.span(20..21).into(),
        ];
        let mut list = Vec::new();
        let mut found = Findings::new(&RULE, &mut list);
        for at in ordered.iter().rev() {
            found.at(at.clone(), "x");
        }
        list.sort_by(order);
        let found: Vec<Location> = list.into_iter().map(|finding| finding.at).collect();
        assert_eq!(found, ordered);
    }
}
