//! For people: each finding with its lines and a caret, and how much was checked.

use std::collections::HashSet;
use std::io::{self, Write};

use super::place::without_whole_file;
use super::{Report, View};
use crate::diagnostic::{Location, Notice, Severity};
use crate::lint::Finding;
use crate::tokens::thousands;

/// Writes all of it; of a report without findings the last lines alone.
pub(super) fn write(report: &Report, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let mut explained = HashSet::new();
    for finding in &report.findings {
        let is_first = explained.insert(finding.rule.code);
        writeln!(out, "{}", printed(finding, is_first, view))?;
    }
    summary(report, view, out)
}

/// A finding, and for the first one of its rule where there is more to read.
fn printed(finding: &Finding, is_first: bool, view: &View) -> String {
    let Finding { rule, severity, message, help, .. } = finding;
    let mut remarks = vec![("help", help.clone())];
    if let Some(fix) = &finding.fix {
        remarks.push(("fix", format!("{} (with --fix)", fix.title)));
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
        file: &|at: &Location| view.paths.shown(at),
    };
    notice.print(view.theme, view.width)
}

/// How much was checked, and how much was found.
pub(super) fn summary(report: &Report, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let checked = &report.checked;
    let kinds = [
        (checked.directives, "directive", "directives", true),
        (checked.knowledge, "knowledge item", "knowledge items", true),
        (checked.tools, "tool", "tools", false),
        (checked.hooks, "hook", "hooks", true),
    ];
    let kinds = kinds.iter().filter(|(number, .., is_always)| *is_always || *number > 0);
    let kinds: Vec<_> = kinds.map(|&(number, one, more, _)| counted(number, one, more)).collect();
    let line = format!("{}: {} checked in {:.2} s", view.paths.root(), kinds.join(", "), checked.seconds);
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
    if counts.fixable > 0 {
        line += &format!("; {} can be fixed with --fix", thousands(counts.fixable));
    }
    writeln!(out, "{line}")
}

fn counted(number: usize, one: &str, more: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { more })
}
