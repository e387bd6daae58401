//! Tests every format with a report that is hard to write: ranges over several lines, columns after wide characters,
//! CRLF, a path with spaces and `%`, and untrusted text that could control a terminal or break a format.

mod behaviour;
mod formats;

use std::path::Path;
use std::sync::Arc;
use strum::VariantArray;

use proptest::prelude::*;
use serde_json::Value as Json;

use super::*;
use crate::answer::schema::tests::assert_valid;
use crate::diagnostic::Location;
use crate::lint::finding::Related;
use crate::lint::fix::{FileOutcome, NotFixed};
use crate::lint::rule::RuleExample;
use crate::lint::{Edit, Fix, FixKind, Group, Level, Rule};
use crate::text::testing::{find, source};
use crate::text::visible::is_hidden;
use crate::text::{Position, Source};

/// A rule for these tests, independent of the real rules.
pub(crate) const fn rule(code: &'static str, name: &'static str, group: Group, level: Level, fix: FixKind) -> Rule {
    Rule {
        code,
        name,
        group,
        level,
        since: "0.1.0",
        message: "an item that `{input:name}` brings in",
        help: "write the whole id",
        rationale: "A first paragraph about [0](a) and `<b>`.\n\nA second one.",
        bad: RuleExample { files: &[], unchanged: &[], removed: &[] },
        good: RuleExample { files: &[], unchanged: &[], removed: &[] },
        fix,
    }
}

static UNREADABLE: Rule = rule("RR003", "invalid_utf8", Group::Structure, Level::Error, FixKind::None);
static BASE_NAME: Rule = rule("RR105", "suppress_base_name", Group::References, Level::Warning, FixKind::ChangesPrompt);
static SPACED: Rule = rule("RR503", "knowledge_unused", Group::Cost, Level::Note, FixKind::SamePrompt);

fn sale() -> Arc<Source> {
    source(
        "project",
        ".ai/directives/50% off, today: sale.md",
        "<directive>\n  <context>\n    <suppress>É😀 rules</suppress>\n  </context>\n</directive>\n",
    )
}

fn windows() -> Arc<Source> {
    source(
        "project",
        ".ai/knowledge/règles.md",
        "```yaml\r\nname: règles\r\n```\r\n\r\nÉ\u{1b}[31m rouge\u{202e} vif\r\nfin\r\n",
    )
}

fn finding(rule: &'static Rule, at: impl Into<Location>, message: &str) -> Finding {
    Finding {
        rule,
        severity: rule.level.severity().unwrap_or(Severity::Note),
        at: at.into(),
        message: message.to_string(),
        help: format!("{}; did you mean `a\u{1b}]8;;x\u{7}/{{input:rules}}`?", rule.help),
        related: Vec::new(),
        fix: None,
        agents: Vec::new(),
    }
}

fn file(path: &str, position: Option<Position>) -> Location {
    Location::File { tier: "project".into(), path: path.to_string(), revision: None, position }
}

