//! SARIF 2.1.0, the format that code-scanning services read.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use crate::diagnostic::{Location, Severity};
use crate::lint::{Edit, Finding, Fix, Level, Rule};
use crate::prompt::json::line;
use crate::text::Span;
use crate::write::markdown::prose;

use super::fingerprint::fingerprints;
use super::json::Lazy;
use super::place::{positions, without_whole_file};
use super::{LintReport, Paths, message_and_help};

/// The base for relative paths: the root of the repository in a build.
const ROOT: &str = "%SRCROOT%";

#[derive(Serialize)]
struct SarifLog<R> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [SarifRun<R>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRun<R> {
    tool: Value,
    column_kind: &'static str,
    original_uri_base_ids: Value,
    results: R,
}

/// One log with one run and the rules with findings.
pub(super) fn write(report: &LintReport, out: &mut dyn Write) -> io::Result<()> {
    let rules = report.findings().map(|(finding, _)| (finding.rule.code, finding.rule));
    let rules: BTreeMap<&str, &Rule> = rules.collect();
    let known = fingerprints(report);
    let results = Lazy(|| {
        report.findings().zip(&known).map(|((finding, paths), fingerprint)| {
            let index = rules.keys().position(|code| *code == finding.rule.code);
            result(finding, index, fingerprint, paths)
        })
    });
    let run = SarifRun {
        tool: json!({"driver": {
            "name": "rye-render",
            "version": env!("CARGO_PKG_VERSION"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": rules.values().map(|rule| self::rule(rule)).collect::<Vec<_>>(),
        }}),
        column_kind: "unicodeCodePoints",
        original_uri_base_ids: json!({ROOT: {"description": text("the root of the repository")}}),
        results,
    };
    let schema = "https://json.schemastore.org/sarif-2.1.0.json";
    line(&SarifLog { schema, version: "2.1.0", runs: [run] }, out)
}

fn rule(rule: &Rule) -> Value {
    let help = format!("{}\n\n{}", rule.help, rule.rationale);
    json!({
        "id": rule.code,
        "name": rule.name,
        "shortDescription": text(rule.message),
        "fullDescription": text(rule.rationale),
        // Code spans are readable without Markdown.
        "help": {"text": escaped(&help), "markdown": escaped(&prose(&help))},
        "defaultConfiguration": {
            "enabled": rule.level != Level::Off,
            "level": rule.level.severity().unwrap_or(Severity::Note).into_str(),
        },
        "properties": {"tags": [rule.group.into_str()]},
    })
}

fn result(finding: &Finding, rule: Option<usize>, fingerprint: &str, paths: &Paths) -> Value {
    let mut result = json!({
        "ruleId": finding.rule.code,
        "ruleIndex": rule,
        "level": finding.severity.into_str(),
        "message": text(&message_and_help(finding)),
        "locations": [{"physicalLocation": physical(&finding.at, paths)}],
        "partialFingerprints": {"ruleFileLine/v1": fingerprint},
    });
    if !finding.related.is_empty() {
        let related = finding.related.iter().enumerate().map(|(id, other)| {
            json!({"id": id, "message": text(&other.message), "physicalLocation": physical(&other.at, paths)})
        });
        result["relatedLocations"] = related.collect();
    }
    if !finding.agents.is_empty() {
        result["properties"] = json!({"agents": finding.agents});
    }
    if let Some(fix) = &finding.fix {
        result["fixes"] = json!([self::fix(fix, paths)]);
    }
    result
}

fn physical(at: &Location, paths: &Paths) -> Value {
    let place = without_whole_file(at);
    let region = match &place {
        Location::Span(span) => region(span),
        // Code-scanning services require a line.
        Location::File { position: None, .. } => json!({"startLine": 1}),
        Location::File { .. } => {
            let start = positions(at).0;
            json!({"startLine": start.line, "startColumn": start.column})
        }
    };
    json!({"artifactLocation": artifact(at, paths), "region": region})
}

/// A file below the root of the repository or of a tier.
fn artifact(at: &Location, paths: &Paths) -> Value {
    match paths.exact(at) {
        Some(file) => json!({"uri": uri(&file), "uriBaseId": ROOT}),
        None => json!({"uri": uri(at.path()), "uriBaseId": at.tier()}),
    }
}

fn region(span: &Span) -> Value {
    let (start, end) = positions(&span.into());
    let place = span.place();
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
        "byteOffset": place.start,
        "byteLength": place.end - place.start,
    })
}

fn fix(fix: &Fix, paths: &Paths) -> Value {
    let mut files: Vec<(Value, Vec<Value>)> = Vec::new();
    for edit in &fix.edits {
        let artifact = artifact(&(&edit.span).into(), paths);
        match files.iter_mut().find(|(known, _)| *known == artifact) {
            Some((_, replacements)) => replacements.push(replacement(edit)),
            None => files.push((artifact, vec![replacement(edit)])),
        }
    }
    let changes = files
        .into_iter()
        .map(|(artifact, replacements)| json!({"artifactLocation": artifact, "replacements": replacements}));
    json!({"description": text(&fix.title), "artifactChanges": changes.collect::<Vec<_>>()})
}

fn replacement(edit: &Edit) -> Value {
    json!({"deletedRegion": region(&edit.span), "insertedContent": {"text": edit.as_written()}})
}

fn text(text: &str) -> Value {
    json!({"text": escaped(text)})
}

/// Escapes placeholders (`{0}`) and links (`[words](target)`): SARIF 2.1.0, "Messages with placeholders" and
/// "Messages with embedded links".
fn escaped(text: &str) -> String {
    let text = text.replace('{', "{{").replace('}', "}}");
    if text.contains("](") { text.replace('[', "\\[").replace(']', "\\]") } else { text }
}

/// A relative path as a URI reference (RFC 3986).
fn uri(path: &str) -> String {
    let encode = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    path.bytes().map(encode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_texts_are_escaped() {
        assert_eq!(uri(".ai/a b%41:é#?.md"), ".ai/a%20b%2541%3A%C3%A9%23%3F.md");
        assert_eq!(escaped("`{input:a}` [0] {0}"), "`{{input:a}}` [0] {{0}}");
        assert_eq!(escaped("[here](https://example.com)"), "\\[here\\](https://example.com)");
    }
}
