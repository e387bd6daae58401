//! Reports in every format: file names, several projects, and notes that are shown once.

use super::*;
use strum::VariantArray;

#[test]
fn control_characters_are_visible() {
    let report = report();
    for &format in LintFormat::VARIANTS {
        // Wide enough that nothing is wrapped.
        let view = LintView { screen: Screen::plain(200), ..view(format) };
        let on_terminal = shown(&report, &LintView { screen: Screen::terminal(200), ..view.clone() });
        assert!(!on_terminal.contains(is_hidden), "{format}");
        let in_file = shown(&report, &view);
        match format {
            LintFormat::Text | LintFormat::Concise | LintFormat::Github | LintFormat::Junit => {
                assert_eq!(in_file, on_terminal)
            }
            LintFormat::Jsonl => {}
            _ => {
                assert!(in_file.contains('\u{202e}'), "{format} is exact");
                assert_eq!(pretty(&in_file), pretty(&on_terminal), "{format}");
            }
        }
    }
    let screen = Screen { visible: false, ..Screen::coloured(80) };
    let coloured = shown(&report, &LintView { screen, ..view(LintFormat::Text) });
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), shown(&report, &view(LintFormat::Text)));
}

#[test]
fn fingerprints_are_unique() {
    let gitlab: Json = serde_json::from_str(&shown(&report(), &view(LintFormat::Gitlab))).unwrap();
    let known: Vec<_> = gitlab.as_array().unwrap().iter().map(|finding| finding["fingerprint"].to_string()).collect();
    let unique: std::collections::HashSet<_> = known.iter().collect();
    assert_eq!(unique.len(), known.len());
}

#[test]
fn a_project_below_the_working_folder_is_named_in_every_path() {
    let paths = Paths::new("/srv/my shop".as_ref(), "/srv".as_ref());
    let report = at(&paths);
    for (format, expected) in [
        (LintFormat::Text, "--> my shop/.ai/directives/50% off, today: sale.md:3:18"),
        (LintFormat::Concise, "my shop/.ai/tools/x.py:1:1: error[RR003] no UTF-8"),
        (LintFormat::Sarif, "\"uri\":\"my%20shop/.ai/directives/50%25%20off%2C%20today%3A%20sale.md\""),
        (LintFormat::Github, "file=my shop/.ai/directives/50%25 off%2C today%3A sale.md,line=3"),
        (LintFormat::Gitlab, "\"path\":\"my shop/.ai/directives/50% off, today: sale.md\""),
        (LintFormat::Rdjson, "\"path\":\"my shop/.ai/directives/50% off, today: sale.md\""),
        (LintFormat::Junit, "file=\"my shop/.ai/directives/50% off, today: sale.md\""),
        // The same in every working folder.
        (LintFormat::Json, "\"path\":\".ai/directives/50% off, today: sale.md\""),
    ] {
        let text = shown(&report, &view(format));
        assert!(text.contains(expected), "{format}: {text}");
    }
}

#[test]
fn people_inside_the_project_get_relative_paths() {
    let paths = Paths::new("/srv/shop".as_ref(), "/srv/shop/.ai/tools".as_ref());
    for (format, expected) in [
        (LintFormat::Text, "--> ../directives/50% off, today: sale.md:3:18"),
        (LintFormat::Concise, "\nx.py:1:1: error[RR003] no UTF-8"),
        // Paths for programs start at the project.
        (LintFormat::Github, "and here: .ai/knowledge/gone.md:1"),
        (LintFormat::Gitlab, "and here: .ai/knowledge/gone.md:1"),
        (LintFormat::Junit, "file=\".ai/tools/x.py\""),
        (LintFormat::Junit, "<testsuite name=\".ai/tools/x.py\""),
    ] {
        let text = shown(&at(&paths), &view(format));
        assert!(text.contains(expected), "{format}: {text}");
        assert!(matches!(format, LintFormat::Text | LintFormat::Concise) || !text.contains("../"), "{format}: {text}");
    }
}

