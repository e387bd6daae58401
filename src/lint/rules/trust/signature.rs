//! Signatures.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::lint::project::FileKind;
use crate::lint::rules::{Directive, Findings, LintFile, Project, Span};
use crate::read::item::{CommentStyle, Signature, SignatureComment, read_signature};
use crate::read::store::TierKind;
use crate::read::trust::{Covers, KEY_FOLDER, KeyFault, SignatureVerdict, Trust, check_key_file, directive_region};
use crate::text::Source;

/// The signature comment in the first line of a file.
fn comment(file: &LintFile) -> Option<SignatureComment> {
    Some(read_signature(file.source.as_ref()?, style(file)))
}

fn style(file: &LintFile) -> CommentStyle {
    file.kind.item().map_or(CommentStyle::Hash, |kind| CommentStyle::of(kind, &file.path))
}

pub(super) fn signature(file: &LintFile) -> Option<Signature> {
    match comment(file)? {
        SignatureComment::Signed(signature) => Some(signature),
        SignatureComment::Unsigned | SignatureComment::Malformed(_) => None,
    }
}

/// Whether it is the file of a trusted key, which RR609 checks.
fn is_key(file: &LintFile) -> bool {
    file.kind == FileKind::Configuration && file.path.strip_prefix(KEY_FOLDER).is_some_and(|rest| rest.starts_with('/'))
}

/// The signature of a file, other than a key, if it has this verdict.
fn with_verdict(file: &LintFile, project: &Project<'_>, verdict: SignatureVerdict) -> Option<Signature> {
    let trust = project.trusted(file).filter(|_| !is_key(file))?;
    (trust.verdict == verdict).then(|| signature(file))?
}

/// Whether the signed part of a file is unchanged, and the rest is not covered by the signature.
fn is_partly_signed(file: &LintFile, project: &Project<'_>) -> bool {
    project.trusted(file).is_some_and(|trust| {
        matches!(trust.verdict, SignatureVerdict::Valid(_) | SignatureVerdict::UnknownKey)
            && trust.covers == Covers::Part
    })
}

pub fn unsigned(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    if let Some(kind) = file.kind.item()
        && project.trusted(file).is_some_and(|trust| trust.verdict == SignatureVerdict::Unsigned)
    {
        found.at(project.location(file), format!("the {} `{}` is not signed", kind.into_str(), file.id));
    }
}

pub fn content_changed(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    let changed = with_verdict(file, project, SignatureVerdict::ContentChanged);
    if let Some(signature) = changed.filter(|signature| project.trusts(signature.key.text())) {
        found.at(signature.hash, format!("`{}` was changed after it was signed", file.id));
    }
}

pub fn content_changed_unknown_key(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    let changed = with_verdict(file, project, SignatureVerdict::ContentChanged);
    if let Some(signature) = changed.filter(|signature| !project.trusts(signature.key.text())) {
        let message = format!("`{}` was changed after it was signed by a key that no tier trusts", file.id);
        found.at(signature.hash, message);
    }
}

pub fn key_unknown(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    if let Some(signature) = with_verdict(file, project, SignatureVerdict::UnknownKey) {
        let message = format!("`{}` is signed by the key `{}`, which no tier trusts", file.id, signature.key.text());
        found.at(signature.key, message);
    }
}

pub fn signature_bad(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    if let Some(signature) = with_verdict(file, project, SignatureVerdict::BadSignature) {
        let message = format!("the key `{}` did not make this signature of `{}`", signature.key.text(), file.id);
        found.at(signature.signature, message);
    }
}

pub fn body_unsigned(file: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    let is_left_out = |trust: &Trust| trust.verdict.is_signed() && trust.covers == Covers::Part;
    let body = directive.body.text();
    // Other rules report text after a signed body, and unsigned declarations.
    if !body.is_empty()
        && added_text(directive).is_none()
        && project.trusted(file).is_some_and(is_left_out)
        && !is_within_region(directive)
    {
        found.at(directive.body.first_line(), format!("the signature of `{}` does not cover its body", file.id));
    }
}

fn is_within_region(directive: &Directive) -> bool {
    let body = directive.body.range();
    let region = directive_region(directive.source.text());
    region.is_some_and(|region| region.start <= body.start && body.end <= region.end)
}

