//! What holds for every rule.

use std::collections::HashSet;

use super::rule::{Check, Group, Level, Rule};
use super::rules::RULES;
use super::testing::{codes, found, tiers};
use super::{Example, Finding, Options, Project, check};
use crate::assemble;
use crate::diagnostic::{Location, Severity};
use crate::protocol::Protocols;
use crate::request::Request;

/// The options under which every rule speaks.
fn aloud() -> Options {
    let levels = RULES.iter().map(|rule| (rule.code, rule.level.max(Level::Note))).collect();
    Options { levels, ..Options::default() }
}

fn fires(rule: &Rule, example: Example) -> bool {
    found(example, &aloud()).iter().any(|finding| finding.rule.code == rule.code)
}

#[test]
fn codes_and_names_are_unique_and_codes_say_the_group() {
    let mut seen = HashSet::new();
    for rule in RULES.iter() {
        assert!(seen.insert(rule.code) && seen.insert(rule.name), "{} {}", rule.code, rule.name);
        assert!(rule.code.starts_with(rule.group.prefix()) && rule.code.len() == 5, "{}", rule.code);
    }
    assert!(RULES.is_sorted_by_key(|rule| rule.code));
}

#[test]
fn every_rule_fires_on_its_bad_example_and_on_a_composed_one() {
    let mut silent = Vec::new();
    for rule in RULES.iter() {
        for (which, example) in [("bad", rule.bad), ("composed", rule.composed)] {
            if !fires(rule, example) {
                silent.push(format!("{} on its {which} example, where there are {:?}", rule.code, codes(example)));
            }
        }
    }
    assert!(silent.is_empty(), "silent: {silent:#?}");
}

#[test]
fn every_rule_is_silent_on_good_examples_and_its_near_miss() {
    let mut loud = Vec::new();
    for rule in RULES.iter() {
        if fires(rule, rule.near_miss) {
            loud.push(format!("{} on its near miss", rule.code));
        }
        // What is off by default asks for more than the examples of others give.
        let counts = |it: &Finding| it.rule.code == rule.code || it.rule.level != Level::Off;
        for finding in found(rule.good, &aloud()).into_iter().filter(counts) {
            loud.push(format!("{} on the good example of {}: {}", finding.rule.code, rule.code, finding.message));
        }
    }
    assert!(loud.is_empty(), "loud: {loud:#?}");
}

/// The rules that a surprise of the documents' system is found by, each behind what surprises (Directives, the lines
/// that say so).
const SURPRISES: [(&str, &[&str]); 36] = [
    ("a byte order mark hides a fence on the first line", &["byte_order_mark", "no_xml_block"]),
    ("a closed outer fence with an info string hides every later one", &["no_xml_block"]),
    ("an outer fence without an info string is transparent", &["transparent_fence"]),
    ("`nickname` before `name` is found as the name", &["attribute_by_pattern"]),
    ("an attribute ends at a quote of either kind", &["attribute_cut"]),
    ("a comment before the root hides all attributes", &["root_attributes_hidden"]),
    ("`<templates>` is opaque", &["opaque_by_prefix"]),
    ("`<raw/>` swallows text up to the next `</raw>`", &["opaque_self_closing"]),
    ("`<name>` and `<extends>` of the metadata override the attribute", &["metadata_overrides_attribute"]),
    ("`<outputs>` of the metadata is plain text", &["outputs_in_metadata"]),
    ("`<permissions>` with an attribute is not shown", &["permissions_not_shown"]),
    ("one in a comment is", &["permissions_from_comment"]),
    ("limits are not checked without a resilience.yaml", &["limits_unchecked"]),
    ("unknown tags of the context are ignored", &["context_tag_ignored"]),
    ("the text `false` wraps", &["wrap_text"]),
    ("children other than `<output>` and `<input>` are ignored", &["child_ignored"]),
    ("with no named output there is no return instruction", &["outputs_unnamed"]),
    ("the last named output decides about the closing tag", &["closing_tag_unbalanced"]),
    ("`{input:x}` of hook text is filled in only when an input was given", &["input_placeholder_kept"]),
    ("hooks see the inputs that were given, not those by default", &["default_unseen_by_hooks"]),
    ("an item of the chain without a text contributes nothing", &["knowledge_without_text"]),
    ("front matter is not metadata", &["front_matter"]),
    ("an empty text injects the whole file, YAML block and signature included", &["knowledge_whole_file"]),
    ("a `content` of blanks yields an empty element", &["knowledge_blank_content"]),
    ("an item with a broken block is left out", &["knowledge_broken"]),
    ("the last of two equal keys wins", &["duplicate_key"]),
    ("an empty name gives the last segment of the id", &["knowledge_name_empty"]),
    ("no name gives the full id where the item is executed", &["knowledge_name_missing"]),
    ("entries without an id are dropped in a merge by id", &["entry_without_id"]),
    ("an unknown position counts as before", &["position_unknown"]),
    ("an unknown operator is false", &["operator_unknown"]),
    ("the first routing hook ends the search without a target", &["routing_without_target"]),
    ("an empty prompt still stands", &["empty_prompt"]),
    ("a parent that cannot be parsed ends the chain", &["parent_unusable"]),
    ("the permissions nearest the root are inherited", &["permissions_from_root"]),
    ("a `*` inside a pattern matches nothing", &["pattern_matches_nothing"]),
];