/// Two projects with the same file paths; the second one is next to the working folder.
fn of_two() -> LintReport {
    let paths = ["/srv/web", "/shop"].map(|folder| Paths::among(folder.as_ref(), "/srv".as_ref()));
    let projects = paths.map(|paths| at(&paths).projects.remove(0));
    LintReport { projects: projects.into(), seconds: None }
}

#[test]
fn several_projects_share_one_report() {
    let report = of_two();
    for (format, first, second) in [
        (LintFormat::Text, "--> web/.ai/tools/x.py", "--> ../shop/.ai/tools/x.py"),
        (LintFormat::Concise, "\nweb/.ai/tools/x.py:1:1: error", "\n../shop/.ai/tools/x.py:1:1: error"),
        (LintFormat::Sarif, "\"uri\":\"web/.ai/tools/x.py\"", "\"uri\":\"../shop/.ai/tools/x.py\""),
        (LintFormat::Github, "file=web/.ai/tools/x.py,", "file=../shop/.ai/tools/x.py,"),
        (LintFormat::Gitlab, "\"path\":\"web/.ai/tools/x.py\"", "\"path\":\"../shop/.ai/tools/x.py\""),
        (LintFormat::Rdjson, "\"path\":\"web/.ai/tools/x.py\"", "\"path\":\"../shop/.ai/tools/x.py\""),
        (LintFormat::Junit, "file=\"web/.ai/tools/x.py\"", "file=\"../shop/.ai/tools/x.py\""),
        (LintFormat::Json, "\"project\":\"web\"", "\"project\":\"../shop\""),
        (LintFormat::Jsonl, "\"project\":\"web\"", "\"project\":\"../shop\""),
    ] {
        let text = shown(&report, &view(format));
        assert!(text.contains(first) && text.contains(second), "{format}: {text}");
        assert!(text.find(first) < text.rfind(second), "{format}: {text}");
    }
    // Each number is the sum, and each rule is explained once.
    let text = shown(&report, &view(LintFormat::Text));
    let end = "\n2 projects: 2 directives, 2,400 knowledge items, 4 tools, 0 hooks checked\n\
               8 errors, 4 warnings, 4 notes; 4 can be fixed with --fix\n";
    assert!(text.ends_with(end), "{text}");
    assert_eq!(text.matches("--explain RR003").count(), 1);
    let json = assert_valid("lint", shown(&report, &view(LintFormat::Json)).as_bytes());
    assert_eq!((json["findings"].as_array().map(Vec::len), &json["summary"]["errors"]), (Some(16), &Json::from(8)));
    let sarif: Json = serde_json::from_str(&shown(&report, &view(LintFormat::Sarif))).unwrap();
    assert_eq!(
        (sarif["runs"].as_array().map(Vec::len), sarif["runs"][0]["results"].as_array().map(Vec::len)),
        (Some(1), Some(16))
    );
    let statistics = shown(&report, &LintView { statistics: true, ..view(LintFormat::Concise) });
    assert!(statistics.starts_with("8  RR003  invalid_utf8"), "{statistics}");
}

#[test]
fn each_clean_project_has_a_passed_test_case() {
    let mut report = of_two();
    report.projects.iter_mut().for_each(|project| project.findings.clear());
    let text = shown(&report, &view(LintFormat::Junit));
    assert!(text.contains("<testsuites name=\"rye-render lint\" tests=\"2\" skipped=\"0\" failures=\"0\""), "{text}");
    assert!(text.contains("classname=\"web/.ai\"") && text.contains("classname=\"../shop/.ai\""), "{text}");
}

