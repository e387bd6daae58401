//! Findings for people: with lines and carets, one line each, or counted by rule.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};

use rayon::prelude::*;
use unicode_width::UnicodeWidthStr;

use crate::diagnostic::{Location, Severity};
use crate::lint::fix::fixable;
use crate::lint::{Finding, Rule};
use crate::text::numbers::thousands;
use crate::text::visible::visible_line;
use crate::write::notice::Notice;

use super::place::{positions, without_whole_file};
use super::{FixableCounts, LintReport, LintView, Paths};

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
        notice.print(view.theme, view.width)
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
    notice.print(view.theme, view.width)
}

pub(super) fn summary(report: &LintReport, view: &LintView, out: &mut dyn Write) -> io::Result<()> {
    let checked = report.checked();
    let is_of = |agents: bool| report.projects.iter().any(|project| project.paths.is_of_agents() == agents);
    let (directives, agents) = (is_of(false), is_of(true));
    let kinds = [
        (checked.directives, "directive", "directives", directives),
        (checked.knowledge, "knowledge item", "knowledge items", directives),
        (checked.tools, "tool", "tools", false),
        (checked.hooks, "hook", "hooks", directives),
        (checked.instructions, "instruction file", "instruction files", agents),
        (checked.skills, "skill", "skills", false),
    ];
    let kinds = kinds.iter().filter(|(number, .., is_always)| *is_always || *number > 0);
    let kinds: Vec<_> = kinds.map(|&(number, one, more, _)| counted(number, one, more)).collect();
    let place = match report.projects.as_slice() {
        [project] => project.paths.root(),
        projects => counted(projects.len(), "project", "projects"),
    };
    let time = report.seconds.map_or_else(String::new, |seconds| format!(" in {seconds:.2} s"));
    let line = format!("{place}: {} checked{time}", kinds.join(", "));
    writeln!(out, "{}", view.theme.dim().style(line))?;

    let counts = report.counts();
    let found = |number: usize, severity: Severity, one: &str| {
        let text = counted(number, one, &format!("{one}s"));
        if number > 0 { view.theme.message(severity.into_str()).style(text).to_string() } else { text }
    };
    let mut line = format!(
        "{}, {}",
        found(counts.errors, Severity::Error, "error"),
        found(counts.warnings, Severity::Warning, "warning")
    );
    if counts.notes > 0 {
        line += &format!(", {}", found(counts.notes, Severity::Note, "note"));
    }
    if let Some(shown) = counts.fixable.shown("can be fixed ") {
        line += &format!("; {shown}");
    }
    writeln!(out, "{line}")
}

fn counted(number: usize, one: &str, more: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { more })
}

#[derive(Debug, Clone, Copy)]
pub(super) struct RuleStatistics {
    pub rule: &'static Rule,
    /// The highest severity of its findings.
    pub severity: Severity,
    pub count: usize,
    pub fixable: FixableCounts,
}

/// The most frequent rule first.
pub(super) fn rows(report: &LintReport) -> Vec<RuleStatistics> {
    let mut by_code: BTreeMap<&str, RuleStatistics> = BTreeMap::new();
    for (finding, _) in report.findings() {
        let (rule, severity) = (finding.rule, finding.severity);
        let row = RuleStatistics { rule, severity, count: 0, fixable: FixableCounts::default() };
        let row = by_code.entry(rule.code).or_insert(row);
        row.severity = row.severity.max(severity);
        row.count += 1;
        row.fixable.add(finding);
    }
    let mut rows: Vec<RuleStatistics> = by_code.into_values().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.count));
    rows
}

/// One line per rule, then the summary.
pub(super) fn write_statistics(report: &LintReport, view: &LintView, out: &mut dyn Write) -> io::Result<()> {
    let rows = rows(report);
    let widest =
        |text: fn(&RuleStatistics) -> String| rows.iter().map(|row| text(row).width()).max().unwrap_or_default();
    let counts = widest(|row| thousands(row.count));
    let names = widest(|row| row.rule.name.to_string());
    for RuleStatistics { rule, severity, count, fixable } in &rows {
        let word = view.theme.message(severity.into_str()).style(format!("{:<7}", severity.into_str()));
        let fixes = fixable.shown("").map_or_else(String::new, |shown| format!("  {shown}"));
        let count = thousands(*count);
        let line = format!("{count:>counts$}  {}  {:<names$}  {word}{fixes}", rule.code, rule.name);
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
