//! Each format is valid for the programs that read it.

use super::*;
use strum::VariantArray;

#[test]
fn json_is_valid_and_its_ranges_are_bytes_on_disk() {
    let report = report();
    let json = assert_valid("lint", shown(&report, &view(LintFormat::Json)).as_bytes());
    let lines = shown(&report, &view(LintFormat::Jsonl));
    let lines: Vec<Json> = lines.lines().map(|line| assert_valid("lint-line", line.as_bytes())).collect();
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

/// The text of a range given as lines and columns, where a character takes `width` columns.
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
fn columns_are_counted_as_each_format_requires() {
    let report = report();
    let number = |of: &Json, name: &str| of[name].as_u64().unwrap();
    let sarif: Json = serde_json::from_str(&shown(&report, &view(LintFormat::Sarif))).unwrap();
    let rdjson: Json = serde_json::from_str(&shown(&report, &view(LintFormat::Rdjson))).unwrap();
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
    // Two edits become one suggestion with the text between them.
    let suggestion = &rdjson["diagnostics"][3]["suggestions"][0];
    assert_eq!(suggestion["text"], "<directive a=\"1\">\n  <context>\n    <suppress>É😀 deploy/rules");
}

/// The whole program is checked against it in `tests/cli/lint_formats.rs`, which says where the schema comes from.
#[test]
fn sarif_matches_its_schema() {
    let Some(folder) = std::env::var_os("RYE_RENDER_SARIF") else { return };
    let path = Path::new(&folder).join("node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
    let schema = std::fs::read_to_string(path).unwrap().replace("{2}]?$", "{2}\\\\]?$");
    let schema: Json = serde_json::from_str(&schema).unwrap();
    let log: Json = serde_json::from_str(&shown(&report(), &view(LintFormat::Sarif))).unwrap();
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    let errors: Vec<_> = validator.iter_errors(&log).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn the_schema_lists_the_reasons_for_files_not_fixed() {
    let schema: Json = serde_json::from_str(&crate::answer::schema::schema("lint").unwrap()).unwrap();
    let all = [
        NotFixed::Signed,
        NotFixed::Changed,
        NotFixed::ReadOnly,
        NotFixed::Outside,
        NotFixed::NotWritten(String::new()),
        NotFixed::Unsettled,
        NotFixed::Together,
    ];
    let words = all.iter().map(|left| Json::from(left.into_str())).chain([Json::Null]);
    assert_eq!(schema["$defs"]["FileFixes"]["properties"]["reason"]["enum"], Json::from(words.collect::<Vec<_>>()));
}

/// GitLab, "Code Quality report format": these fields, these severities, a relative path.
#[test]
fn gitlab_gets_its_required_fields() {
    let report = report();
    let findings: Json = serde_json::from_str(&shown(&report, &view(LintFormat::Gitlab))).unwrap();
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
fn reviewdog_gets_its_required_fields() {
    let result: Json = serde_json::from_str(&shown(&report(), &view(LintFormat::Rdjson))).unwrap();
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

/// What the runner of GitHub Actions reads from a line: the command, its properties, and the text after them.
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
fn the_github_runner_decodes_the_annotations() {
    let report = report();
    let text = shown(&report, &view(LintFormat::Github));
    assert_eq!(text.lines().count(), report.projects[0].findings.len());
    for (line, finding) in text.lines().zip(&report.projects[0].findings) {
        let (name, properties, text) = read_by_runner(line);
        assert!(["error", "warning", "notice"].contains(&name.as_str()));
        let value = |name: &str| properties.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        assert_eq!(value("file"), Some(finding.path()).filter(|path| !path.is_empty()));
        assert_eq!(value("title"), Some(&*format!("{} {}", finding.rule.code, finding.rule.name)));
        assert!(text.starts_with(&*crate::text::visible::visible(&finding.message)));
        // GitHub rejects columns for a range of several lines.
        assert!(value("col").is_none() || value("line") == value("endLine"));
    }
}

#[test]
fn the_schema_lists_every_group_and_severity() {
    let schema: Json = serde_json::from_str(&crate::answer::schema::schema("lint").unwrap()).unwrap();
    let words = |field: &str| schema["$defs"]["Finding"]["properties"][field]["enum"].clone();
    assert_eq!(words("group"), Json::from(crate::text::words::words::<Group>()));
    assert_eq!(
        words("severity"),
        Json::from(Level::VARIANTS[1..].iter().map(|level| level.into_str()).collect::<Vec<_>>())
    );
}

proptest! {
    /// Any path, content and message gives valid output.
    #[test]
    fn no_text_breaks_a_format(path in any::<String>(), text in "\\PC{0,20}|[a\r\n\t\u{1b}]{0,9}", said in any::<String>(), at in 0usize..40) {
        let file = source("project", &path, &text);
        let at = file.text().floor_char_boundary(at.min(file.text().len()));
        let mut found = finding(&BASE_NAME, file.span(at..file.text().len()), &said);
        found.related.push(Related { at: file.whole().into(), message: said.clone() });
        found.fix = Some(Fix { title: said.clone(), edits: vec![Edit::replace(&file.whole(), said.as_str())] });
        let report = of_one(vec![found.clone(), found]);
        for &format in LintFormat::VARIANTS {
            let text = shown(&report, &view(format));
            let on_terminal = shown(&report, &LintView { screen: Screen::terminal(80), ..view(format) });
            prop_assert!(!on_terminal.contains(is_hidden));
            match format {
                LintFormat::Text => {}
                LintFormat::Concise | LintFormat::Github => prop_assert_eq!(text.lines().count(), 2),
                LintFormat::Jsonl => prop_assert!(text.lines().all(|line| serde_json::from_str::<Json>(line).is_ok())),
                LintFormat::Junit => {
                    let mut reader = quick_xml::Reader::from_str(&text);
                    while reader.read_event().unwrap() != quick_xml::events::Event::Eof {}
                }
                _ => prop_assert!(serde_json::from_str::<Json>(&text).is_ok()),
            }
        }
    }
}

#[test]
fn junit_is_valid_and_its_counts_are_right() {
    let text = shown(&report(), &view(LintFormat::Junit));
    let mut reader = quick_xml::Reader::from_str(&text);
    let mut names = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            quick_xml::events::Event::Start(element) => {
                assert!(element.attributes().all(|attribute| attribute.is_ok()));
                names.push(String::from_utf8_lossy(element.name().as_ref()).into_owned());
            }
            quick_xml::events::Event::Eof => break,
            _ => {}
        }
    }
    let count = |name: &str| names.iter().filter(|known| *known == name).count();
    assert_eq!((count("testsuites"), count("testcase"), count("failure"), count("system-out")), (1, 8, 6, 2));
    assert!(
        text.contains("<testsuites name=\"rye-render lint\" tests=\"8\" skipped=\"0\" failures=\"6\" errors=\"0\">")
    );
}
