//! Every format over one report that holds what is hard to write: ranges of several lines, columns behind wide
//! characters, CRLF, a path with blanks and `%`, and words of strangers that would act on a terminal or in a format.

use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::Value as Json;

use super::*;
use crate::diagnostic::Location;
use crate::lint::fix::{Left, Treated};
use crate::lint::{Check, Edit, Example, Fix, FixKind, Group, Level, Related, Rule, Status};
use crate::render::schema::tests::assert_valid;
use crate::text::testing::{find, source};
use crate::text::visible::is_hidden;
use crate::text::{Position, Source};

/// A rule that is what a rule of these tests is, whatever becomes of the real ones.
pub(crate) const fn rule(code: &'static str, name: &'static str, group: Group, level: Level, fix: FixKind) -> Rule {
    Rule {
        code,
        name,
        group,
        level,
        status: Status::Stable { since: "0.1.0" },
        message: "an item that `{input:name}` brings in",
        help: "write the whole id",
        rationale: "A first paragraph about [0](a) and `<b>`.\n\nA second one.",
        bad: Example("=== a.md\nbad"),
        good: Example("=== a.md\ngood"),
        fix,
        check: Check::Diagnosed,
        composed: Example("=== a.md\nbad"),
        near_miss: Example("=== a.md\ngood"),
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
    }
}

fn file(path: &str, position: Option<Position>) -> Location {
    Location::File { tier: "project".into(), path: path.to_string(), revision: None, position }
}

/// The report, in the order in which the check gives it.
fn report() -> Report {
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
pub(crate) fn of_one(findings: Vec<Finding>) -> Report {
    let checked = Checked { directives: 1, knowledge: 1_200, tools: 2, hooks: 0 };
    let project = OfProject { paths: Paths::default(), findings, checked, treated: None };
    Report { projects: vec![project], seconds: Some(0.018) }
}

/// The report about a project that lies elsewhere.
fn at(paths: &Paths) -> Report {
    let mut report = report();
    report.projects[0].paths = paths.clone();
    report
}

fn view(format: Format) -> View {
    View { format, statistics: false, theme: Theme::Plain, width: 80, visible: false }
}

fn shown(report: &Report, view: &View) -> String {
    let mut out = Vec::new();
    write(report, view, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Output that is JSON, laid out to be read.
fn pretty(text: &str) -> String {
    serde_json::to_string_pretty(&serde_json::from_str::<Json>(text).unwrap()).unwrap()
}

#[test]
fn one_snapshot_of_each_format() {
    let report = report();
    for format in Format::ALL {
        let text = shown(&report, &view(format));
        let text = match format {
            Format::Json | Format::Sarif | Format::Gitlab | Format::Rdjson => pretty(&text),
            _ => text,
        };
        insta::assert_snapshot!(format.word(), text.replace(env!("CARGO_PKG_VERSION"), "[VERSION]"));
    }
}

#[test]
fn a_clean_project_is_told_in_few_words() {
    let report = of_one(Vec::new());
    for format in [Format::Text, Format::Concise, Format::Github, Format::Junit, Format::Gitlab, Format::Rdjson] {
        insta::assert_snapshot!(format!("clean_{format}"), shown(&report, &view(format)));
    }
}

#[test]
fn findings_can_be_counted_instead() {
    let report = report();
    let counted = |format| shown(&report, &View { statistics: true, ..view(format) });
    insta::assert_snapshot!("statistics_text", counted(Format::Text));
    insta::assert_snapshot!("statistics_jsonl", counted(Format::Jsonl));
    let json = assert_valid("lint", counted(Format::Json).as_bytes());
    assert!(json["findings"].is_null());
    let lines: Vec<Json> = counted(Format::Jsonl).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json["statistics"], Json::from(lines));
}

#[test]
fn nothing_acts_on_a_terminal() {
    let report = report();
    for format in Format::ALL {
        let on_terminal = shown(&report, &View { visible: true, ..view(format) });
        assert!(!on_terminal.contains(is_hidden), "{format}");
        let in_file = shown(&report, &view(format));
        match format {
            Format::Text | Format::Concise | Format::Github | Format::Junit => assert_eq!(in_file, on_terminal),
            Format::Jsonl => {}
            _ => {
                assert!(in_file.contains('\u{202e}'), "{format} is exact");
                assert_eq!(pretty(&in_file), pretty(&on_terminal), "{format}");
            }
        }
    }
    let coloured = shown(&report, &View { theme: Theme::Coloured, ..view(Format::Text) });
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), shown(&report, &view(Format::Text)));
}

