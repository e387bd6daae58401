use proptest::prelude::*;

use crate::lint::rule::find;
use crate::lint::testing::{Example, found, tiers};
use crate::lint::{LintOptions, Project};
use crate::read::protocol::Protocols;

use super::*;

const SHORT: &str = "=== .ai/directives/deploy.md\n```xml\n<directive name=\"deploy\" version=\"1.0.0\">\n  <metadata>\n    \
                     <description>Deploy</description>\n    <context>\n      <before>deploy/rules</before>\n      \
                     <suppress>rules</suppress>\n    </context>\n  </metadata>\n</directive>\n```\n\nDeploy.\n=== \
                     .ai/knowledge/deploy/rules.md\n```yaml\nname: rules\ncategory: deploy\n```\n\nRules.\n";

/// Calls `look` with the project of an example and its findings about short suppressions.
fn with(text: &str, look: impl FnOnce(&Project<'_>, Vec<Finding>)) {
    let example = Example(String::leak(text.to_string()));
    let (tiers, protocol, options) =
        (tiers(example), Protocols::default().get("rye-3").unwrap(), LintOptions::default());
    let project = Project::read(&tiers, &protocol, &options);
    let mut findings = found(example, &options);
    findings.retain(|finding| finding.rule.code == "RR105");
    look(&project, findings);
}

fn written(baseline: &Baseline) -> String {
    let mut out = Vec::new();
    baseline.write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn of(text: &str) -> Baseline {
    let mut baseline = Baseline::default();
    with(text, |project, findings| assert!(baseline.update(findings, project).is_empty()));
    baseline
}

#[test]
fn the_file_has_a_line_per_finding() {
    let expected = "{\n  \"format\": \"rye-render.lint-baseline/1\",\n  \"findings\": [\n    {\"file\": \
                    \".ai/directives/deploy.md\", \"rule\": \"RR105\", \"line\": \"<suppress>rules</suppress>\"}\n  ]\n}\n";
    assert_eq!(written(&of(SHORT)), expected);
    assert_eq!(Baseline::read(expected).unwrap(), of(SHORT));
    let empty = Baseline::default();
    assert_eq!(written(&empty), "{\n  \"format\": \"rye-render.lint-baseline/1\",\n  \"findings\": []\n}\n");
    assert_eq!(Baseline::read(&written(&empty)).unwrap(), empty);
}

#[test]
fn a_listed_finding_is_hidden_wherever_its_line_moves() {
    let listed = of(SHORT);
    let moved = SHORT.replace("    <context>\n", "\n\n    <context>\n\n  ");
    with(&moved, |project, findings| {
        let BaselineMatch { left, gone } = listed.pass(findings, project);
        assert_eq!((left.len(), gone), (0, 0));
    });
    // A second, equal finding is new.
    let twice = SHORT.replace("</context>", "  <suppress>rules</suppress>\n    </context>");
    with(&twice, |project, findings| {
        assert_eq!(findings.len(), 2);
        let BaselineMatch { left, gone } = listed.pass(findings, project);
        assert_eq!((left.len(), gone), (1, 0));
    });
    assert!(written(&of(&twice)).contains(", \"count\": 2}"));
    with(SHORT, |project, findings| {
        assert_eq!(of(&twice).pass(findings, project).gone, 1);
    });
}

#[test]
fn entries_about_unchecked_files_and_rules_are_kept() {
    let mut listed = of(SHORT);
    let example = Example(SHORT);
    let (tiers, protocol) = (tiers(example), Protocols::default().get("rye-3").unwrap());
    let options = LintOptions::default();
    let mut elsewhere = Project::read(&tiers, &protocol, &options);
    elsewhere.files.iter_mut().for_each(|file| file.is_linted &= file.path.starts_with(".ai/knowledge"));
    assert_eq!(listed.pass(Vec::new(), &elsewhere).gone, 0);
    let silent = LintOptions { levels: [("RR105", Level::Off)].into_iter().collect(), ..LintOptions::default() };
    let unasked = Project::read(&tiers, &protocol, &silent);
    assert_eq!(listed.pass(Vec::new(), &unasked).gone, 0);
    for project in [&elsewhere, &unasked] {
        listed.update(Vec::new(), project);
        assert_eq!(listed.len(), 1);
    }
    let all = Project::read(&tiers, &protocol, &options);
    assert_eq!(listed.pass(Vec::new(), &all).gone, 1);
    listed.update(Vec::new(), &all);
    assert!(listed.is_empty());
}

#[test]
fn an_invalid_baseline_is_refused_with_its_place() {
    let entry = |entry: &str| format!("{{\n\"format\": \"rye-render.lint-baseline/1\",\n\"findings\": [\n{entry}\n]}}");
    for (text, what, line) in [
        (String::new(), "EOF while parsing a value", 1),
        ("1".to_string(), "invalid type: integer `1`", 1),
        ("{\n\"format\": \"other\",\n\"findings\": []}".to_string(), "its format is `other`", 2),
        (entry("{\"file\": \"a\", \"rule\": \"RR999\", \"line\": \"\"}"), "unknown rule `RR999`", 4),
        (entry("{\"file\": \"a\", \"rule\": \"RR105\"}"), "missing field `line`", 4),
        (entry("{\"file\": \"a\", \"rule\": \"RR105\", \"line\": \"\", \"count\": 0}"), "a count must be 1 or more", 4),
        (entry("{\"file\": \"a\", \"rule\": \"RR105\", \"line\": \"\", \"number\": 1}"), "unknown field `number`", 4),
    ] {
        let refused = Baseline::read(&text).unwrap_err();
        assert!(refused.what.contains(what), "{text}: {}", refused.what);
        assert_eq!(refused.place.map_or(1, |place| place.0), line, "{text}");
    }
}

#[test]
fn findings_about_trust_cannot_be_listed() {
    for rule in crate::lint::RULES.iter().filter(|rule| rule.group == Group::Trust) {
        assert!(!may_be_listed(rule));
        let text = format!(
            "{{\"format\": \"rye-render.lint-baseline/1\", \"findings\": [{{\"file\": \"a\", \"rule\": \"{}\", \
             \"line\": \"\"}}]}}",
            rule.code
        );
        let refused = Baseline::read(&text).unwrap_err();
        assert!(refused.what.contains("is about trust"), "{}", refused.what);
    }
    assert!(may_be_listed(find("RR105").unwrap()));
}

proptest! {
    #[test]
    fn written_text_reads_back(
        entries in prop::collection::vec(("\\PC{0,9}", any::<bool>(), any::<String>(), 1_usize..4), 0..9),
    ) {
        let rule = |first: bool| if first { "RR105" } else { "RR001" };
        let entry = |(file, first, line, count)| (BaselineEntry { file, rule: rule(first), line }, count);
        let baseline = Baseline { entries: entries.into_iter().map(entry).collect() };
        prop_assert_eq!(Baseline::read(&written(&baseline)).unwrap(), baseline);
    }

    #[test]
    fn no_text_causes_a_panic(text in any::<String>()) {
        let _ = Baseline::read(&text);
    }
}
