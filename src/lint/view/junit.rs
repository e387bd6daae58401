//! A JUnit report: a suite for each file, in which every finding is a test case. Notes are passed ones.

use std::io::{self, Write};

use super::place::positions;
use super::{OfProject, Paths, Report, in_one_text};
use crate::diagnostic::Severity;
use crate::lint::Finding;
use crate::text::visible::{escape, is_hidden, visible_line};

/// One document. A report without findings has one test case that passed for each project, since services take an empty one for a fault.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let all: Vec<&Finding> = report.findings().map(|(finding, _)| finding).collect();
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"rye-render lint\" {}>", totals(&all, report.projects.len()))?;
    for OfProject { paths, findings, .. } in &report.projects {
        for of_file in findings.chunk_by(|left, right| left.path() == right.path()) {
            suite(of_file, paths, out)?;
        }
    }
    for project in report.projects.iter().filter(|_| all.is_empty()) {
        let root = xml(&project.paths.whole());
        writeln!(out, "  <testsuite name=\"{root}\" {}>", totals(&[], 1))?;
        writeln!(out, "    <testcase classname=\"{root}\" name=\"rye-render lint\"/>")?;
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

/// The numbers of a suite, in which so many cases passed if nothing was found.
fn totals(findings: &[&Finding], passed: usize) -> String {
    let failures = findings.iter().filter(|finding| finding.severity > Severity::Note).count();
    let tests = if findings.is_empty() { passed } else { findings.len() };
    format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\"")
}

fn suite(findings: &[Finding], paths: &Paths, out: &mut dyn Write) -> io::Result<()> {
    let Some(first) = findings.first() else { return Ok(()) };
    let shown = paths.for_programs(&first.at);
    let file = xml(&shown);
    let all: Vec<&Finding> = findings.iter().collect();
    writeln!(out, "  <testsuite name=\"{file}\" {}>", totals(&all, 0))?;
    for finding in findings {
        let Finding { rule, severity, message, .. } = finding;
        let at = positions(&finding.at).0;
        let name = format!("{} {} {}:{}", rule.code, rule.name, at.line, at.column);
        let place = format!("classname=\"{file}\" name=\"{name}\" file=\"{file}\" line=\"{}\"", at.line);
        let text = xml(&format!("{}:{}:{}\n{}", visible_line(&shown), at.line, at.column, in_one_text(finding, paths)));
        writeln!(out, "    <testcase {place}>")?;
        match severity {
            Severity::Note => writeln!(out, "      <system-out>{text}</system-out>")?,
            _ => {
                let (kind, message) = (severity.into_str(), xml(message));
                writeln!(out, "      <failure type=\"{kind}\" message=\"{message}\">{text}</failure>")?;
            }
        }
        writeln!(out, "    </testcase>")?;
    }
    writeln!(out, "  </testsuite>")
}

/// Text that may stand in an element and in an attribute. What XML has no way to hold, and what would act on a terminal,
/// is shown as `<U+001B>`.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            // As they are, an attribute would make them blanks.
            '\n' => out += "&#10;",
            '\t' => out += "&#9;",
            c if is_hidden(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => out += &xml(&escape(c)),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_can_stand_in_a_document() {
        let all: String = ('\0'..=char::MAX).collect();
        let document = format!("<a b=\"{0}\">{0}</a>", xml(&all));
        let is_allowed = |c: char| !is_hidden(c) && !matches!(c, '\u{fffe}' | '\u{ffff}');
        assert!(document.chars().all(is_allowed));
        let mut reader = quick_xml::Reader::from_str(&document);
        while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
    }
}
