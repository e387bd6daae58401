//! Annotations for GitHub Actions, which the runner reads from the log.

use std::io::{self, Write};

use super::place::{last_line, positions, without_whole_file};
use super::{LintReport, Paths, in_one_text, severity_word};
use crate::diagnostic::Location;
use crate::lint::Finding;
use crate::text::visible::visible;

/// A workflow command per line: `::warning file=…,line=…::message`.
pub(super) fn write(report: &LintReport, out: &mut dyn Write) -> io::Result<()> {
    report.findings().try_for_each(|(finding, paths)| writeln!(out, "{}", command(finding, paths)))
}

fn command(finding: &Finding, paths: &Paths) -> String {
    let name = severity_word(finding, ["notice", "warning", "error"]);
    let mut properties = vec![("title", format!("{} {}", finding.rule.code, finding.rule.name))];
    if let Some(file) = paths.exact(&finding.at).filter(|_| !finding.path().is_empty()) {
        properties.insert(0, ("file", file));
        properties.splice(1..1, lines(&finding.at));
    }
    let properties: Vec<_> = properties.iter().map(|(name, value)| format!("{name}={}", property(value))).collect();
    format!("::{name} {}::{}", properties.join(","), data(&in_one_text(finding, paths)))
}

/// GitHub rejects columns for a range of several lines.
fn lines(at: &Location) -> Vec<(&'static str, String)> {
    let at = without_whole_file(at);
    if let Location::File { position: None, .. } = at {
        return vec![("line", "1".to_string())];
    }
    let ((start, end), last) = (positions(&at), last_line(&at));
    let mut lines = vec![("line", start.line.to_string()), ("endLine", last.to_string())];
    if start.line == end.line {
        lines.insert(1, ("col", start.column.to_string()));
        lines.push(("endColumn", end.column.to_string()));
    }
    lines
}

/// Makes control characters visible, since people read logs on terminals.
fn data(text: &str) -> String {
    visible(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property, which must not contain `:` or `,`.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_cannot_end_or_begin_a_command() {
        assert_eq!(property("a,b:c%d\n::error::x"), "a%2Cb%3Ac%25d%0A%3A%3Aerror%3A%3Ax");
        assert_eq!(data("100%\n::set-output::\u{1b}[31m\r"), "100%25%0A::set-output::<U+001B>[31m<U+000D>");
    }
}