pub fn declarations_unsigned(file: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    if !is_partly_signed(file, project) {
        return;
    }
    let region = directive_region(directive.source.text());
    if let Some(outside) = region.and_then(|region| outside(&directive.content, &region)) {
        found.at(outside.first_line(), format!("the signature of `{}` does not cover this declaration", file.id));
    }
}

/// The first text outside of the signed region.
fn outside(declared: &Span, region: &Range<usize>) -> Option<Span> {
    let Range { start, end } = declared.range();
    let gaps = [start..end.min(region.start), start.max(region.end)..end];
    let of_text = gaps.into_iter().filter(|gap| gap.start < gap.end).map(|gap| declared.source().span(gap).trim());
    of_text.into_iter().find(|outside| !outside.text().is_empty())
}

pub fn text_after_signed(file: &LintFile, directive: &Directive, project: &Project<'_>, found: &mut Findings<'_>) {
    if let Some(added) = added_text(directive).filter(|_| is_partly_signed(file, project)) {
        found.at(added.first_line(), format!("this text follows the signed body of `{}`", file.id));
    }
}

/// The text after a body that is wrapped in tags. A closing tag alone may be an example.
fn added_text(directive: &Directive) -> Option<Span> {
    const CLOSING: &str = "</directive>";
    let body = directive.body.text();
    // Few bodies have tags, and searching for the last one is slow.
    let is_wrapped = body.trim_start().starts_with("<directive>");
    let end = is_wrapped.then(|| body.rfind(CLOSING)).flatten()? + CLOSING.len();
    Some(directive.body.slice(end..body.len()).trim()).filter(|added| !added.text().is_empty())
}

pub fn says_unsigned(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    if !project.trusted(file).is_some_and(|trust| trust.verdict.is_signed()) {
        return;
    }
    let (Some(source), Some(signature)) = (&file.source, signature(file)) else { return };
    // The first line with text after the signature.
    let rest = source.span(signature.line.range().end..source.text().len()).trim();
    let line = rest.first_line();
    let comment = line.text().trim_start_matches(['<', '!', '-', '#', '/', ' ']);
    if comment.len() < line.text().len() && comment.starts_with("rye:unsigned") {
        found.at(line, format!("`{}` is signed but claims not to be", file.id));
    }
}

pub fn signature_malformed(file: &LintFile, project: &Project<'_>, found: &mut Findings<'_>) {
    let Some(trust) = project.trusted(file).filter(|_| !is_key(file)) else { return };
    match (&trust.verdict, comment(file)) {
        (SignatureVerdict::Malformed, Some(SignatureComment::Malformed(line))) => {
            let message = format!("the first line of `{}` begins like a signature but cannot be read", file.id);
            found.at(line, message);
        }
        (SignatureVerdict::Unsigned, _) => {
            if let Some(line) = file.source.as_ref().and_then(overlooked) {
                let opening = style(file).opening();
                let message = format!(
                    "this line of `{}` is not a signature: a signature is the first line and begins with `{opening}`",
                    file.id
                );
                found.at(line, message);
            }
        }
        _ => {}
    }
}

/// The number of lines that are searched for a misplaced signature.
const FIRST_LINES: usize = 5;

/// A line near the start that was probably meant as a signature. In a fence or after a tag it would be an example.
fn overlooked(source: &Arc<Source>) -> Option<Span> {
    let mut start = 0;
    for line in source.text().split('\n').take(FIRST_LINES) {
        let written = line.trim_start_matches('\u{feff}').trim();
        if written.starts_with("```") || written.starts_with("~~~") || written.starts_with("<directive") {
            return None;
        }
        if is_meant(written) {
            return Some(source.span(start..start + line.len()).trim());
        }
        start += line.len() + 1;
    }
    None
}

/// Whether a comment begins like a signature with a date.
fn is_meant(line: &str) -> bool {
    let inside = ["<!--", "#", "//"].iter().find_map(|opening| line.strip_prefix(opening)).unwrap_or(line);
    let fields = inside.trim_start().strip_prefix("rye:signed:");
    fields.is_some_and(|fields| fields.starts_with(|first: char| first.is_ascii_digit()))
}

pub fn key_unusable(file: &LintFile, _: &Project<'_>, found: &mut Findings<'_>) {
    let Some(source) = file.source.as_ref().filter(|_| is_key(file)) else { return };
    if let Some(KeyFault { reason, at }) = check_key_file(source) {
        found.at(source.span(at), format!("this trusted key cannot be used: {reason}"));
    }
}

