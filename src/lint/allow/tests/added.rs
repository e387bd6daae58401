//! Allowances that `--add-allow` writes.

use proptest::prelude::*;

use super::{example, short};
use crate::lint::allow::{AllowReason, add};
use crate::lint::fix::ReceiveFindings;
use crate::lint::testing::Example;
use crate::lint::testing::{prompts, tiers};
use crate::lint::{LintOptions, Project, check};
use crate::read::protocol::Protocols;
use crate::read::store::Tiers;

/// The rules that these tests allow.
const CODES: &[&str] = &["RR001", "RR105", "RR901", "RR902"];

/// Checks a project and passes on only the findings with these codes.
fn look(codes: &'static [&'static str]) -> impl Fn(&Tiers, &mut ReceiveFindings<'_>) {
    move |tiers, with| {
        let (protocol, options) = (Protocols::default().get("rye-3").unwrap(), LintOptions::default());
        let project = Project::read(tiers, &protocol, &options);
        let mut found = check(&project);
        found.retain(|finding| codes.contains(&finding.rule.code));
        with(&project, found);
    }
}

fn added(example: Example) -> (Vec<String>, usize, Vec<&'static str>) {
    let reason = AllowReason::new("known").unwrap();
    let added = add(&tiers(example), &look(CODES), &reason);
    let left = added.left.iter().map(|finding| finding.rule.code).collect();
    let mut after = Vec::new();
    look(CODES)(&added.tiers, &mut |_, found| after = found);
    assert_eq!(after.len(), added.left.len(), "a second check finds only what was left: {after:?}");
    for protocol in ["rye-1", "rye-2", "rye-3"] {
        let now = tiers(example).replacing(added.changes.files());
        assert_eq!(prompts(&now, protocol), prompts(&tiers(example), protocol));
    }
    let files = added.changes.files().map(|(_, bytes)| String::from_utf8(bytes.clone()).unwrap());
    (files.collect(), added.findings.values().sum(), left)
}

#[test]
fn allowances_are_added_where_possible() {
    let (files, count, left) = added(short([("{0}", "")]));
    assert_eq!((count, left), (2, vec![]));
    let expected = "      <!-- rye-render: allow RR105 known -->\n      <suppress>rules</suppress>\n      \
                    <!-- rye-render: allow RR105 known -->\n      <suppress>more</suppress>\n";
    assert!(files[0].contains(expected), "{}", files[0]);
    // A second run finds nothing left to allow.
    let text: String = format!("=== .ai/directives/deploy.md\n{}", files[0]);
    let knowledge = short([("{0}", "")]).0.split_once("=== .ai/knowledge").unwrap().1;
    assert_eq!(added(example(&format!("{text}=== .ai/knowledge{knowledge}"))).1, 0);
}

#[test]
fn findings_stay_where_allowances_are_impossible() {
    // A directive without a block has no place for an allowance.
    assert_eq!(added(Example("=== .ai/directives/a.md\nText.\n")), (vec![], 0, vec!["RR001"]));
    let Example(text) = short([("{0}", "")]);
    let signed = text.replacen("```xml", "<!-- rye:signed:x -->\n```xml", 1);
    assert_eq!(added(example(&signed)), (vec![], 0, vec!["RR105", "RR105"]));
    let hook = "=== .ai/config/agent/hooks.yaml\nhooks:\n  - id: show\n    event: thread_started\n    action:\n      \
                primary: fetch\n      item_type: directive\n      item_id: deploy\n";
    assert_eq!(added(example(&format!("{text}{hook}"))).1, 0);
}

#[test]
fn findings_about_trust_stay() {
    let hidden = example("=== .ai/knowledge/a.md\n```yaml\nname: a\n```\n\nSe\u{200b}e.\n");
    let added = add(&tiers(hidden), &look(&["RR611"]), &AllowReason::new("known").unwrap());
    assert!(added.changes.files().next().is_none());
    assert_eq!(added.left.len(), 1);
}

#[test]
fn elements_on_one_line_get_their_allowance_at_its_end() {
    let Example(text) = short([("{0}", "")]);
    let one_line = text.replace("\n      <suppress>", "<suppress>").replace("      \n", "");
    let (files, count, left) = added(example(&one_line));
    assert_eq!((count, left.len()), (2, 0), "{files:?}");
}

#[test]
fn line_endings_are_kept() {
    let Example(text) = short([("{0}", "")]);
    let (head, rest) = text.split_once('\n').unwrap();
    let (directive, knowledge) = rest.split_once("=== ").unwrap();
    let text = format!("{head}\n{}=== {knowledge}", directive.replace('\n', "\r\n"));
    let (files, count, _) = added(example(&text));
    assert_eq!(count, 2);
    assert_eq!(files[0].matches('\n').count(), files[0].matches("\r\n").count());
}

#[test]
fn a_reason_is_valid_in_every_comment() {
    for text in ["", "  ", "a\nb", "a -- b", "a-", "a <b>", "{input:x}", "`x`", "\u{1b}[0m", ", x"] {
        assert!(AllowReason::new(text).is_err(), "{text:?}");
    }
    assert!(AllowReason::new(" the hook comes with release 2 (é) ").is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any text is read without a panic; added allowances are all used and change no prompt.
    #[test]
    fn no_text_causes_a_panic(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "```xml\n", "```yaml\n", "```\n", "<directive name=\"a\">", "</directive>\n", "<metadata>\n", "</metadata>",
                "<context><suppress>b</suppress></context>\n", "<before>c/b</before>", "\n", " ", "\r\n", "é", "#", "- ", "a: ",
                "|\n  ", "<!-- rye-render: allow RR105 x -->", "# rye-render: allow RR105 x\n", "rye-render: allow", "<raw>",
                "</raw>", "<permissions>", "</permissions>", "<!--", "-->", "\u{feff}", "\"",
            ]),
            0..24,
        ),
    ) {
        let text = parts.concat();
        let example = example(&format!(
            "=== .ai/directives/a.md\n{text}\n=== .ai/knowledge/c/b.md\n{text}\n=== .ai/knowledge/d.yaml\n{text}\n=== \
             .ai/config/agent/hooks.yaml\n{text}\n=== .ai/tools/t.py\n{text}\n"
        ));
        added(example);
    }
}
