//! A JUnit report: a suite per file, a test case per finding. Notes pass.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Report as JunitReport, TestCase, TestCaseStatus, TestSuite};

use super::place::positions;
use super::{LintReport, Paths, in_one_text};
use crate::diagnostic::Severity;
use crate::lint::Finding;
use crate::text::visible::{escape, visible, visible_line};

const NAME: &str = "rye-render lint";

/// Without findings, each project gets one passed test case: services treat an empty report as an error.
pub(super) fn write(report: &LintReport, out: &mut dyn Write) -> io::Result<()> {
    let mut document = JunitReport::new(NAME);
    for project in &report.projects {
        for findings in project.findings.chunk_by(|left, right| left.path() == right.path()) {
            document.add_test_suite(suite(findings, &project.paths));
        }
    }
    if document.test_suites.is_empty() {
        document.add_test_suites(report.projects.iter().map(|project| passed(&project.paths)));
    }
    document.serialize(out).map_err(io::Error::other)
}

fn passed(paths: &Paths) -> TestSuite {
    let root = xml(&paths.whole());
    let mut suite = TestSuite::new(&*root);
    let mut case = TestCase::new(NAME, TestCaseStatus::success());
    case.set_classname(root);
    suite.add_test_case(case);
    suite
}

fn suite(findings: &[Finding], paths: &Paths) -> TestSuite {
    let path = findings.first().map(|first| paths.for_programs(&first.at)).unwrap_or_default();
    let file = xml(&path);
    let mut suite = TestSuite::new(&*file);
    for finding in findings {
        let Finding { rule, severity, message, .. } = finding;
        let at = positions(&finding.at).0;
        let place = format!("{}:{}", at.line, at.column);
        let text = xml(&format!("{}:{place}\n{}", visible_line(&path), in_one_text(finding, paths)));
        let mut status = TestCaseStatus::success();
        if *severity > Severity::Note {
            status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type(severity.into_str()).set_message(xml(message)).set_description(&*text);
        }
        let mut case = TestCase::new(format!("{} {} {place}", rule.code, rule.name), status);
        case.set_classname(&*file);
        case.extra.insert("file".into(), (&*file).into());
        case.extra.insert("line".into(), at.line.to_string().into());
        if *severity == Severity::Note {
            case.set_system_out(text);
        }
        suite.add_test_case(case);
    }
    suite
}

/// The library would drop tabs and characters that XML cannot represent; this makes them visible.
fn xml(text: &str) -> String {
    let mut text = visible(text).into_owned();
    for c in ['\t', '\u{fffe}', '\u{ffff}'] {
        text = text.replace(c, &escape(c));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::visible::is_hidden;

    #[test]
    fn every_character_can_be_in_a_document() {
        let all: String = ('\0'..=char::MAX).collect();
        let mut report = JunitReport::new(xml(&all));
        let mut case = TestCase::new("a", TestCaseStatus::success());
        case.set_system_out(xml(&all));
        report.add_test_suite(TestSuite::new(xml(&all))).test_suites[0].add_test_case(case);
        let document = report.to_string().unwrap();
        let is_allowed = |c: char| !is_hidden(c) && !matches!(c, '\u{fffe}' | '\u{ffff}');
        assert!(document.chars().all(is_allowed));
        for c in ["&lt;U+001B&gt;", "&lt;U+0009&gt;", "&lt;U+FFFF&gt;", "é"] {
            assert_eq!(document.matches(c).count(), 3, "{c}");
        }
        let mut reader = quick_xml::Reader::from_str(&document);
        while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
    }
}