/// How many lines of the exact rules say that something surprises.
const SURPRISING_LINES: usize = 29;

/// Where the shared conformance cases are there, so are the rules that they were made from.
#[test]
fn every_surprising_line_of_the_rules_is_counted() {
    let Some(cases) = std::env::var_os("RYE_RENDER_CONFORMANCE") else { return };
    let rules = std::path::Path::new(&cases).join("../../spec/rendering.md");
    let Ok(text) = std::fs::read_to_string(rules) else { return };
    let lines = text.lines().filter(|line| line.contains('⚠')).filter(|line| !line.starts_with("`README.md`"));
    assert_eq!(lines.count(), SURPRISING_LINES, "a surprise came or went: is there a rule for it?");
}

#[test]
fn composed_examples_are_composed() {
    let is_composed = |text: &str| {
        ["extends", "hooks.yaml", "hook_conditions.yaml", "<hook", "hooks:"].iter().any(|sign| text.contains(sign))
    };
    // What it is about is a character, which the context of a directive brings in.
    let others = RULES.iter().filter(|rule| rule.name != "tag_character");
    let alone: Vec<_> = others.filter(|rule| !is_composed(rule.composed.0)).map(|rule| rule.code).collect();
    assert!(alone.is_empty(), "neither a chain nor a hook in {alone:?}");
}

/// An example without what makes a prompt of several files: nothing extends another directive, and there is no hook.
fn taken_apart(example: Example) -> Example {
    let (start, files) = example.0.split_once("=== ").unwrap_or_default();
    let is_of_hooks = |file: &&str| file.lines().next().is_some_and(|path| path.contains("hook"));
    let files = files.split("=== ").filter(|file| !is_of_hooks(file)).map(|file| format!("=== {file}"));
    let text: String = std::iter::once(start.to_string()).chain(files).collect();
    Example(without(&without(&text, " extends=\"", "\""), "<hooks>", "</hooks>").leak())
}

/// A text without what stands between two marks, and without these.
fn without(text: &str, from: &str, to: &str) -> String {
    let mut pieces = text.split(from);
    let first = pieces.next().unwrap_or_default().to_string();
    pieces.fold(first, |kept, piece| kept + piece.split_once(to).map_or(piece, |(_, rest)| rest))
}

/// What a rule says of an example, each with its file.
fn told(rule: &Rule, example: Example) -> HashSet<(String, String)> {
    if !example.0.contains("=== ") {
        return HashSet::new();
    }
    let of_rule = found(example, &aloud()).into_iter().filter(|finding| finding.rule.code == rule.code);
    of_rule.map(|finding| (finding.path().to_string(), finding.message)).collect()
}

