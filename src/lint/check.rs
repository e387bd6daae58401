//! Runs the checks, and counts what they check.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::diagnostic::{Diagnostic, Location};
use crate::lint::allow;
use crate::lint::finding::{Finding, Findings, whole_project};
use crate::lint::folders::AgentFile;
use crate::lint::project::{FileKind, LintFile, Project};
use crate::lint::rule::{FixKind, Group, Level, RULES, Rule, find};
use crate::lint::rules::structure::prompt;
use crate::lint::rules::{CHECKS, Check};
use crate::lint::view::CheckedCounts;
use crate::read::FILES_AT_A_TIME;
use crate::read::item::Hook;
use crate::read::store::ItemKind;
use crate::text::Span;
use crate::write::progress;

/// All findings in the linted files, ordered by path and place regardless of thread timing.
pub fn check(project: &Project<'_>) -> Vec<Finding> {
    let is_on = |rule: &&Rule| rule.applies_to(project.folders.is_some()) && project.options.is_on_anywhere(rule);
    let rules = RULES.iter().copied().filter(is_on).map(|rule| (rule, check_of(rule))).collect();
    let checks = Checks { project, rules };
    let files: Vec<&LintFile> = project.linted().collect();
    let progress = progress::begin("checking", "files", files.len());
    let of_file = |file: &&LintFile| {
        progress.step();
        checks.file(file)
    };
    let mut found: Vec<Finding> = files.par_iter().with_max_len(FILES_AT_A_TIME).flat_map_iter(of_file).collect();
    found.par_extend(checks.rules.par_iter().with_max_len(1).flat_map_iter(|&(rule, check)| checks.whole(rule, check)));
    found.extend(checks.hooks(project.configured_hooks(), None));
    found.extend(checks.diagnosed(&project.diagnostics, None));

    // A finding about a folder, such as one that cannot be listed, has no file.
    found.retain(|finding| finding.path().is_empty() || project.reports(finding.tier(), finding.path()));
    // What an agent leaves out may be in a file that is not checked.
    found.extend(checks.rules.iter().flat_map(|&(rule, _)| checks.of_agents(rule)));
    found.extend(unused_ignores(project, &found));
    settle(project, &mut found);
    let settled = found.len();
    let allowances = allow::remove_allowed(project, &mut found);
    for &(rule, check) in checks.rules.iter().filter(|_| !allowances.is_empty()) {
        if let Check::Allowances(look) = check {
            look(&allowances, project, &mut Findings::new(rule, &mut found));
        }
    }
    drop_prompt_changes(project, &mut found);
    if found.len() != settled || found.iter().any(|finding| finding.rule.group == Group::Lint) {
        settle(project, &mut found);
    }
    found
}

/// Rules that an entry of `lint.paths` ignores although they find nothing there: reported like unused allowances.
fn unused_ignores(project: &Project<'_>, found: &[Finding]) -> Vec<Finding> {
    let Some(unused) = find("path_setting_unused") else { return Vec::new() };
    let mut list = Vec::new();
    for entry in &project.options.paths {
        let mut files = project.files.iter().filter(|file| entry.files.matches(&file.path)).peekable();
        // Files that were not linted might have findings.
        if files.peek().is_none() || !files.all(|file| file.is_linted) {
            continue;
        }
        for (rule, at) in entry.ignored.iter().filter_map(|(rule, at)| Some((rule, at.as_ref()?))) {
            // Findings about allowances are added later.
            let is_on = rule.group != Group::Lint
                && rule.applies_to(project.folders.is_some())
                && project.options.is_on_anywhere(rule)
                && project.linted().any(|file| file.path == at.source().path());
            if is_on && !found.iter().any(|it| it.rule.code == rule.code && entry.files.matches(it.path())) {
                Findings::new(unused, &mut list).at(at, format!("`{}` finds nothing in these files", at.text()));
            }
        }
    }
    list
}

