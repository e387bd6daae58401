//! Findings for people: with lines and carets, one line each, or counted by rule.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

use rayon::prelude::*;
use unicode_width::UnicodeWidthStr;

use crate::diagnostic::{Location, Severity};
use crate::lint::fix::fixable;
use crate::lint::{Finding, Rule};
use crate::text::numbers::{count, thousands};
use crate::text::visible::visible_line;
use crate::write::notice::Notice;
use crate::write::theme::{DIM, of_message};

use super::json::shape::RuleCount;
use super::place::{positions, without_whole_file};
use super::{LintReport, LintView, Paths, count_fixable, fixable_shown};

/// The number of findings laid out in parallel.
const CHUNK: usize = 1_000;

/// A note in more files is shown once, with a count.
const MOST_FILES: usize = 10;

pub(super) fn write(report: &LintReport, view: &LintView, out: &mut dyn Write) -> io::Result<()> {
    let often = often(report, view);
    let mut explained = HashSet::new();
    let listed = report.findings().filter(|(finding, _)| !is_summarised(finding, &often));
    let listed: Vec<_> = listed.map(|(finding, paths)| (finding, paths, explained.insert(finding.rule.code))).collect();
    for chunk in listed.chunks(CHUNK) {
        let printed = chunk.par_iter().map(|(finding, paths, is_first)| printed(finding, paths, *is_first, view));
        for finding in printed.collect::<Vec<_>>() {
            writeln!(out, "{finding}")?;
        }
    }
    for often in often.values() {
        writeln!(out, "{}", often.summary(view))?;
    }
    summary(report, view, out)
}

struct FrequentNotes<'r> {
    rule: &'static Rule,
    notes: usize,
    files: HashSet<(&'r str, &'r str)>,
}

/// The rules whose notes are summarised, by code: those neither selected by name nor failures.
fn often<'r>(report: &'r LintReport, view: &LintView) -> BTreeMap<&'static str, FrequentNotes<'r>> {
    let mut all: BTreeMap<&str, FrequentNotes<'_>> = BTreeMap::new();
    for project in &report.projects {
        for finding in project.findings.iter().filter(|finding| finding.severity == Severity::Note) {
            let rule = finding.rule;
            let often = all.entry(rule.code).or_insert_with(|| FrequentNotes { rule, notes: 0, files: HashSet::new() });
            often.notes += 1;
            often.files.insert((project.paths.prefix(), finding.path()));
        }
    }
    all.retain(|code, often| !view.lists.names(code) && often.files.len() > MOST_FILES);
    all
}

fn is_summarised(finding: &Finding, often: &BTreeMap<&str, FrequentNotes<'_>>) -> bool {
    finding.severity == Severity::Note && often.contains_key(finding.rule.code)
}

impl FrequentNotes<'_> {
    fn summary(&self, view: &LintView) -> String {
        let Rule { code, message, .. } = self.rule;
        let (notes, files) = (thousands(self.notes), thousands(self.files.len()));
        let times = format!("{notes} times in {files} files: {message}");
        let notice = Notice {
            severity: Severity::Note,
            code,
            message: &times,
            at: None,
            is_placed: true,
            title_width: view.title_width(),
            related: Vec::new(),
            remarks: vec![("more", format!("--select {code} lists them"))],
            file: &|_| String::new(),
        };
        notice.print(view.screen.theme, view.screen.width)
    }
}

/// The first finding of a rule also names its page.
fn printed(finding: &Finding, paths: &Paths, is_first: bool, view: &LintView) -> String {
    let Finding { rule, severity, message, help, .. } = finding;
    let mut remarks = vec![("help", help.clone())];
    if let Some(fix) = &finding.fix {
        let is_signed = fixable(finding).is_some_and(|fixable| fixable.is_signed);
        let flags = if is_signed { "--fix --unsafe-fixes: the file is signed" } else { "--fix" };
        remarks.push(("fix", format!("{} (with {flags})", fix.title)));
    }
    if is_first {
        remarks.push(("more", format!("rye-render lint --explain {}", rule.code)));
    }
    let at = without_whole_file(&finding.at);
    let related: Vec<_> = finding.related.iter().map(|other| (without_whole_file(&other.at), &other.message)).collect();
    let notice = Notice {
        severity: *severity,
        code: rule.code,
        message,
        at: Some(&at).filter(|_| !finding.path().is_empty()),
        is_placed: true,
        title_width: view.title_width(),
        related: related.iter().map(|(at, message)| (at, message.as_str())).collect(),
        remarks,
        file: &|at: &Location| paths.shown(at),
    };
    notice.print(view.screen.theme, view.screen.width)
}

