//! A Code Quality report of GitLab, which compares the fingerprints of two branches.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::each::Each;
use super::fingerprint::fingerprints;
use super::place::{last_line, positions};
use super::{Report, View, in_one_text};
use crate::diagnostic::Severity;
use crate::lint::Finding;
use crate::render::json::line;

/// A list of findings.
pub(super) fn write(report: &Report, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let known = fingerprints(&report.findings);
    let findings = || {
        let findings = report.findings.iter().zip(&known);
        findings.map(|(finding, fingerprint)| entry(finding, fingerprint, view))
    };
    line(&Each(findings), out)
}

fn entry(finding: &Finding, fingerprint: &str, view: &View) -> Value {
    let severity = match finding.severity {
        Severity::Error => "major",
        Severity::Warning => "minor",
        Severity::Note => "info",
    };
    let path = view.paths.for_programs(&finding.at);
    json!({
        "description": in_one_text(finding, view),
        "check_name": format!("{} {}", finding.rule.code, finding.rule.name),
        "fingerprint": fingerprint,
        "severity": severity,
        "location": {
            "path": path,
            "lines": {"begin": positions(&finding.at).0.line, "end": last_line(&finding.at)},
        },
    })
}
