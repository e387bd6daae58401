//! Findings as one JSON object, or an object a line.

pub mod shape;

use std::io::{self, Write};

use super::place::{path, positions, tier, with_line_ends};
use super::statistics::{Row, rows};
use super::{Report, View, docs};
use crate::diagnostic::Location;
use crate::lint::{Finding, Fix, FixKind};
use crate::render::json::line;

/// One object.
pub(super) fn write(report: &Report, view: &View, out: &mut dyn Write) -> io::Result<()> {
    line(&document(report, view), out)
}

/// A line for each finding, or for each rule where they are counted.
pub(super) fn write_lines(report: &Report, view: &View, out: &mut dyn Write) -> io::Result<()> {
    if view.statistics {
        return rows(&report.findings).iter().try_for_each(|row| line(&shape::Count::from(row), &mut *out));
    }
    report.findings.iter().try_for_each(|finding| line(&shape::Finding::from(finding), &mut *out))
}

/// The report in the shape that other programs rely on.
fn document<'a>(report: &'a Report, view: &View) -> shape::LintDocument<'a> {
    let (counts, checked) = (report.counts(), &report.checked);
    shape::LintDocument {
        format: "rye-render.lint/1",
        tool_version: env!("CARGO_PKG_VERSION"),
        findings: (!view.statistics).then(|| report.findings.iter().map(Into::into).collect()),
        statistics: view.statistics.then(|| rows(&report.findings).iter().map(Into::into).collect()),
        summary: shape::Summary {
            errors: counts.errors,
            warnings: counts.warnings,
            notes: counts.notes,
            fixable: counts.fixable,
            checked: shape::Checked {
                directives: checked.directives,
                knowledge: checked.knowledge,
                tools: checked.tools,
                hooks: checked.hooks,
            },
        },
    }
}

impl<'a> From<&'a Finding> for shape::Finding<'a> {
    fn from(finding: &'a Finding) -> Self {
        let Finding { rule, severity, at, message, help, related, fix } = finding;
        let changes_prompt = rule.fix == FixKind::ChangesPrompt;
        let related = related.iter().map(|other| shape::Related { message: &other.message, source: place(&other.at) });
        Self {
            code: rule.code,
            name: rule.name,
            group: rule.group.word(),
            severity: severity.word(),
            message,
            help,
            source: (!finding.path().is_empty()).then(|| place(at)),
            related: related.collect(),
            fix: fix.as_ref().map(|fix| self::fix(fix, changes_prompt)),
            docs: docs(rule),
        }
    }
}

fn place(at: &Location) -> shape::Place<'_> {
    let (start, end) = positions(at);
    let (bytes, is_placed) = match at {
        Location::Span(span) => (Some(span.place()), true),
        Location::File { position, .. } => (None, position.is_some()),
    };
    shape::Place {
        tier: tier(at),
        path: path(at),
        start: bytes.map(|place| place.start),
        end: bytes.map(|place| place.end),
        line: is_placed.then_some(start.line),
        column: is_placed.then_some(start.column),
        end_line: is_placed.then_some(end.line),
        end_column: is_placed.then_some(end.column),
    }
}

fn fix(fix: &Fix, changes_prompt: bool) -> shape::Fix<'_> {
    let edits = fix.edits.iter().map(|edit| {
        let (source, place) = (edit.span.source(), edit.span.place());
        shape::Edit {
            tier: source.tier(),
            path: source.path(),
            start: place.start,
            end: place.end,
            text: with_line_ends(&edit.text, source),
        }
    });
    shape::Fix { title: &fix.title, changes_prompt, edits: edits.collect() }
}

impl From<&Row> for shape::Count {
    fn from(row: &Row) -> Self {
        let Row { rule, severity, count, fixable } = *row;
        Self { code: rule.code, name: rule.name, group: rule.group.word(), severity: severity.word(), count, fixable }
    }
}