/// The result for each file, with the reason.
#[test]
fn json_reports_fixed_and_remaining_findings() {
    let fix_outcomes =
        |path: &str, fixed, left, why| FileOutcome { path: path.to_string(), fixed, allowed: 0, left, why };
    let mut report = of_one(Vec::new());
    report.projects[0].fix_outcomes = Some(vec![
        fix_outcomes("a.md", 3, 0, None),
        fix_outcomes("b.md", 0, 1, Some(NotFixed::Signed)),
        fix_outcomes("c.md", 0, 2, Some(NotFixed::NotWritten("No space left on device".to_string()))),
    ]);
    let json = assert_valid("lint", shown(&report, &view(LintFormat::Json)).as_bytes());
    let expected = serde_json::json!([
        {"project": null, "path": "a.md", "fixed": 3, "allowed": 0, "left": 0, "reason": null, "message": null, "help": null},
        {"project": null, "path": "b.md", "fixed": 0, "allowed": 0, "left": 1, "reason": "signed",
         "message": "not changed: its signature would become invalid", "help": "add --unsafe-fixes, and sign it again"},
        {"project": null, "path": "c.md", "fixed": 0, "allowed": 0, "left": 2, "reason": "not_written",
         "message": "cannot be written: No space left on device", "help": "check that you may write to it and to its folder"},
    ]);
    assert_eq!(json["fixes"], expected);
    let lines = shown(&report, &view(LintFormat::Jsonl));
    let lines: Vec<Json> =
        lines.lines().map(|line| assert_valid("lint-line", line.as_bytes())["fixes"].take()).collect();
    assert_eq!(Json::from(lines), expected);
    assert!(assert_valid("lint", shown(&self::report(), &view(LintFormat::Json)).as_bytes())["fixes"].is_null());
}

#[test]
fn a_signed_file_needs_unsafe_fixes() {
    let mut report = report();
    let text = sale().text().to_string();
    let signed = source("project", "s.md", &format!("<!-- rye:signed:2026-04-06T04:31:43Z:a:b:c -->\n{text}"));
    let mut found = finding(&BASE_NAME, find(&signed, "rules"), "`rules` suppresses nothing");
    found.fix = Some(Fix { title: "write it".to_string(), edits: vec![Edit::replace(&find(&signed, "rules"), "x")] });
    report.projects[0].findings.push(found.clone());
    let text = shown(&report, &view(LintFormat::Text));
    assert!(text.contains("fix: write it (with --fix --unsafe-fixes: the file is signed)"), "{text}");
    assert!(text.ends_with("; 2 can be fixed with --fix, 1 in signed files with --unsafe-fixes\n"), "{text}");
    let json = assert_valid("lint", shown(&report, &view(LintFormat::Json)).as_bytes());
    assert_eq!((&json["summary"]["fixable"], &json["summary"]["fixable_unsafe"]), (&Json::from(2), &Json::from(1)));
    let unsafe_ones = json["findings"].as_array().unwrap().iter().filter(|it| it["fix"]["needs_unsafe"] == true);
    assert_eq!(unsafe_ones.count(), 1);
    let alone = shown(&of_one(vec![found]), &view(LintFormat::Text));
    assert!(alone.ends_with("; 1 in signed files can be fixed with --fix --unsafe-fixes\n"), "{alone}");
}

/// A note in each of `files` files, and an error in one of them.
fn notes(files: usize) -> LintReport {
    let note = |index| finding(&SPACED, file(&format!(".ai/knowledge/{index:03}.md"), None), "nothing places it");
    let error = finding(&UNREADABLE, file(".ai/knowledge/000.md", None), "no UTF-8");
    of_one([error].into_iter().chain((0..files).map(note)).collect())
}

