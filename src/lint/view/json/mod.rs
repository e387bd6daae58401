//! Findings as one JSON object, or one object per line.

pub mod shape;

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::diagnostic::Location;
use crate::lint::fix::{FileOutcome, NotFixed, fixable};
use crate::lint::{Finding, Fix, FixKind};
use crate::prompt::json::line;

use super::place::positions;
use super::text::rows;
use super::{LintReport, LintView, Paths, docs};

pub(super) fn write(report: &LintReport, view: &LintView, out: &mut dyn Write) -> io::Result<()> {
    line(&document(report, view), out)
}

/// One line per finding, or per rule with `--statistics`; then one per file with fixes.
pub(super) fn write_lines(report: &LintReport, view: &LintView, out: &mut dyn Write) -> io::Result<()> {
    if view.statistics {
        rows(report).iter().try_for_each(|row| line(row, &mut *out))?;
    } else {
        report.findings().try_for_each(|(it, paths)| line(&finding(it, paths), &mut *out))?;
    }
    let mut files = fixes(report).into_iter().flatten();
    files.try_for_each(|fixes| line(&shape::FixesLine { fixes }, &mut *out))
}

fn document<'a>(report: &'a LintReport, view: &LintView) -> shape::LintDocument<'a> {
    shape::LintDocument {
        format: "rye-render.lint/1",
        tool_version: env!("CARGO_PKG_VERSION"),
        findings: (!view.statistics).then(|| report.findings().map(|(it, paths)| finding(it, paths)).collect()),
        statistics: view.statistics.then(|| rows(report)),
        fixes: fixes(report),
        summary: report.summary(),
    }
}

/// None if no fixes were requested.
fn fixes(report: &LintReport) -> Option<Vec<shape::FileFixes<'_>>> {
    let fix_outcomes = report.projects.iter().filter_map(|project| Some((project, project.fix_outcomes.as_ref()?)));
    let files = fix_outcomes.flat_map(|(project, files)| files.iter().map(|file| file_fixes(file, &project.paths)));
    report.projects.iter().any(|project| project.fix_outcomes.is_some()).then(|| files.collect())
}

fn file_fixes<'a>(file: &'a FileOutcome, paths: &'a Paths) -> shape::FileFixes<'a> {
    let (message, help) = file.why.as_ref().map(NotFixed::words).unzip();
    shape::FileFixes {
        project: paths.project(),
        path: &file.path,
        fixed: file.fixed,
        allowed: file.allowed,
        left: file.left,
        reason: file.why.as_ref().map(NotFixed::into_str),
        message,
        help,
    }
}

fn finding<'a>(finding: &'a Finding, paths: &'a Paths) -> shape::Finding<'a> {
    let Finding { rule, severity, at, message, help, related, fix, agents } = finding;
    let related = related.iter().map(|other| shape::Related { message: &other.message, source: place(&other.at) });
    shape::Finding {
        code: rule.code,
        name: rule.name,
        group: rule.group.into_str(),
        severity: severity.into_str(),
        message,
        help,
        project: paths.project(),
        source: (!finding.path().is_empty()).then(|| place(at)),
        related: related.collect(),
        agents,
        fix: fix.as_ref().map(|fix| self::fix(fix, finding)),
        docs: docs(rule),
    }
}

fn place(at: &Location) -> shape::FindingPlace<'_> {
    let (start, end) = positions(at);
    let (bytes, is_placed) = match at {
        Location::Span(span) => (Some(span.place()), true),
        Location::File { position, .. } => (None, position.is_some()),
    };
    shape::FindingPlace {
        tier: at.tier(),
        path: at.path(),
        start: bytes.map(|place| place.start),
        end: bytes.map(|place| place.end),
        line: is_placed.then_some(start.line),
        column: is_placed.then_some(start.column),
        end_line: is_placed.then_some(end.line),
        end_column: is_placed.then_some(end.column),
    }
}

fn fix<'a>(fix: &'a Fix, finding: &Finding) -> shape::Fix<'a> {
    let edits = fix.edits.iter().map(|edit| {
        let (source, place) = (edit.span.source(), edit.span.place());
        shape::Edit {
            tier: source.tier(),
            path: source.path(),
            start: place.start,
            end: place.end,
            text: edit.as_written(),
        }
    });
    shape::Fix {
        title: &fix.title,
        changes_prompt: finding.rule.fix == FixKind::ChangesPrompt,
        needs_unsafe: fixable(finding).is_some_and(|fixable| fixable.is_signed),
        edits: edits.collect(),
    }
}

/// A list serialized element by element, since there may be many findings.
pub(super) struct Lazy<F>(pub F);

impl<F, I> Serialize for Lazy<F>
where
    F: Fn() -> I,
    I: Iterator<Item = Value>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}