#[test]
fn composed_examples_say_something_that_their_parts_do_not() {
    let is_alone = |rule: &Rule| told(rule, rule.composed).is_subset(&told(rule, taken_apart(rule.composed)));
    // The others are shown one file, and find the same in it whatever stands around it.
    let looks_around = |rule: &Rule| matches!(rule.check, Check::Composed(_) | Check::Project(_) | Check::Hook(_));
    let alone: Vec<_> =
        RULES.iter().filter(|rule| looks_around(rule) && is_alone(rule)).map(|rule| rule.name).collect();
    assert_eq!(alone, SAME_IN_PARTS);
}

/// Rules that look around and whose composed examples show the finding in a parent or an item, where it is told in the
/// same words as without what extends it or brings it in.
const SAME_IN_PARTS: [&str; 21] = [
    "unreadable",
    "limits_unchecked",
    "knowledge_without_text",
    "body_empty",
    "knowledge_broken",
    "suppress_matches_nothing",
    "item_missing",
    "input_unused",
    "file_in_no_place",
    "tool_over_budget",
    "tool_name_collision",
    "tool_name_too_long",
    "risk_unacknowledged",
    "primary_missing",
    "tool_budget_invalid",
    "risk_warned_of",
    "pattern_over_budget",
    "knowledge_unused",
    "vouches_for_itself",
    "shadows_system",
    "outside_tier",
];

/// Diagnostics that are found by no rule, each with the reason.
const NOT_LINTED: [(&str, &str); 43] = [
    ("not_a_file", "`unreadable` finds it"),
    ("too_large", "`unreadable` finds it"),
    ("directive_unusable", "the rule of what is wrong with the directive finds it"),
    ("invalid_setting", "about the settings, which are checked where they are read"),
    ("settings_moved", "about the settings, which are checked where they are read"),
    ("other_project", "about the command line"),
    ("left_alone", "about what was to be changed"),
    ("not_written", "about what was to be changed"),
    ("directive_not_found", "about what was asked for"),
    ("item_not_found", "about what was asked for"),
    ("missing_required_input", "about the inputs of one prompt"),
    ("unknown_input", "about the inputs of one prompt"),
    ("invalid_argument", "about the command line"),
    ("invalid_lock", "about a file that is compared with"),
    ("invalid_messages", "about the command line"),
    ("invalid_protocol", "about a protocol file"),
    ("unknown_protocol", "about the command line"),
    ("invalid_template", "about a protocol file"),
    ("unknown_setting", "about the settings, which are checked where they are read"),
    ("unused_example", "about the settings, which are checked where they are read"),
    ("role_without_place", "about a request body"),
    ("digest_mismatch", "about a prompt that was made"),
    ("values_shown", "about two prompts that are compared"),
    ("prompt_grew", "about two prompts that are compared"),
    ("bundle_without_folder", "about the system tier"),
    ("invalid_tier", "about the command line"),
    ("git_missing", "about revisions"),
    ("git_failed", "about revisions"),
    ("no_repository", "about revisions"),
    ("repository_refused", "about revisions"),
    ("outside_repository", "about revisions"),
    ("work_tree_elsewhere", "about revisions"),
    ("invalid_revision", "about revisions"),
    ("unknown_revision", "about revisions"),
    ("ambiguous_revision", "about revisions"),
    ("revision_without_files", "about revisions"),
    ("revision_not_here", "about revisions"),
    ("no_commit_yet", "about revisions"),
    ("no_merge_base", "about revisions"),
    ("object_not_here", "about revisions"),
    ("link_leaves_repository", "about revisions"),
    ("tier_is_submodule", "about revisions"),
    ("file_unmerged", "about revisions"),
];

/// How many diagnostics there are.
const CODES: usize = 104;

/// The code names of the diagnostics, as their words are written.
fn diagnostic_codes() -> Vec<&'static str> {
    const WORDS: &str = include_str!("../diagnostic/words.rs");
    let calls = WORDS.split("error(").chain(WORDS.split("warning(")).chain(WORDS.split("note("));
    let fields = WORDS.split("code: ").chain(WORDS.split("missing.is_empty() { ")).chain(WORDS.split("} else { "));
    let quoted = calls.chain(fields).filter_map(|rest| rest.trim_start().strip_prefix('"')?.split_once('"'));
    let mut codes: Vec<_> = quoted.map(|(code, _)| code).filter(|code| code.contains('_')).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// The codes in the tables of surprises in `docs/protocols.md` and `docs/protocols/`.