#[test]
fn json_is_valid_and_its_ranges_are_bytes_on_disk() {
    let report = report();
    let json = assert_valid("lint", shown(&report, &view(Format::Json)).as_bytes());
    let lines: Vec<Json> =
        shown(&report, &view(Format::Jsonl)).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json["findings"], Json::from(lines));

    let disk = "```yaml\r\nname: règles\r\n```\r\n\r\nÉ\u{1b}[31m rouge\u{202e} vif\r\nfin\r\n";
    let red = &json["findings"][4];
    let range = |of: &Json| of["start"].as_u64().unwrap() as usize..of["end"].as_u64().unwrap() as usize;
    assert_eq!(&disk[range(&red["source"])], "rouge\u{202e}");
    assert_eq!((red["source"]["line"].as_u64(), red["source"]["column"].as_u64()), (Some(5), Some(8)));
    assert_eq!((red["source"]["end_line"].as_u64(), red["source"]["end_column"].as_u64()), (Some(5), Some(14)));
    let edit = &red["fix"]["edits"][0];
    assert_eq!(&disk[range(edit)], "fin\r\n");
    assert_eq!(edit["text"], "fin\r\nfini\r\n");
}

/// The text of a range that a format gives in lines and columns, each column so many of `width`.
fn cut(text: &str, (line, column): (u64, u64), (end_line, end_column): (u64, u64), width: fn(char) -> usize) -> String {
    let offset = |line: u64, column: u64| {
        let start: usize = text.split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
        let mut left = column as usize - 1;
        let chars = text[start..].chars().take_while(|&c| {
            let is_before = left > 0;
            left = left.saturating_sub(width(c));
            is_before
        });
        start + chars.map(char::len_utf8).sum::<usize>()
    };
    text[offset(line, column)..offset(end_line, end_column)].to_string()
}

#[test]
fn columns_are_those_of_each_format() {
    let report = report();
    let number = |of: &Json, name: &str| of[name].as_u64().unwrap();
    let sarif: Json = serde_json::from_str(&shown(&report, &view(Format::Sarif))).unwrap();
    let rdjson: Json = serde_json::from_str(&shown(&report, &view(Format::Rdjson))).unwrap();
    assert_eq!(sarif["runs"][0]["columnKind"], "unicodeCodePoints");
    for (index, finding) in report.projects[0].findings.iter().enumerate() {
        let Location::Span(span) = &finding.at else { continue };
        if span.range() == (0..0) {
            continue;
        }
        let (text, expected) = (span.source().text(), span.text());
        let region = &sarif["runs"][0]["results"][index]["locations"][0]["physicalLocation"]["region"];
        let [start, end] = ["start", "end"]
            .map(|end| (number(region, &format!("{end}Line")), number(region, &format!("{end}Column"))));
        assert_eq!(cut(text, start, end, |_| 1), expected);
        let range = &rdjson["diagnostics"][index]["location"]["range"];
        let [start, end] = ["start", "end"].map(|end| (number(&range[end], "line"), number(&range[end], "column")));
        assert_eq!(cut(text, start, end, char::len_utf8), expected);
    }
    // Two edits are one suggestion with what stands between them.
    let suggestion = &rdjson["diagnostics"][3]["suggestions"][0];
    assert_eq!(suggestion["text"], "<directive a=\"1\">\n  <context>\n    <suppress>É😀 deploy/rules");
}