pub fn vouches_for_itself(project: &Project<'_>, found: &mut Findings<'_>) {
    let is_own =
        |verdict: &SignatureVerdict| matches!(verdict, SignatureVerdict::Valid(by) if by.tier == TierKind::Project);
    let mut by_key: BTreeMap<&str, Vec<&LintFile>> = BTreeMap::new();
    for file in project.linted().filter(|file| !is_key(file)) {
        let trust = project.trusted(file).filter(|trust| is_own(&trust.verdict));
        if let Some(key) = trust.and_then(|trust| trust.key.as_ref()) {
            by_key.entry(key).or_default().push(file);
        }
    }
    for (key, files) in by_key {
        let Some(first) = files.first() else { continue };
        let path = format!("{KEY_FOLDER}/{key}.toml");
        let file = project.linted().find(|file| file.path == path);
        let items = if files.len() == 1 { "an item" } else { "its items" };
        let message = format!("only the project trusts the key `{key}`, which signed {items}");
        let finding = found.at(project.location(file.unwrap_or(first)), message);
        finding.related_if(file.map(|_| project.location(first)), "signed with this key");
    }
}

#[cfg(test)]
mod verdicts_tests {
    use crate::lint::rule::RR618 as RULE;
    use crate::lint::testing::examples;
    use crate::lint::testing::messages_of;

    #[test]
    fn changes_are_reported_unless_an_error_reports_them() {
        let reported = ["`garden/rules` was changed after it was signed by a key that no tier trusts"];
        let reported = reported.map(|message| format!(".ai/knowledge/garden/rules.md:1: {message}"));
        for protocol in ["rye-1", "rye-2", "rye-3"] {
            assert_eq!(messages_of(&RULE, examples(&RULE).bad.0, protocol), reported);
        }
        let unchanged = examples(&RULE).bad.0.replace("Always", "Never");
        assert_eq!(messages_of(&RULE, &unchanged, "rye-3"), [""; 0]);
        // Different line endings are not a change.
        let (directive, knowledge) = unchanged.split_once("rules.md\n").unwrap();
        let other_ends = format!("{directive}rules.md\n{}", knowledge.replace('\n', "\r\n"));
        assert_eq!(messages_of(&RULE, &other_ends, "rye-3"), [""; 0]);
        // A key that only the project trusts is trusted too.
        let (_, key) = examples(&RULE).near_miss.0.split_once("=== user:").unwrap();
        assert_eq!(messages_of(&RULE, &format!("{}=== {key}", examples(&RULE).bad.0), "rye-3"), [""; 0]);
    }
}

#[cfg(test)]
mod declarations_unsigned_tests {
    use crate::lint::LintOptions;
    use crate::lint::rule::RR620 as RULE;
    use crate::lint::testing::Example;
    use crate::lint::testing::examples;
    use crate::lint::testing::found;

    /// A signed directive without a body.
    const BODILESS: &str = r#"=== .ai/directives/garden/water.md
<!-- rye:signed:2026-01-02T03:04:05Z:489d044d1f9ce848c44bae2a50559b68e8dbc6812dee5b71e2e031abdc795b6d:GupGMs5aPBnxtU3LGFjEOAu01UFm6169NM0wnMw0dPVt5Kjr0BvwjdjFP4HHr0Jkc6b08jdSscAp_MJCvO9CBw:5cc558a6d81dbb98 -->
```xml
<directive name="water" version="1.0.0">
  <metadata>
    <description>Water the garden</description>
    <category>garden</category>
  </metadata>
</directive>
```
=== user:.ai/config/keys/trusted/5cc558a6d81dbb98.toml
fingerprint = "5cc558a6d81dbb98"
owner = "ana"

[public_key]
pem = """
-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw=
-----END PUBLIC KEY-----
"""
"#;