fn documented_surprises() -> Vec<&'static str> {
    const PAGES: [&str; 4] = [
        include_str!("../../docs/protocols.md"),
        include_str!("../../docs/protocols/rye-1.md"),
        include_str!("../../docs/protocols/rye-2.md"),
        include_str!("../../docs/protocols/rye-3.md"),
    ];
    let tables = PAGES.into_iter().filter_map(|page| Some(page.split_once("## What surprises")?.1));
    let rows = tables.flat_map(str::lines).filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    rows.flat_map(|cell| cell.split(['`', ',', ' '])).filter(|word| word.contains('_')).collect()
}

#[test]
fn every_surprise_and_every_diagnostic_about_an_item_has_a_rule() {
    let is_rule = |name: &str| RULES.iter().any(|rule| rule.name == name);
    for (what, names) in SURPRISES {
        for name in names {
            let rule = RULES.iter().find(|rule| rule.name == *name).unwrap_or_else(|| panic!("{what}: no rule {name}"));
            assert!(fires(rule, rule.bad), "{what}: {name} does not find it");
        }
    }
    let codes = diagnostic_codes();
    // Another number means that one came or went, or that the words are written so that they are not found.
    assert_eq!(codes.len(), CODES, "{codes:?}");
    let surprises = documented_surprises();
    assert!(surprises.len() > 45, "the tables are not found: {surprises:?}");
    let is_explained = |code: &str| NOT_LINTED.iter().any(|(name, _)| *name == code);
    let missing: Vec<_> = codes.iter().chain(&surprises).filter(|code| !is_rule(code) && !is_explained(code)).collect();
    assert!(missing.is_empty(), "no rule is called {missing:?}");
    for (code, reason) in NOT_LINTED {
        assert!(codes.contains(&code), "{code} is no diagnostic ({reason})");
        assert!(!RULES.iter().any(|rule| rule.name == code), "{code} has a rule");
    }
}

/// Codes of what is said about a request, and not about an item: with other inputs there is nothing to say.
const OF_REQUESTS: [&str; 3] = ["missing_required_input", "unknown_input", "input_placeholder_kept"];

#[test]
fn what_a_render_says_of_an_item_a_check_says_too() {
    let protocol = Protocols::default().get("rye-3").unwrap();
    // Those about allowances allow what a render says.
    let about_items = RULES.iter().filter(|rule| rule.group != Group::Lint);
    for example in about_items.flat_map(|rule| [rule.bad, rule.composed, rule.near_miss, rule.good]) {
        let tiers = tiers(example);
        let options = aloud();
        let project = Project::read(&tiers, &protocol, &options, &|_| true);
        let found = check(&project);
        let said: HashSet<&str> = found.iter().map(|finding| finding.rule.name).collect();
        for (file, _) in project.directives() {
            let request = Request { placeholders: true, ..Request::new(file.id.as_str()) };
            let (Ok(diagnostics) | Err(diagnostics)) =
                assemble::render(&request, &tiers, &protocol).map(|prompt| prompt.diagnostics);
            // Notes stand in what is shown of a prompt, and nobody acts on them.
            let of_weight = diagnostics.iter().filter(|it| it.severity() >= Severity::Warning);
            for diagnostic in of_weight.filter(|it| !OF_REQUESTS.contains(&it.code())) {
                let is_of_project = match &diagnostic.at {
                    Some(Location::Span(span)) => span.source().tier() == "project",
                    Some(Location::File { tier, .. }) => &**tier == "project",
                    None => true,
                };
                let name = diagnostic.code();
                let finer: &[&str] = match name {
                    "too_large" | "not_a_file" => &["unreadable"],
                    "parent_not_found" => &["route_target_missing"],
                    "item_missing" => &["hook_item_missing", "id_case", "outside_tier"],
                    _ => &[],
                };
                let is_said = said.contains(name) || finer.iter().any(|name| said.contains(name));
                assert!(
                    is_said || !is_of_project,
                    "{} renders with {name}, the check says {said:?} of\n{}",
                    file.id,
                    example.0
                );
            }
        }
    }
}
