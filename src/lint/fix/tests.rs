mod same_prompt;

use proptest::prelude::*;

use crate::lint::finding::Findings;
use crate::lint::rule::{Group, Level, RULES, Rule};
use crate::lint::testing::{Example, Examples, around, examples, files, messages_of, prompts, tiers};
use crate::lint::{LintOptions, check, folders};
use crate::read::protocol::Protocols;

use super::*;

/// A rule whose findings the tests create.
static TOY: Rule =
    crate::lint::view::tests::rule("RR000", "toy", Group::Structure, Level::Warning, FixKind::SamePrompt);

/// Finds each occurrence of a string and offers to replace it.
fn replacing<'r>(pairs: &'r [(&'r str, &'r str)]) -> impl Fn(&Tiers, &mut ReceiveFindings<'_>) + 'r {
    move |tiers, with| {
        let (protocol, options) = (Protocols::default().get("rye-3").unwrap(), LintOptions::default());
        let project = Project::read(tiers, &protocol, &options);
        let mut list = Vec::new();
        for source in project.files.iter().filter_map(|file| file.source.as_ref()) {
            for (old, new) in pairs {
                let found = (0..source.text().len()).filter(|&at| source.text()[..].is_char_boundary(at));
                for at in found.filter(|&at| source.text()[at..].starts_with(old)) {
                    let span = source.span(at..at + old.len());
                    let mut found = Findings::new(&TOY, &mut list);
                    found.at(&span, "").fix("", [Edit::replace(&span, *new)]);
                }
            }
        }
        with(&project, list);
    }
}

fn knowledge(text: &str) -> Tiers {
    tiers(Example(String::leak(format!("=== .ai/knowledge/a.md\n{text}"))))
}

/// The text after fixing, the number of fixed findings, and whether the fixes failed to settle.
fn fixed(text: &str, pairs: &[(&str, &str)]) -> (String, usize, bool) {
    let fixed = fix(&knowledge(text), &replacing(pairs), false);
    let after = fixed.changes.files().next().map_or(text.as_bytes().to_vec(), |(_, after)| after.clone());
    (String::from_utf8(after).unwrap(), fixed.findings.values().sum(), !fixed.unsettled.is_empty())
}

#[test]
fn the_first_of_two_fixes_wins_and_later_rounds_apply_the_rest() {
    assert_eq!(fixed("xaaaax", &[("aa", "a")]), ("xax".into(), 3, false));
    assert_eq!(fixed("one two", &[("one", "1"), ("two", "2")]), ("1 2".into(), 2, false));
    assert_eq!(fixed("ab", &[("a", "c"), ("b", "d")]), ("cd".into(), 2, false));
    assert_eq!(fixed("nothing", &[("aa", "a")]), ("nothing".into(), 0, false));
}

#[test]
fn fixes_that_undo_each_other_leave_the_file_as_it_was() {
    assert_eq!(fixed("left", &[("left", "right"), ("right", "left")]), ("left".into(), 0, true));
    assert_eq!(fixed("a", &[("a", "aa")]), ("a".into(), 0, true));
    // A different file is still fixed.
    let both = tiers(Example("=== .ai/knowledge/a.md\na\n=== .ai/knowledge/b.md\nb\n"));
    let fixed = fix(&both, &replacing(&[("a\n", "aa\n"), ("b\n", "c\n")]), false);
    let files: Vec<_> = fixed.changes.files().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    assert_eq!(files, [(".ai/knowledge/b.md", &b"c\n"[..])]);
    assert_eq!((fixed.findings.len(), fixed.unsettled), (1, vec![".ai/knowledge/a.md".to_string()]));
}

#[test]
fn an_impossible_fix_does_not_block_others() {
    // Removing `b` would merge two line endings.
    let text = format!("{}\rb\n{}", "a ".repeat(15), "a ".repeat(15));
    let (after, count, is_unsettled) = fixed(&text, &[("a", "c"), ("b", "")]);
    assert_eq!((after, count, is_unsettled), (text.replace('a', "c"), 30, false));
}

#[test]
fn rounds_continue_while_findings_decrease() {
    let (text, pairs) = (format!("{}b", "a".repeat(60)), [("ab", "b")]);
    assert_eq!(fixed(&text, &pairs), ("b".into(), 60, false));
}

#[test]
fn signed_files_change_only_on_request() {
    for line in ["<!-- rye:signed:2026-04-06T04:31:43Z:broken -->", "# rye:signed:x"] {
        let text = format!("{line}\nbad\n");
        let look = replacing(&[("bad", "good")]);
        assert!(fix(&knowledge(&text), &look, false).changes.files().next().is_none(), "{line}");
        assert_eq!(fix(&knowledge(&text), &look, true).changes.files().count(), 1, "{line}");
    }
    assert_eq!(fixed("<!-- rye:unsigned -->\nbad", &[("bad", "good")]).1, 1);
}

#[test]
fn a_signature_after_a_byte_order_mark_is_recognised() {
    let look = replacing(&[("bad", "good")]);
    let text = "\u{feff}<!-- rye:signed:2026-04-06T04:31:43Z:broken -->\nbad\n";
    assert!(fix(&knowledge(text), &look, false).changes.files().next().is_none());
    assert_eq!(fix(&knowledge(text), &look, true).changes.files().count(), 1);
    assert_eq!(fix(&knowledge("\u{feff}bad\n"), &look, false).changes.files().count(), 1);
}

#[test]
fn files_that_a_hook_inserts_whole_are_not_fixed() {
    let rule = RULES.iter().find(|rule| rule.name == "required_with_default").unwrap();
    let hook = |id: &str| {
        format!(
            "=== .ai/config/agent/hooks.yaml\nhooks:\n  - id: h\n    event: thread_started\n    action: {{primary: fetch, \
             item_type: directive, item_id: '{id}'}}\n"
        )
    };
    for (id, expected) in [("deploy", 0), ("${model}", 0), ("other", 1)] {
        let files = format!("{}{}", examples(rule).bad.0, hook(id));
        assert_eq!(messages_of(rule, &files, "rye-3").len(), 1, "{id}");
        let example = Example(files.leak());
        let fixed = fix(&tiers(example), &of_rule(rule, example), true);
        assert_eq!(fixed.changes.files().count(), expected, "{id}");
    }
}

#[test]
fn files_of_other_tiers_are_left_alone() {
    let example = Example(
        "=== .ai/directives/a.md\n```xml\n<directive name=\"a\" extends=\"b\"/>\n```\nbad\n=== user:.ai/directives/b.md\n\
         ```xml\n<directive name=\"b\"/>\n```\nbad\n",
    );
    let fixed = fix(&tiers(example), &replacing(&[("bad", "good")]), true);
    assert_eq!(fixed.changes.files().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), [".ai/directives/a.md"]);
}

