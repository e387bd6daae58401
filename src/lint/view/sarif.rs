//! SARIF 2.1.0, the format of code scanning.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use super::each::Each;
use super::fingerprint::fingerprints;
use super::place::{path, positions, tier, without_whole_file};
use super::{Paths, Report, message_and_help};
use crate::diagnostic::{Location, Severity};
use crate::lint::{Edit, Finding, Fix, Level, Rule};
use crate::markdown::prose;
use crate::render::json::line;
use crate::text::Span;

/// The name for the folder that paths are relative to, which is the root of the repository in a build.
const ROOT: &str = "%SRCROOT%";

#[derive(Serialize)]
struct Log<R> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<R>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<R> {
    tool: Value,
    column_kind: &'static str,
    original_uri_base_ids: Value,
    results: R,
}

/// One log with one run, in which stand the rules that found something.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let rules = report.findings().map(|(finding, _)| (finding.rule.code, finding.rule));
    let rules: BTreeMap<&str, &Rule> = rules.collect();
    let known = fingerprints(report);
    let results = Each(|| {
        report.findings().zip(&known).map(|((finding, paths), fingerprint)| {
            // Every finding's rule is among them.
            let index = rules.keys().position(|code| *code == finding.rule.code);
            result(finding, index, fingerprint, paths)
        })
    });
    let run = Run {
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
    line(&Log { schema, version: "2.1.0", runs: [run] }, out)
}

fn rule(rule: &Rule) -> Value {
    let help = format!("{}\n\n{}", rule.help, rule.rationale);
    let help_in_markdown = prose(&help);
    json!({
        "id": rule.code,
        "name": rule.name,
        "shortDescription": text(rule.message),
        "fullDescription": text(rule.rationale),
        // Code spans read well where Markdown is not read, too.
        "help": {"text": escaped(&help), "markdown": escaped(&help_in_markdown)},
        "defaultConfiguration": {
            "enabled": rule.level != Level::Off,
            "level": level(rule.level.severity().unwrap_or(Severity::Note)),
        },
        "properties": {"tags": [rule.group.word()]},
    })
}

fn level(severity: Severity) -> &'static str {
    // SARIF has the same words.
    severity.into_str()
}

fn result(finding: &Finding, rule: Option<usize>, fingerprint: &str, paths: &Paths) -> Value {
    let mut result = json!({
        "ruleId": finding.rule.code,
        "ruleIndex": rule,
        "level": level(finding.severity),
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
    if let Some(fix) = &finding.fix {
        result["fixes"] = json!([self::fix(fix, paths)]);
    }
    result
}

fn physical(at: &Location, paths: &Paths) -> Value {
    let place = without_whole_file(at);
    let region = match &place {
        Location::Span(span) => region(span),
        // Services want a line.
        Location::File { position: None, .. } => json!({"startLine": 1}),
        Location::File { .. } => {
            let start = positions(at).0;
            json!({"startLine": start.line, "startColumn": start.column})
        }
    };
    json!({"artifactLocation": artifact(at, paths), "region": region})
}

/// A file below the root of the repository, or below that of a tier.
fn artifact(at: &Location, paths: &Paths) -> Value {
    match paths.exact(at) {
        Some(file) => json!({"uri": uri(&file), "uriBaseId": ROOT}),
        None => json!({"uri": uri(path(at)), "uriBaseId": tier(at)}),
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
    let comes = edit.as_written();
    json!({"deletedRegion": region(&edit.span), "insertedContent": {"text": comes}})
}

fn text(text: &str) -> Value {
    json!({"text": escaped(text)})
}

/// Text in which nothing is a placeholder (`{0}`) or a link (`[words](target)`): braces are doubled, and brackets get a
/// backslash where they would make a link (SARIF 2.1.0, "Messages with placeholders", "Messages with embedded links").
fn escaped(text: &str) -> String {
    let text = text.replace('{', "{{").replace('}', "}}");
    if text.contains("](") { text.replace('[', "\\[").replace(']', "\\]") } else { text }
}

/// A relative path as a URI reference: everything but unreserved characters and slashes is percent-encoded (RFC 3986).
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(byte.into()),
            byte => out += &format!("%{byte:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_and_no_text_means_more_than_it_says() {
        assert_eq!(uri(".ai/a b%41:é#?.md"), ".ai/a%20b%2541%3A%C3%A9%23%3F.md");
        assert_eq!(escaped("`{input:a}` [0] {0}"), "`{{input:a}}` [0] {{0}}");
        assert_eq!(escaped("[here](https://example.com)"), "\\[here\\](https://example.com)");
    }
}