/// A report whose findings are in the order in which a check returns them.
fn report() -> LintReport {
    let (sale, windows) = (sale(), windows());
    let user = source("user", ".ai/config/agent/hooks.yaml", "- id: rules\n- id: other\n");

    let mut several = finding(
        &BASE_NAME,
        find(&sale, "<context>\n    <suppress>É😀 rules</suppress>\n  </context>\n"),
        "`rules\u{1b}[31m` → [here](https://x.example) suppresses 100% of {0}",
    );
    several.related = vec![
        Related { at: find(&user, "rules").into(), message: "a hook that is `rules\u{202e}` is here".to_string() },
        Related { at: file(".ai/knowledge/gone.md", None), message: "and here".to_string() },
    ];
    let mut wide = finding(&BASE_NAME, find(&sale, "rules"), "`rules` suppresses nothing");
    wide.fix = Some(Fix {
        title: "write the whole id".to_string(),
        edits: vec![
            Edit::replace(&find(&sale, "rules"), "deploy/rules"),
            Edit::replace(&find(&sale, "<directive>"), "<directive a=\"1\">"),
        ],
    });
    let chain = finding(&UNREADABLE, sale.span(0..0), "circle\n  → a\n::error::not a command");

    let mut red =
        finding(&SPACED, find(&windows, "rouge\u{202e}"), "hidden characters: `\u{202e}`, `\u{0}`, `\u{ffff}`");
    red.fix = Some(Fix {
        title: "add a line".to_string(),
        edits: vec![Edit::replace(&find(&windows, "fin\n"), "fin\nfini\n")],
    });
    let to_next = finding(&SPACED, find(&windows, "fin\n"), "a line with its end");

    let unread = finding(&UNREADABLE, file(".ai/tools/x.py", None), "no UTF-8");
    let placed = finding(&UNREADABLE, file(".ai/tools/y.py", Some(Position { line: 7, column: 2 })), "no UTF-8");
    let nowhere = finding(
        &UNREADABLE,
        Location::File { tier: "".into(), path: String::new(), revision: None, position: None },
        "nothing",
    );
    of_one(vec![nowhere, chain, several, wide, red, to_next, unread, placed])
}

/// A report about one project.
pub(crate) fn of_one(findings: Vec<Finding>) -> LintReport {
    let checked = CheckedCounts { directives: 1, knowledge: 1_200, tools: 2, ..CheckedCounts::default() };
    let project = ProjectReport { paths: Paths::default(), findings, checked, fix_outcomes: None };
    LintReport { projects: vec![project], seconds: Some(0.018) }
}

/// The report about a project in a different place.
fn at(paths: &Paths) -> LintReport {
    let mut report = report();
    report.projects[0].paths = paths.clone();
    report
}

fn view(format: LintFormat) -> LintView {
    LintView { format, statistics: false, screen: Screen::plain(80), lists: ListedNotes::Codes(Vec::new()) }
}

fn shown(report: &LintReport, view: &LintView) -> String {
    let mut out = Vec::new();
    write(report, view, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Indented JSON.
fn pretty(text: &str) -> String {
    serde_json::to_string_pretty(&serde_json::from_str::<Json>(text).unwrap()).unwrap()
}

#[test]
fn each_format_matches_its_snapshot() {
    let report = report();
    for &format in LintFormat::VARIANTS {
        let text = shown(&report, &view(format));
        let text = match format {
            LintFormat::Json | LintFormat::Sarif | LintFormat::Gitlab | LintFormat::Rdjson => pretty(&text),
            _ => text,
        };
        insta::assert_snapshot!(format.into_str(), text.replace(env!("CARGO_PKG_VERSION"), "[VERSION]"));
    }
}

#[test]
fn a_clean_project_has_a_short_report() {
    let report = of_one(Vec::new());
    for format in [
        LintFormat::Text,
        LintFormat::Concise,
        LintFormat::Github,
        LintFormat::Junit,
        LintFormat::Gitlab,
        LintFormat::Rdjson,
    ] {
        insta::assert_snapshot!(format!("clean_{format}"), shown(&report, &view(format)));
    }
}

#[test]
fn findings_can_be_counted_by_rule() {
    let report = report();
    let counted = |format| shown(&report, &LintView { statistics: true, ..view(format) });
    insta::assert_snapshot!("statistics_text", counted(LintFormat::Text));
    insta::assert_snapshot!("statistics_jsonl", counted(LintFormat::Jsonl));
    let json = assert_valid("lint", counted(LintFormat::Json).as_bytes());
    assert!(json["findings"].is_null());
    let lines = counted(LintFormat::Jsonl);
    let lines: Vec<Json> = lines.lines().map(|line| assert_valid("lint-line", line.as_bytes())).collect();
    assert_eq!(json["statistics"], Json::from(lines));
}
