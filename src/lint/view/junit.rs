//! A JUnit report: a suite for each file, in which every finding is a test case. Notes are passed ones.

use std::io::{self, Write};

use super::place::positions;
use super::{Report, View, in_one_text};
use crate::diagnostic::Severity;
use crate::lint::Finding;
use crate::text::visible::{escape, is_hidden, visible_line};

/// One document. A report without findings has one test case that passed, since services take an empty one for a fault.
pub(super) fn write(report: &Report, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let findings = &report.findings;
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"rye-render lint\" {}>", totals(findings))?;
    for of_file in findings.chunk_by(|left, right| left.path() == right.path()) {
        suite(of_file, view, out)?;
    }
    if findings.is_empty() {
        let root = xml(&view.paths.whole());
        writeln!(out, "  <testsuite name=\"{root}\" {}>", totals(findings))?;
        writeln!(out, "    <testcase classname=\"{root}\" name=\"rye-render lint\"/>")?;
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

fn totals(findings: &[Finding]) -> String {
    let failures = findings.iter().filter(|finding| finding.severity > Severity::Note).count();
    format!("tests=\"{}\" failures=\"{failures}\" errors=\"0\"", findings.len().max(1))
}

fn suite(findings: &[Finding], view: &View, out: &mut dyn Write) -> io::Result<()> {
    let Some(first) = findings.first() else { return Ok(()) };
    let shown = view.paths.for_programs(&first.at);
    let file = xml(&shown);
    writeln!(out, "  <testsuite name=\"{file}\" {}>", totals(findings))?;
    for finding in findings {
        let Finding { rule, severity, message, .. } = finding;
        let at = positions(&finding.at).0;
        let name = format!("{} {} {}:{}", rule.code, rule.name, at.line, at.column);
        let place = format!("classname=\"{file}\" name=\"{name}\" file=\"{file}\" line=\"{}\"", at.line);
        let text = xml(&format!("{}:{}:{}\n{}", visible_line(&shown), at.line, at.column, in_one_text(finding, view)));
        writeln!(out, "    <testcase {place}>")?;
        match severity {
            Severity::Note => writeln!(out, "      <system-out>{text}</system-out>")?,
            _ => {
                let (kind, message) = (severity.word(), xml(message));
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