pub(super) fn summary(report: &LintReport, view: &LintView, out: &mut dyn Write) -> io::Result<()> {
    let counts = report.summary();
    let checked = counts.checked;
    let is_of = |agents: bool| report.projects.iter().any(|project| project.paths.is_of_agents() == agents);
    let (directives, agents) = (is_of(false), is_of(true));
    let kinds = [
        (checked.directives, "directive", directives),
        (checked.knowledge, "knowledge item", directives),
        (checked.tools, "tool", false),
        (checked.hooks, "hook", directives),
        (checked.instructions, "instruction file", agents),
        (checked.skills, "skill", false),
    ];
    let kinds = kinds.into_iter().filter(|(number, _, is_always)| *is_always || *number > 0);
    let kinds: Vec<_> = kinds.map(|(number, kind, _)| count(number, kind)).collect();
    let place = match report.projects.as_slice() {
        [project] => project.paths.root(),
        projects => count(projects.len(), "project"),
    };
    let time = report.seconds.map_or_else(String::new, |seconds| format!(" in {seconds:.2} s"));
    let line = format!("{place}: {} checked{time}", kinds.join(", "));
    writeln!(out, "{}", view.screen.theme.choose(DIM).style(line))?;

    let found = |number: usize, severity: &str| {
        let text = count(number, severity);
        if number > 0 { view.screen.theme.choose(of_message(severity)).style(text).to_string() } else { text }
    };
    let mut line = format!("{}, {}", found(counts.errors, "error"), found(counts.warnings, "warning"));
    if counts.notes > 0 {
        line += &format!(", {}", found(counts.notes, "note"));
    }
    if let Some(shown) = fixable_shown(counts.fixable, counts.fixable_unsafe, "can be fixed ") {
        line += &format!("; {shown}");
    }
    writeln!(out, "{line}")
}

/// The most frequent rule first, each with the highest severity of its findings.
pub(super) fn rows(report: &LintReport) -> Vec<RuleCount> {
    let mut by_code: BTreeMap<&str, (Severity, RuleCount)> = BTreeMap::new();
    for (finding, _) in report.findings() {
        let Rule { code, name, group, .. } = finding.rule;
        let row = || RuleCount { code, name, group: group.into_str(), ..RuleCount::default() };
        let (severity, row) = by_code.entry(code).or_insert_with(|| (finding.severity, row()));
        *severity = finding.severity.max(*severity);
        row.severity = severity.into_str();
        row.count += 1;
        count_fixable(finding, &mut row.fixable, &mut row.fixable_unsafe);
    }
    let mut rows: Vec<RuleCount> = by_code.into_values().map(|(_, row)| row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.count));
    rows
}

/// One line per rule, then the summary.
pub(super) fn write_statistics(report: &LintReport, view: &LintView, out: &mut dyn Write) -> io::Result<()> {
    let rows = rows(report);
    let widest = |text: fn(&RuleCount) -> String| rows.iter().map(|row| text(row).width()).max().unwrap_or_default();
    let counts = widest(|row| thousands(row.count));
    let names = widest(|row| row.name.to_string());
    for RuleCount { code, name, severity, count: number, fixable, fixable_unsafe, .. } in &rows {
        let word = view.screen.theme.choose(of_message(severity)).style(format!("{severity:<7}"));
        let fixes = fixable_shown(*fixable, *fixable_unsafe, "").map_or_else(String::new, |shown| format!("  {shown}"));
        let number = thousands(*number);
        let line = format!("{number:>counts$}  {code}  {name:<names$}  {word}{fixes}");
        writeln!(out, "{}", line.trim_end())?;
    }
    if !rows.is_empty() {
        writeln!(out)?;
    }
    summary(report, view, out)
}

/// One line per finding: `path:line:column: warning[RR105] message`.
pub(super) fn write_concise(report: &LintReport, out: &mut dyn Write) -> io::Result<()> {
    for (finding, paths) in report.findings() {
        // Editors jump to a line and column, so a finding about a whole file gets 1:1.
        let (at, _) = positions(&finding.at);
        let place = format!(":{}:{}", at.line, at.column);
        let file = paths.shown(&finding.at);
        let first = finding.message.lines().next().unwrap_or_default();
        let (severity, code) = (finding.severity.into_str(), finding.rule.code);
        writeln!(out, "{file}{place}: {severity}[{code}] {}", visible_line(first))?;
    }
    Ok(())
}
