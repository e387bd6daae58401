//! The diagnostic format of reviewdog: columns count UTF-8 bytes, ends are exclusive.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use crate::diagnostic::Location;
use crate::lint::{Finding, Fix};
use crate::prompt::json::line;
use crate::text::{Position, Span};

use super::json::Lazy;
use super::place::{in_bytes, positions, without_whole_file};
use super::{LintReport, Paths, in_one_text, severity_word};

/// The message `DiagnosticResult`.
#[derive(Serialize)]
struct Diagnostics<D> {
    source: Value,
    diagnostics: D,
}

pub(super) fn write(report: &LintReport, out: &mut dyn Write) -> io::Result<()> {
    let diagnostics = Lazy(|| report.findings().map(|(finding, paths)| diagnostic(finding, paths)));
    line(&Diagnostics { source: json!({"name": "rye-render lint"}), diagnostics }, out)
}

fn diagnostic(finding: &Finding, paths: &Paths) -> Value {
    let severity = severity_word(finding, ["INFO", "WARNING", "ERROR"]);
    let path = paths.for_programs(&finding.at);
    let mut diagnostic = json!({
        "message": in_one_text(finding, paths),
        "location": {"path": path},
        "severity": severity,
        "code": {"value": finding.rule.code},
    });
    if let Some(range) = location(&without_whole_file(&finding.at)) {
        diagnostic["location"]["range"] = range;
    }
    if let Some(suggestion) = finding.fix.as_ref().and_then(|fix| suggestion(fix, &finding.at)) {
        diagnostic["suggestions"] = json!([suggestion]);
    }
    diagnostic
}

fn location(at: &Location) -> Option<Value> {
    match at {
        Location::Span(span) => Some(range(span)),
        Location::File { position, .. } => position.map(|_| json!({"start": {"line": positions(at).0.line}})),
    }
}

fn range(span: &Span) -> Value {
    let position = |offset| {
        let Position { line, column } = in_bytes(span.source(), offset);
        json!({"line": line, "column": column})
    };
    json!({"start": position(span.range().start), "end": position(span.range().end)})
}

/// A suggestion is a single range, so edits are merged with the text between them; none if they are in another file.
fn suggestion(fix: &Fix, at: &Location) -> Option<Value> {
    let Location::Span(place) = at else { return None };
    let source = place.source();
    let mut edits: Vec<_> = fix.edits.iter().collect();
    edits.sort_by_key(|edit| edit.span.range().start);
    if edits.iter().any(|edit| edit.span.source() != source) {
        return None;
    }
    let whole = source.span(edits.first()?.span.range().start..edits.last()?.span.range().end);
    let mut text = String::new();
    let mut from = whole.range().start;
    for edit in edits {
        text += source.text().get(from..edit.span.range().start)?;
        text += &edit.text;
        from = edit.span.range().end;
    }
    Some(json!({"range": range(&whole), "text": text}))
}
