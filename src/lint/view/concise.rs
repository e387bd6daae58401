use std::io::{self, Write};

use super::LintReport;
use super::place::positions;
use crate::text::visible::visible_line;

/// One line per finding: `path:line:column: warning[RR105] message`.
pub(super) fn write(report: &LintReport, out: &mut dyn Write) -> io::Result<()> {
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