    fn reported(text: &str) -> Vec<&'static str> {
        let found = found(Example(text.to_string().leak()), &LintOptions::default());
        found.iter().map(|finding| finding.rule.code).filter(|code| code.starts_with("RR6")).collect()
    }

    #[test]
    fn text_around_the_root_is_reported_unless_covered() {
        assert_eq!(reported(examples(&RULE).bad.0), ["RR620"]);
        let comment = BODILESS.replacen("```xml\n", "```xml\n<!-- <permissions>*</permissions> -->\n", 1);
        assert_eq!(reported(&comment), ["RR620"]);
        let behind = BODILESS.replacen("</directive>\n", "</directive>\n<!-- <permissions>*</permissions> -->\n", 1);
        assert_eq!(reported(&behind), ["RR620"]);
        // Other rules report an uncovered body, and a changed text.
        assert_eq!(reported(&BODILESS.replacen("\n```\n", "\n```\n\nWater.\n", 1)), ["RR606"]);
        assert_eq!(reported(&examples(&RULE).bad.0.replacen("\n</directive>", "\n </directive>", 1)), ["RR603"]);
    }

    #[test]
    fn a_covered_body_is_not_reported() {
        // The name of the root in the fence is not checked, so the region may begin after it.
        let signed = examples(&RULE).bad.0.split("```xml").next().unwrap_or_default();
        let (line, region) = signed.trim_end().split_once("-->\n").unwrap();
        let fence =
            "```xml\n<x name=\"water\" version=\"1.0.0\"><metadata><description>W</description></metadata></x>\n```";
        let key = &examples(&RULE).bad.0[examples(&RULE).bad.0.find("=== user:").unwrap()..];
        let codes = reported(&format!("{line}-->\n{fence}\n\n{region}\n{key}"));
        assert_eq!(codes, ["RR620"]);
    }
}

#[cfg(test)]
mod text_after_signed_tests {
    use crate::lint::rule::RR619 as RULE;
    use crate::lint::testing::examples;
    use crate::lint::testing::messages_of;

    fn at(line: usize) -> [String; 1] {
        [format!(".ai/directives/garden/water.md:{line}: this text follows the signed body of `garden/water`")]
    }

    #[test]
    fn added_text_is_found() {
        for protocol in ["rye-1", "rye-2", "rye-3"] {
            assert_eq!(messages_of(&RULE, examples(&RULE).bad.0, protocol), at(15));
        }
        // The signed text is unchanged, even if the key is unknown.
        let (directive, key) = examples(&RULE).bad.0.split_once("=== user:").unwrap();
        assert_eq!(messages_of(&RULE, directive, "rye-3"), at(15));
        let (path, text) = directive.split_once('\n').unwrap();
        let other_ends = format!("{path}\n{}=== user:{key}", text.replace('\n', "\r\n"));
        assert_eq!(messages_of(&RULE, &other_ends, "rye-3"), at(15));
        // A later closing tag extends the signed region.
        let later = examples(&RULE).bad.0.replace("at noon as well.", "at noon.</directive>");
        assert_eq!(messages_of(&RULE, &later, "rye-3"), [""; 0], "`content_changed` reports it");
        let blanks = examples(&RULE).bad.0.replace("Water at noon as well.", "  ");
        assert_eq!(messages_of(&RULE, &blanks, "rye-3"), [""; 0]);
        let unsigned = examples(&RULE).bad.0.replace("rye:signed:", "signed:");
        assert_eq!(messages_of(&RULE, &unsigned, "rye-3"), [""; 0], "nothing is covered there");
    }
}

#[cfg(test)]
mod signature_malformed_tests {
    use super::*;

    #[test]
    fn a_signature_in_the_wrong_place_or_form_is_found() {
        let line = |text: &str| {
            let source = Source::read("project".into(), ".ai/knowledge/a.md", text.as_bytes().to_vec()).unwrap();
            overlooked(&source).map(|line| line.line())
        };
        assert_eq!(line("<!--rye:signed:2026-01-02T03:04:05Z:… -->\nText.\n"), Some(1));
        assert_eq!(line("\u{feff}<!-- rye:signed:2026-…\n"), Some(1));
        assert_eq!(line("# Rules\n\n<!-- rye:signed:2026-01-02T03:04:05Z:… -->\n"), Some(3));
        assert_eq!(line("rye:signed:2026-01-02T03:04:05Z:…\n"), Some(1));
        assert_eq!(line("#\n#\n#\n#\n#\n# rye:signed:2026\n"), None);
        assert_eq!(line("```\n<!-- rye:signed:2026-01-02T03:04:05Z:… -->\n"), None);
        assert_eq!(line("A line of `<!-- rye:signed:2026-…`\n"), None);
        assert_eq!(line("<!-- rye:signed:TIME:HASH:SIGNATURE:KEY -->\n"), None);
    }
}
