//! Findings counted by rule.

use std::collections::BTreeMap;
use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::{FixableCounts, LintReport, LintView, text};
use crate::diagnostic::Severity;
use crate::lint::Rule;
use crate::text::numbers::thousands;

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
pub(super) fn write(report: &LintReport, view: &LintView, out: &mut dyn Write) -> io::Result<()> {
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
    text::summary(report, view, out)
}