/// The findings of some rules under a protocol, with all rules on.
pub(super) fn of_rules(protocol: &str, is_meant: impl Fn(&Rule) -> bool) -> impl Fn(&Tiers, &mut ReceiveFindings<'_>) {
    let levels = RULES.iter().map(|rule| (rule.code, rule.level.max(Level::Note))).collect();
    let (options, protocol) =
        (LintOptions { levels, ..LintOptions::default() }, Protocols::default().get(protocol).unwrap());
    move |tiers, with| {
        let project = Project::read(tiers, &protocol, &options);
        let mut found = check(&project);
        found.retain(|finding| is_meant(finding.rule));
        with(&project, found);
    }
}

/// The findings of one rule in an example.
fn of_rule(rule: &Rule, example: Example) -> impl Fn(&Tiers, &mut ReceiveFindings<'_>) {
    let code = rule.code;
    let of_directives = of_rules("rye-3", move |rule| rule.code == code);
    let around = around(example);
    move |tiers, with| {
        let Some(around) = &around else { return of_directives(tiers, with) };
        let (protocol, options) = (Protocols::default().get("rye-3").unwrap(), LintOptions::default());
        let project = folders::read(tiers, &protocol, &options, around, &[]);
        let mut found = check(&project);
        found.retain(|finding| finding.rule.code == code);
        with(&project, found);
    }
}

#[test]
fn each_fix_works_once_and_keeps_prompts_as_promised() {
    for rule in RULES.iter().copied().filter(|rule| rule.fix != FixKind::None) {
        for example in [examples(rule).bad, examples(rule).composed] {
            let look = of_rule(rule, example);
            let fixed = fix(&tiers(example), &look, true);
            assert_eq!(fixed.unsettled, [""; 0], "{}", rule.code);
            let again = fix(&fixed.tiers, &look, true);
            assert!(again.changes.files().next().is_none(), "{} changes files on a second run", rule.code);
            let (before, after) = (prompts(&tiers(example), "rye-3"), prompts(&fixed.tiers, "rye-3"));
            for (id, before) in before.into_iter().filter(|_| rule.fix == FixKind::SamePrompt) {
                assert_eq!(before.as_ref(), after[&id].as_ref().filter(|_| before.is_some()), "{}: {id}", rule.code);
            }
        }
        let Examples { bad, good, .. } = examples(rule);
        let fixed = fix(&tiers(bad), &of_rule(rule, bad), true);
        assert!(!fixed.findings.is_empty(), "{} offers no fix for its bad example", rule.code);
        if rule.group == Group::Folders {
            let good = files(good);
            for (path, after) in fixed.changes.files() {
                let (.., good) = good.iter().find(|(_, of, _)| of == path).unwrap();
                assert_eq!(after, good, "{}: {path}", rule.code);
            }
        }
    }
}

proptest! {
    #[test]
    fn a_second_run_changes_nothing(
        text in "[ab\r\né]{0,30}",
        pairs in prop::collection::vec(("[ab]{1,2}", "[ab\n]{0,2}"), 1..4),
    ) {
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(old, new)| (old.as_str(), new.as_str())).collect();
        let look = replacing(&pairs);
        let fixed = fix(&knowledge(&text), &look, false);
        let bytes = fixed.changes.files().next().map_or(text.into_bytes(), |(_, after)| after.clone());
        let again = fix(&knowledge(&String::from_utf8(bytes).unwrap()), &look, false);
        prop_assert!(again.changes.files().next().is_none());
    }
}
