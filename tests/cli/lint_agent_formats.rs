//! Every format of `lint` tells the same findings about agents.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::Test;

/// The rule, the path, the line and the message, which names the agents.
type Told = (String, String, usize, String);

/// Findings with and without places in a text, of one agent and of several.
fn test() -> Test {
    Test::plain()
        .file("project/.git/HEAD", "")
        .file("project/AGENTS.md", "- Use tabs.\n- Run the tests.\n")
        .file("project/CLAUDE.md", "# Rules\n\n@lost.md\n")
        .file("project/.claude/rules/a.md", "---\nglobs: '*.ts'\n---\nBe kind.\n")
        .file("project/web/AGENTS.md", "- Do not use tabs.\n")
        .file("project/.agents/skills/ship it/SKILL.md", "Ship on a Monday.\n")
        .file("home/.codex/config.toml", "project_doc_max_bytes = 20\n")
        .args(["lint", "--agent", "claude-code,codex,opencode,pi", "--format"])
        .status(1)
        .any_stdout()
}

fn first_line(text: &Value) -> String {
    text.as_str().unwrap_or_default().lines().next().unwrap_or_default().to_string()
}

fn line_of(line: &Value) -> usize {
    line.as_u64().map_or(1, |line| line as usize)
}

fn number(text: &str) -> usize {
    text.parse().unwrap_or(1)
}

fn of_json(finding: &Value) -> Told {
    let (code, source) = (finding["code"].as_str().unwrap().to_string(), &finding["source"]);
    let path = source["path"].as_str().unwrap().to_string();
    (code, path, line_of(&source["line"]), first_line(&finding["message"]))
}

/// `PATH:LINE:COLUMN: SEVERITY[CODE] MESSAGE`
fn of_concise(line: &str) -> Told {
    let (place, rest) = line.split_once(": ").unwrap();
    let (severity, message) = rest.split_once("] ").unwrap();
    let mut place = place.rsplitn(3, ':').skip(1);
    let (line, path) = (number(place.next().unwrap()), place.next().unwrap().to_string());
    (severity.split_once('[').unwrap().1.to_string(), path, line, message.to_string())
}

/// `SEVERITY[CODE]: MESSAGE`, and below it ` --> PATH:LINE:COLUMN` or ` --> PATH`.
fn of_text(text: &str) -> Vec<Told> {
    let lines: Vec<&str> = text.lines().collect();
    let is_title = |line: &str| ["error[", "warning[", "note["].iter().any(|start| line.starts_with(start));
    let told = lines.windows(2).filter(|pair| is_title(pair[0])).map(|pair| {
        let (code, message) = pair[0].split_once("]: ").unwrap();
        let place = pair[1].trim_start().strip_prefix("--> ").unwrap();
        let (path, line) = place.split_once(':').unwrap_or((place, ""));
        let line = line.split(':').next().unwrap_or_default();
        (code.split_once('[').unwrap().1.to_string(), path.to_string(), number(line), message.to_string())
    });
    told.collect()
}

/// `::SEVERITY file=PATH,line=LINE,…,title=CODE NAME::MESSAGE`
fn of_github(line: &str) -> Told {
    let (properties, message) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
    let value = |name: &str| properties.split_once(name).unwrap().1.split(',').next().unwrap().to_string();
    let code = value("title=").split(' ').next().unwrap().to_string();
    (code, value("file="), number(&value("line=")), message.split("%0A").next().unwrap().to_string())
}

fn of_sarif(result: &Value) -> Told {
    let place = &result["locations"][0]["physicalLocation"];
    let path = place["artifactLocation"]["uri"].as_str().unwrap().replace("%20", " ");
    let code = result["ruleId"].as_str().unwrap().to_string();
    (code, path, line_of(&place["region"]["startLine"]), first_line(&result["message"]["text"]))
}

fn of_gitlab(finding: &Value) -> Told {
    let (name, place) = (finding["check_name"].as_str().unwrap(), &finding["location"]);
    let code = name.split(' ').next().unwrap().to_string();
    let path = place["path"].as_str().unwrap().to_string();
    (code, path, line_of(&place["lines"]["begin"]), first_line(&finding["description"]))
}

fn of_rdjson(finding: &Value) -> Told {
    let (code, place) = (finding["code"]["value"].as_str().unwrap().to_string(), &finding["location"]);
    let path = place["path"].as_str().unwrap().to_string();
    (code, path, line_of(&place["range"]["start"]["line"]), first_line(&finding["message"]))
}

/// `<testcase name="CODE NAME …" … file="PATH" line="LINE">`, and in it `<failure message="MESSAGE" …>`.
fn of_junit(case: &str) -> Told {
    let value = |name: &str| case.split_once(&format!("{name}=\"")).unwrap().1.split('"').next().unwrap().to_string();
    let code = value("name").split(' ').next().unwrap().to_string();
    (code, value(" file"), number(&value(" line")), value("message").replace("&apos;", "'"))
}

fn list(values: &Value) -> &[Value] {
    values.as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn all_formats_tell_the_same_findings() {
    let shown = |format: &str| test().args([format]).run().stdout;
    let json = |format: &str| serde_json::from_str::<Value>(&shown(format)).unwrap();
    let expected = json("json");
    let expected = list(&expected["findings"]);
    let told: BTreeSet<Told> = expected.iter().map(of_json).collect();
    let codes: BTreeSet<&str> = told.iter().map(|told| told.0.as_str()).collect();
    assert_eq!(
        codes.into_iter().collect::<Vec<_>>(),
        ["RR703", "RR706", "RR713", "RR714", "RR715", "RR716", "RR718", "RR720"]
    );
    assert_eq!(told.len(), expected.len());
    let lines = |format: &str| shown(format).lines().map(str::to_string).collect::<Vec<_>>();
    let of_lines = lines("jsonl").iter().map(|line| of_json(&serde_json::from_str(line).unwrap())).collect();
    let junit = shown("junit");
    let same: [(&str, Vec<Told>); 8] = [
        ("text", of_text(&shown("text"))),
        ("concise", lines("concise").iter().map(|line| of_concise(line)).collect()),
        ("jsonl", of_lines),
        ("sarif", list(&json("sarif")["runs"][0]["results"]).iter().map(of_sarif).collect()),
        ("github", lines("github").iter().map(|line| of_github(line)).collect()),
        ("gitlab", list(&json("gitlab")).iter().map(of_gitlab).collect()),
        ("junit", junit.split("<testcase ").skip(1).map(of_junit).collect()),
        ("rdjson", list(&json("rdjson")["diagnostics"]).iter().map(of_rdjson).collect()),
    ];
    for (format, findings) in same {
        assert_eq!(findings.len(), told.len(), "{format}");
        assert_eq!(findings.into_iter().collect::<BTreeSet<_>>(), told, "{format}");
    }
}

/// A program need not read the message to know the agents.
#[test]
fn the_message_names_the_agents_of_the_field() {
    let findings = test().args(["json"]).run().json();
    let log = test().args(["sarif"]).run().json();
    let (findings, results) = (list(&findings["findings"]), list(&log["runs"][0]["results"]));
    for (finding, result) in findings.iter().zip(results) {
        let (message, agents) = (first_line(&finding["message"]), list(&finding["agents"]));
        let is_named = |agent: &Value| message.contains(agent.as_str().unwrap());
        assert!(!agents.is_empty() && agents.iter().all(is_named), "{finding}");
        assert_eq!(result["properties"]["agents"], finding["agents"], "{message}");
    }
    let several = findings.iter().filter(|finding| list(&finding["agents"]).len() > 1).count();
    assert!(several > 0 && several < findings.len());
}
