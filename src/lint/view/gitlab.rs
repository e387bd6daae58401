//! A Code Quality report for GitLab, which compares fingerprints between branches.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::lint::Finding;
use crate::prompt::json::line;

use super::fingerprint::fingerprints;
use super::json::Lazy;
use super::place::{last_line, positions};
use super::{LintReport, Paths, in_one_text, severity_word};

pub(super) fn write(report: &LintReport, out: &mut dyn Write) -> io::Result<()> {
    let known = fingerprints(report);
    let findings = || {
        let findings = report.findings().zip(&known);
        findings.map(|((finding, paths), fingerprint)| entry(finding, fingerprint, paths))
    };
    line(&Lazy(findings), out)
}

fn entry(finding: &Finding, fingerprint: &str, paths: &Paths) -> Value {
    let severity = severity_word(finding, ["info", "minor", "major"]);
    let path = paths.for_programs(&finding.at);
    json!({
        "description": in_one_text(finding, paths),
        "check_name": format!("{} {}", finding.rule.code, finding.rule.name),
        "fingerprint": fingerprint,
        "severity": severity,
        "location": {
            "path": path,
            "lines": {"begin": positions(&finding.at).0.line, "end": last_line(&finding.at)},
        },
    })
}