/// The whole program is checked against it in `tests/cli/lint_formats.rs`, which says where the schema comes from.
#[test]
fn a_log_of_strangers_is_what_the_schema_of_sarif_says() {
    let Some(folder) = std::env::var_os("RYE_RENDER_SARIF") else { return };
    let path = Path::new(&folder).join("node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
    let schema = std::fs::read_to_string(path).unwrap().replace("{2}]?$", "{2}\\\\]?$");
    let schema: Json = serde_json::from_str(&schema).unwrap();
    let log: Json = serde_json::from_str(&shown(&report(), &view(Format::Sarif))).unwrap();
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    let errors: Vec<_> = validator.iter_errors(&log).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn fingerprints_are_unique() {
    let gitlab: Json = serde_json::from_str(&shown(&report(), &view(Format::Gitlab))).unwrap();
    let known: Vec<_> = gitlab.as_array().unwrap().iter().map(|finding| finding["fingerprint"].to_string()).collect();
    let unique: std::collections::HashSet<_> = known.iter().collect();
    assert_eq!(unique.len(), known.len());
}

#[test]
fn a_project_below_the_working_folder_is_named_in_every_path() {
    let paths = Paths::new("/srv/my shop".as_ref(), "/srv".as_ref());
    let report = at(&paths);
    for (format, expected) in [
        (Format::Text, "--> my shop/.ai/directives/50% off, today: sale.md:3:18"),
        (Format::Concise, "my shop/.ai/tools/x.py:1:1: error[RR003] no UTF-8"),
        (Format::Sarif, "\"uri\":\"my%20shop/.ai/directives/50%25%20off%2C%20today%3A%20sale.md\""),
        (Format::Github, "file=my shop/.ai/directives/50%25 off%2C today%3A sale.md,line=3"),
        (Format::Gitlab, "\"path\":\"my shop/.ai/directives/50% off, today: sale.md\""),
        (Format::Rdjson, "\"path\":\"my shop/.ai/directives/50% off, today: sale.md\""),
        (Format::Junit, "file=\"my shop/.ai/directives/50% off, today: sale.md\""),
        // The same wherever it is run.
        (Format::Json, "\"path\":\".ai/directives/50% off, today: sale.md\""),
    ] {
        let text = shown(&report, &view(format));
        assert!(text.contains(expected), "{format}: {text}");
    }
}

#[test]
fn people_inside_the_project_are_told_the_way_from_there() {
    let paths = Paths::new("/srv/shop".as_ref(), "/srv/shop/.ai/tools".as_ref());
    for (format, expected) in [
        (Format::Text, "--> ../directives/50% off, today: sale.md:3:18"),
        (Format::Concise, "\nx.py:1:1: error[RR003] no UTF-8"),
        // Programs look for files from the project on.
        (Format::Github, "and here: .ai/knowledge/gone.md:1"),
        (Format::Gitlab, "and here: .ai/knowledge/gone.md:1"),
        (Format::Junit, "file=\".ai/tools/x.py\""),
        (Format::Junit, "<testsuite name=\".ai/tools/x.py\""),
    ] {
        let text = shown(&at(&paths), &view(format));
        assert!(text.contains(expected), "{format}: {text}");
        assert!(!format.is_machine() || !text.contains("../"), "{format}: {text}");
    }
}

/// Two projects with files of the same paths, the second of which lies beside the working folder.
fn of_two() -> Report {
    let paths = ["/srv/web", "/shop"].map(|folder| Paths::among(folder.as_ref(), "/srv".as_ref()));
    let projects = paths.map(|paths| at(&paths).projects.remove(0));
    Report { projects: projects.into(), seconds: None }
}

#[test]
fn several_projects_are_one_report() {
    let report = of_two();
    for (format, first, second) in [
        (Format::Text, "--> web/.ai/tools/x.py", "--> ../shop/.ai/tools/x.py"),
        (Format::Concise, "\nweb/.ai/tools/x.py:1:1: error", "\n../shop/.ai/tools/x.py:1:1: error"),
        (Format::Sarif, "\"uri\":\"web/.ai/tools/x.py\"", "\"uri\":\"../shop/.ai/tools/x.py\""),
        (Format::Github, "file=web/.ai/tools/x.py,", "file=../shop/.ai/tools/x.py,"),
        (Format::Gitlab, "\"path\":\"web/.ai/tools/x.py\"", "\"path\":\"../shop/.ai/tools/x.py\""),
        (Format::Rdjson, "\"path\":\"web/.ai/tools/x.py\"", "\"path\":\"../shop/.ai/tools/x.py\""),
        (Format::Junit, "file=\"web/.ai/tools/x.py\"", "file=\"../shop/.ai/tools/x.py\""),
        (Format::Json, "\"project\":\"web\"", "\"project\":\"../shop\""),
        (Format::Jsonl, "\"project\":\"web\"", "\"project\":\"../shop\""),
    ] {
        let text = shown(&report, &view(format));
        assert!(text.contains(first) && text.contains(second), "{format}: {text}");
        assert!(text.find(first) < text.rfind(second), "{format}: {text}");
    }
    // Each number is the sum, and each rule is explained once.
    let text = shown(&report, &view(Format::Text));
    let end = "\n2 projects: 2 directives, 2,400 knowledge items, 4 tools, 0 hooks checked\n\
               8 errors, 4 warnings, 4 notes; 4 can be fixed with --fix\n";
    assert!(text.ends_with(end), "{text}");
    assert_eq!(text.matches("--explain RR003").count(), 1);
    let json = assert_valid("lint", shown(&report, &view(Format::Json)).as_bytes());
    assert_eq!((json["findings"].as_array().map(Vec::len), &json["summary"]["errors"]), (Some(16), &Json::from(8)));
    let sarif: Json = serde_json::from_str(&shown(&report, &view(Format::Sarif))).unwrap();
    assert_eq!(
        (sarif["runs"].as_array().map(Vec::len), sarif["runs"][0]["results"].as_array().map(Vec::len)),
        (Some(1), Some(16))
    );
    let statistics = shown(&report, &View { statistics: true, ..view(Format::Concise) });
    assert!(statistics.starts_with("8  RR003  invalid_utf8"), "{statistics}");
}

#[test]
fn a_case_has_passed_for_each_clean_project() {
    let mut report = of_two();
    report.projects.iter_mut().for_each(|project| project.findings.clear());
    let text = shown(&report, &view(Format::Junit));
    assert!(text.contains("<testsuites name=\"rye-render lint\" tests=\"2\" failures=\"0\""), "{text}");
    assert!(text.contains("classname=\"web/.ai\"") && text.contains("classname=\"../shop/.ai\""), "{text}");
}

/// What becomes of a file, in the words of each.
#[test]
fn what_was_put_right_and_what_was_left_is_told_to_programs() {
    let treated = |path: &str, fixed, left, why| Treated { path: path.to_string(), fixed, allowed: 0, left, why };
    let mut report = of_one(Vec::new());
    report.projects[0].treated = Some(vec![
        treated("a.md", 3, 0, None),
        treated("b.md", 0, 1, Some(Left::Signed)),
        treated("c.md", 0, 2, Some(Left::NotWritten("No space left on device".to_string()))),
    ]);
    let json = assert_valid("lint", shown(&report, &view(Format::Json)).as_bytes());
    let expected = serde_json::json!([
        {"project": null, "path": "a.md", "fixed": 3, "allowed": 0, "left": 0, "reason": null, "message": null, "help": null},
        {"project": null, "path": "b.md", "fixed": 0, "allowed": 0, "left": 1, "reason": "signed",
         "message": "left as it was: its signature would no longer hold", "help": "add --unsafe-fixes, and sign it again"},
        {"project": null, "path": "c.md", "fixed": 0, "allowed": 0, "left": 2, "reason": "not_written",
         "message": "cannot be written: No space left on device", "help": "check who may write to it and to its folder"},
    ]);
    assert_eq!(json["fixes"], expected);
    let lines = shown(&report, &view(Format::Jsonl));
    let lines: Vec<Json> =
        lines.lines().map(|line| serde_json::from_str::<Json>(line).unwrap()["fixes"].take()).collect();
    assert_eq!(Json::from(lines), expected);
    assert!(assert_valid("lint", shown(&self::report(), &view(Format::Json)).as_bytes())["fixes"].is_null());
}

#[test]
fn the_schema_knows_why_a_file_is_left() {
    let schema: Json = serde_json::from_str(crate::render::schema::schema("lint").unwrap()).unwrap();
    let all = [
        Left::Signed,
        Left::Changed,
        Left::ReadOnly,
        Left::Outside,
        Left::NotWritten(String::new()),
        Left::Unsettled,
        Left::Together,
    ];
    let words = all.iter().map(|left| Json::from(left.word())).chain([Json::Null]);
    assert_eq!(schema["$defs"]["FileFixes"]["properties"]["reason"]["enum"], Json::from(words.collect::<Vec<_>>()));
}

#[test]
fn a_signed_file_is_not_put_right_by_fix_alone() {
    let mut report = report();
    let text = sale().text().to_string();
    let signed = source("project", "s.md", &format!("<!-- rye:signed:2026-04-06T04:31:43Z:a:b:c -->\n{text}"));
    let mut found = finding(&BASE_NAME, find(&signed, "rules"), "`rules` suppresses nothing");
    found.fix = Some(Fix { title: "write it".to_string(), edits: vec![Edit::replace(&find(&signed, "rules"), "x")] });
    report.projects[0].findings.push(found.clone());
    let text = shown(&report, &view(Format::Text));
    assert!(text.contains("fix: write it (with --fix --unsafe-fixes: the file is signed)"), "{text}");
    assert!(text.ends_with("; 2 can be fixed with --fix, 1 in signed files with --unsafe-fixes\n"), "{text}");
    let json = assert_valid("lint", shown(&report, &view(Format::Json)).as_bytes());
    assert_eq!((&json["summary"]["fixable"], &json["summary"]["fixable_unsafe"]), (&Json::from(2), &Json::from(1)));
    let unsafe_ones = json["findings"].as_array().unwrap().iter().filter(|it| it["fix"]["needs_unsafe"] == true);
    assert_eq!(unsafe_ones.count(), 1);
    let alone = shown(&of_one(vec![found]), &view(Format::Text));
    assert!(alone.ends_with("; 1 in signed files can be fixed with --fix --unsafe-fixes\n"), "{alone}");
}

/// GitLab, "Code Quality report format": these fields, these severities, a relative path.
#[test]
fn gitlab_gets_the_fields_that_it_reads() {
    let report = report();
    let findings: Json = serde_json::from_str(&shown(&report, &view(Format::Gitlab))).unwrap();
    for finding in findings.as_array().unwrap() {
        let names: Vec<_> = finding.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names, ["description", "check_name", "fingerprint", "severity", "location"]);
        assert!(["info", "minor", "major", "critical", "blocker"].contains(&finding["severity"].as_str().unwrap()));
        let path = finding["location"]["path"].as_str().unwrap();
        assert!(!path.starts_with(['/']) && !path.starts_with("./"), "{path}");
        let lines = &finding["location"]["lines"];
        assert!(lines["begin"].as_u64() >= Some(1) && lines["end"].as_u64() >= lines["begin"].as_u64());
    }
}

/// Reviewdog Diagnostic Format: the messages `DiagnosticResult` and `Diagnostic`.
#[test]
fn reviewdog_gets_the_fields_that_it_reads() {
    let result: Json = serde_json::from_str(&shown(&report(), &view(Format::Rdjson))).unwrap();
    assert_eq!(result["source"]["name"], "rye-render lint");
    let known = ["message", "location", "severity", "code", "suggestions"];
    for diagnostic in result["diagnostics"].as_array().unwrap() {
        assert!(diagnostic.as_object().unwrap().keys().all(|name| known.contains(&name.as_str())));
        assert!(diagnostic["message"].is_string() && diagnostic["location"]["path"].is_string());
        assert!(["ERROR", "WARNING", "INFO"].contains(&diagnostic["severity"].as_str().unwrap()));
        assert!(diagnostic["code"]["value"].is_string());
        for suggestion in diagnostic["suggestions"].as_array().into_iter().flatten() {
            assert!(suggestion["text"].is_string() && suggestion["range"]["start"]["line"].is_u64());
        }
    }
}

/// What the runner of GitHub Actions reads in a line: the properties and the text behind them.
fn read_by_runner(line: &str) -> (String, Vec<(String, String)>, String) {
    let unescape = |text: &str, codes: &[(&str, &str)]| {
        codes.iter().fold(text.to_string(), |text, (code, meant)| text.replace(code, meant))
    };
    let data = [("%0D", "\r"), ("%0A", "\n"), ("%25", "%")];
    let property = [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")];
    let (command, text) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
    let (name, properties) = command.split_once(' ').unwrap();
    let properties = properties.split(',').map(|pair| {
        let (name, value) = pair.split_once('=').unwrap();
        (name.to_string(), unescape(value, &property))
    });
    (name.to_string(), properties.collect(), unescape(text, &data))
}

#[test]
fn the_runner_of_github_reads_what_was_meant() {
    let report = report();
    let text = shown(&report, &view(Format::Github));
    assert_eq!(text.lines().count(), report.projects[0].findings.len());
    for (line, finding) in text.lines().zip(&report.projects[0].findings) {
        let (name, properties, text) = read_by_runner(line);
        assert!(["error", "warning", "notice"].contains(&name.as_str()));
        let value = |name: &str| properties.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        assert_eq!(value("file"), Some(finding.path()).filter(|path| !path.is_empty()));
        assert_eq!(value("title"), Some(&*format!("{} {}", finding.rule.code, finding.rule.name)));
        assert!(text.starts_with(&*crate::text::visible::visible(&finding.message)));
        // Columns of several lines would be refused.
        assert!(value("col").is_none() || value("line") == value("endLine"));
    }
}

#[test]
fn the_schema_knows_every_word() {
    let schema: Json = serde_json::from_str(crate::render::schema::schema("lint").unwrap()).unwrap();
    let words = |field: &str| schema["$defs"]["Finding"]["properties"][field]["enum"].clone();
    assert_eq!(words("group"), Json::from(Group::ALL.map(Group::word).to_vec()));
    assert_eq!(words("severity"), Json::from(Level::ALL[1..].iter().map(|level| level.word()).collect::<Vec<_>>()));
}

proptest! {
    /// Whatever a file is called, whatever it holds and whatever is said of it.
    #[test]
    fn no_text_breaks_a_format(path in any::<String>(), text in "\\PC{0,20}|[a\r\n\t\u{1b}]{0,9}", said in any::<String>(), at in 0usize..40) {
        let file = source("project", &path, &text);
        let at = file.text().floor_char_boundary(at.min(file.text().len()));
        let mut found = finding(&BASE_NAME, file.span(at..file.text().len()), &said);
        found.related.push(Related { at: file.whole().into(), message: said.clone() });
        found.fix = Some(Fix { title: said.clone(), edits: vec![Edit::replace(&file.whole(), said.as_str())] });
        let report = of_one(vec![found.clone(), found]);
        for format in Format::ALL {
            let text = shown(&report, &view(format));
            let on_terminal = shown(&report, &View { visible: true, ..view(format) });
            prop_assert!(!on_terminal.contains(is_hidden));
            match format {
                Format::Text => {}
                Format::Concise | Format::Github => prop_assert_eq!(text.lines().count(), 2),
                Format::Jsonl => prop_assert!(text.lines().all(|line| serde_json::from_str::<Json>(line).is_ok())),
                Format::Junit => {
                    let mut reader = quick_xml::Reader::from_str(&text);
                    while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
                }
                _ => prop_assert!(serde_json::from_str::<Json>(&text).is_ok()),
            }
        }
    }
}

#[test]
fn junit_is_a_document_whose_numbers_are_right() {
    let text = shown(&report(), &view(Format::Junit));
    let mut reader = quick_xml::Reader::from_str(&text);
    let mut names = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Start(element) => {
                assert!(element.attributes().all(|attribute| attribute.is_ok()));
                names.push(element.name().as_ref().to_string());
            }
            quick_xml::events::Event::Eof => break,
            _ => {}
        }
    }
    let count = |name: &str| names.iter().filter(|known| *known == name).count();
    assert_eq!((count("testsuites"), count("testcase"), count("failure"), count("system-out")), (1, 8, 6, 2));
    assert!(text.contains("<testsuites name=\"rye-render lint\" tests=\"8\" failures=\"6\" errors=\"0\">"));
}