/// Drops fixes that promise not to change the prompt, in directives that a hook may insert byte for byte.
fn drop_prompt_changes(project: &Project<'_>, found: &mut [Finding]) {
    let mut promised = found.iter_mut().filter(|it| it.fix.is_some() && it.rule.fix == FixKind::SamePrompt).peekable();
    if promised.peek().is_none() {
        return;
    }
    let sent = allow::SentWhole::of(project);
    for finding in promised {
        let below = finding.path().strip_prefix(ItemKind::Directive.folder()).and_then(|it| it.strip_prefix('/'));
        if below.and_then(|it| it.strip_suffix(".md")).is_some_and(|id| sent.directive(id).is_some()) {
            finding.fix = None;
        }
    }
}

/// Applies the levels of the settings, sorts, and removes duplicates.
fn settle(project: &Project<'_>, found: &mut Vec<Finding>) {
    let level = |rule: &Rule, path: &str| match project.trust_only.contains(path) {
        true => project.options.trust_floor.level(rule, path).unwrap_or(Level::Off),
        false => project.options.level(rule, path),
    };
    found.retain_mut(|finding| {
        let severity = level(finding.rule, finding.path()).severity();
        finding.severity = severity.unwrap_or(finding.severity);
        severity.is_some()
    });
    found.par_sort_by(order);
    // Each child reports its parent's problems.
    found.dedup_by(|later, first| order(later, first) == Ordering::Equal && later.message == first.message);
}

pub(super) fn check_of(rule: &Rule) -> Check {
    CHECKS.iter().find(|(name, _)| *name == rule.name).map_or(Check::Diagnosed, |(_, check)| *check)
}

struct Checks<'p> {
    project: &'p Project<'p>,
    rules: Vec<(&'static Rule, Check)>,
}

impl<'p> Checks<'p> {
    /// Findings of a rule that runs once per project.
    fn whole(&self, rule: &'static Rule, check: Check) -> Vec<Finding> {
        let mut list = Vec::new();
        let mut found = Findings::new(rule, &mut list);
        match (check, &self.project.folders) {
            (Check::Project(check), _) => check(self.project, &mut found),
            (Check::Folders(check), Some(folders)) => check(folders, self.project, &mut found),
            _ => {}
        }
        list
    }

    /// What coding agents tell that belongs to a rule.
    fn of_agents(&self, rule: &'static Rule) -> Vec<Finding> {
        let mut list = Vec::new();
        let Some(folders) = &self.project.folders else { return list };
        for report in folders.reports.iter().filter(|report| report.rule == rule.name) {
            report.add_to(&mut Findings::new(rule, &mut list), folders.names(report.readers));
        }
        list
    }

    fn file(&self, file: &'p LintFile) -> Vec<Finding> {
        let project = self.project;
        let mut found = self.diagnosed(&file.diagnostics, Some(file));
        // A refused directive is checked too, so that one mistake does not hide others.
        let directive = file.readable();
        let composed = directive.map(|directive| project.composed(file, directive));
        let is_refused = file.directive().is_none();
        for &(rule, check) in &self.rules {
            let mut found = Findings::new(rule, &mut found);
            match (check, directive, &composed) {
                (Check::File(look), ..) if file.source.is_some() => look(file, project, &mut found),
                (Check::Directive(look), Some(directive), _) => look(file, directive, project, &mut found),
                (Check::Ignored(what), Some(directive), _) => {
                    for part in &directive.unread {
                        if let Some(message) = what(part) {
                            found.at(&part.span, message);
                        }
                    }
                }
                (Check::OwnPrompt(may_have), Some(directive), _) if may_have(directive, project.protocol) => {
                    prompt::report(directive, project, &mut found, |_| {});
                }
                // A refused directive has no prompt, so it costs and grants nothing.
                (Check::Composed(_), ..) if is_refused && rule.group != Group::References => {}
                (Check::Composed(look), _, Some(composed)) => look(composed, project, &mut found),
                _ => {}
            }
        }
        if let Some(directive) = directive {
            found.extend(self.hooks(directive.hooks.iter(), Some(file)));
        }
        found
    }