/// People who cannot fix the notes would learn to ignore them.
#[test]
fn notes_in_many_files_are_shown_once() {
    let few = shown(&notes(10), &view(LintFormat::Text));
    assert_eq!(few.matches("nothing places it").count(), 10, "{few}");
    let report = notes(11);
    let many = shown(&report, &view(LintFormat::Text));
    let told = "note[RR503]: 11 times in 11 files: an item that `{input:name}` brings in\n  = more: --select RR503 lists them\n\n.ai: 1 ";
    assert!(many.contains(told) && !many.contains("nothing places it") && many.contains("no UTF-8"), "{many}");
    assert!(many.ends_with("1 error, 0 warnings, 11 notes\n"), "{many}");
    // Notes are listed if they are selected by name or make the run fail.
    for lists in [ListedNotes::Codes(vec!["RR503"]), ListedNotes::All] {
        let listed = shown(&report, &LintView { lists, ..view(LintFormat::Text) });
        assert_eq!(listed.matches("nothing places it").count(), 11, "{listed}");
    }
    // The formats for editors and programs list all of them.
    for format in LintFormat::VARIANTS.iter().copied().filter(|format| *format != LintFormat::Text) {
        assert!(shown(&report, &view(format)).matches("nothing places it").count() >= 11, "{format}");
    }
    // Two notes in each of six files are few enough to list, and warnings are always listed.
    let mut twice = notes(6);
    let again = twice.projects[0].findings.clone();
    twice.projects[0].findings.extend(again);
    assert!(shown(&twice, &view(LintFormat::Text)).contains("nothing places it"));
    let mut loud = report;
    loud.projects[0].findings.iter_mut().for_each(|finding| finding.severity = Severity::Warning);
    assert!(shown(&loud, &view(LintFormat::Text)).contains("nothing places it"));
}

/// Findings are laid out in parallel and written in order.
#[test]
fn many_findings_are_written_in_order() {
    let one = |index: usize| finding(&UNREADABLE, file(&format!("{index:05}.md"), None), "no UTF-8");
    let text = shown(&of_one((0..2_500).map(one).collect()), &view(LintFormat::Text));
    let places: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("  --> ")).collect();
    let expected: Vec<String> = (0..2_500).map(|index| format!("{index:05}.md")).collect();
    assert_eq!(places, expected);
    assert_eq!(text.matches("--explain").count(), 1);
    assert!(text.find("--explain") < text.find("00001.md"), "the first one is explained");
}

#[test]
fn the_first_line_is_wrapped_only_on_a_terminal() {
    let words = "word ".repeat(30);
    let sale = sale();
    let placed = || finding(&BASE_NAME, find(&sale, "rules"), words.trim());
    let unplaced = finding(&UNREADABLE, file("x.md", None), words.trim());
    let report = of_one(vec![placed(), unplaced]);
    let at = |visible| {
        shown(&report, &LintView { screen: Screen { visible, ..Screen::plain(60) }, ..view(LintFormat::Text) })
    };
    assert!(at(true).lines().filter(|line| line.contains("word")).all(|line| line.len() <= 60), "{}", at(true));
    assert_eq!(at(true).matches("word").count(), 60);
    assert!(at(true).contains("\n                word word"), "below the first word: {}", at(true));
    assert_eq!(at(false).lines().filter(|line| line.ends_with(words.trim())).count(), 2);
}

/// As `--fix` writes them: new lines end like the line in which they begin.
#[test]
fn the_text_of_an_edit_has_the_line_endings_of_the_file() {
    let mixed = source("project", "x.md", "a\r\nb\nc\n");
    let mut found = finding(&SPACED, find(&mixed, "b"), "x");
    found.fix = Some(Fix { title: "t".to_string(), edits: vec![Edit::replace(&find(&mixed, "b"), "b\nb")] });
    let report = of_one(vec![found]);
    let json: Json = serde_json::from_str(&shown(&report, &view(LintFormat::Json))).unwrap();
    assert_eq!(json["findings"][0]["fix"]["edits"][0]["text"], "b\nb");
    let sarif: Json = serde_json::from_str(&shown(&report, &view(LintFormat::Sarif))).unwrap();
    let replacement = &sarif["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(replacement["insertedContent"]["text"], "b\nb");
}
