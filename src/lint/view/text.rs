//! For people: each finding with its lines and a caret, and how much was checked.

use std::collections::HashSet;
use std::io::{self, Write};

use super::place::without_whole_file;
use super::{Paths, Report, View};
use crate::diagnostic::{Location, Notice, Severity};
use crate::lint::Finding;
use crate::lint::fix::fixable;
use crate::tokens::thousands;

/// Writes all of it; of a report without findings the last lines alone.
pub(super) fn write(report: &Report, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let mut explained = HashSet::new();
    for (finding, paths) in report.findings() {
        let is_first = explained.insert(finding.rule.code);
        writeln!(out, "{}", printed(finding, paths, is_first, view))?;
    }
    summary(report, view, out)
}

/// A finding, and for the first one of its rule where there is more to read.
fn printed(finding: &Finding, paths: &Paths, is_first: bool, view: &View) -> String {
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
        related: related.iter().map(|(at, message)| (at, message.as_str())).collect(),
        remarks,
        file: &|at: &Location| paths.shown(at),
    };
    notice.print(view.theme, view.width)
}

/// How much was checked, and how much was found.
pub(super) fn summary(report: &Report, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let checked = report.checked();
    let kinds = [
        (checked.directives, "directive", "directives", true),
        (checked.knowledge, "knowledge item", "knowledge items", true),
        (checked.tools, "tool", "tools", false),
        (checked.hooks, "hook", "hooks", true),
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
        if number > 0 { view.theme.severity(Some(severity)).style(text).to_string() } else { text }
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