    fn hooks<'h>(&self, hooks: impl Iterator<Item = &'h Hook>, file: Option<&LintFile>) -> Vec<Finding> {
        let mut found = Vec::new();
        for hook in hooks {
            for &(rule, check) in &self.rules {
                if let Check::Hook(look) = check {
                    look(hook, file, self.project, &mut Findings::new(rule, &mut found));
                }
            }
        }
        found
    }

    /// Findings from diagnostics that were reported while reading.
    fn diagnosed(&self, diagnostics: &[Diagnostic], file: Option<&LintFile>) -> Vec<Finding> {
        let mut list = Vec::new();
        for diagnostic in diagnostics {
            let is_rule =
                |(rule, check): &&(&Rule, Check)| matches!(check, Check::Diagnosed) && rule.name == diagnostic.code();
            let Some((rule, _)) = self.rules.iter().find(is_rule) else { continue };
            let otherwise = || match file {
                Some(file) => self.project.location(file),
                None => whole_project(),
            };
            let folders = self.project.folders.as_ref().filter(|_| rule.group == Group::Folders);
            let path = file.map_or("", |file| &file.path);
            let agents = folders.map(|it| it.names(it.readers_of_problem(&diagnostic.problem, path)));
            if agents.as_ref().is_none_or(|agents| !agents.is_empty()) {
                let mut found = Findings::new(rule, &mut list);
                found.diagnosed(diagnostic, otherwise).for_agents(agents.unwrap_or_default());
            }
        }
        list
    }
}

fn order(left: &Finding, right: &Finding) -> Ordering {
    let place = || match (&left.at, &right.at) {
        // Within one file, offsets give the same order, and comparing them is faster.
        (Location::Span(left), Location::Span(right)) if Arc::ptr_eq(left.source(), right.source()) => {
            let [left, right] = [left, right].map(|span| (span.range().start, span.range().end));
            left.cmp(&right)
        }
        (left, right) => position(left).cmp(&position(right)),
    };
    left.path().cmp(right.path()).then_with(place).then_with(|| left.rule.code.cmp(right.rule.code))
}

/// The start and end of a place as line and column; a whole file sorts first.
fn position(at: &Location) -> [(usize, usize); 2] {
    match at {
        Location::Span(span) => [span.range().start, span.range().end].map(|offset| {
            let at = span.source().position(offset);
            (at.line, at.column)
        }),
        Location::File { position, .. } => [position.map_or((0, 0), |at| (at.line, at.column)); 2],
    }
}

pub fn counts(project: &Project<'_>) -> CheckedCounts {
    let of_kind = |kind| project.linted().filter(|file| file.kind == kind).count();
    let of_agents = project.linted().filter(|file| matches!(file.kind, FileKind::Agents(_))).count();
    let skills = of_kind(FileKind::Agents(AgentFile::Skill));
    CheckedCounts {
        directives: of_kind(FileKind::Item(ItemKind::Directive)),
        knowledge: of_kind(FileKind::Item(ItemKind::Knowledge)),
        tools: of_kind(FileKind::Item(ItemKind::Tool)),
        hooks: linted_hooks(project),
        instructions: of_agents - skills,
        skills,
    }
}

/// The number of configured hooks in checked files; bundles are not checked.
fn linted_hooks(project: &Project<'_>) -> usize {
    let mut hooks: HashMap<&str, usize> = HashMap::new();
    let places = project.configured_hooks().filter_map(|hook| hook.span.as_ref()).map(Span::source);
    places.filter(|source| source.tier() == "project").for_each(|source| *hooks.entry(source.path()).or_default() += 1);
    project.linted().filter_map(|file| hooks.remove(file.path.as_str())).sum()
}

#[cfg(test)]
mod check_tests {
    use super::*;
    use crate::lint::view::tests::rule;
    use crate::text::Position;
    use crate::text::testing::source;

    static RULE: Rule = rule("RR003", "invalid_utf8", Group::Structure, Level::Error, FixKind::None);

    /// Places with text and places with only a line are ordered by line.
    #[test]
    fn places_of_every_kind_are_ordered() {
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
