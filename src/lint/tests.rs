//! Requirements for every rule.

mod hostile;
mod paths;
mod surprises;

use std::collections::HashSet;
use std::str::FromStr;

use strum::VariantNames;

use crate::decide::request::Request;
use crate::diagnostic::{Location, Problem, Severity};
use crate::fill::assemble;
use crate::lint::check::check_of;
use crate::lint::rule::{Group, Level, RULES, Rule};
use crate::lint::rules::{CHECKS, Check};
use crate::lint::testing::{Example, codes, examples, files, found, protocol_of, tiers};
use crate::lint::{Finding, LintOptions, Project, check};
use crate::read::store::TierKind;

/// Options that turn on every rule.
fn all_rules_on() -> LintOptions {
    let levels = RULES.iter().map(|rule| (rule.code, rule.level.max(Level::Note))).collect();
    LintOptions { levels, ..LintOptions::default() }
}

fn fires(rule: &Rule, example: Example) -> bool {
    found(example, &all_rules_on()).iter().any(|finding| finding.rule.code == rule.code)
}

#[test]
fn codes_and_names_are_unique_and_codes_match_the_group() {
    let mut seen = HashSet::new();
    for rule in RULES.iter() {
        assert!(seen.insert(rule.code) && seen.insert(rule.name), "{} {}", rule.code, rule.name);
        assert!(Group::from_str(&rule.code[..3]) == Ok(rule.group) && rule.code.len() == 5, "{}", rule.code);
    }
    assert!(RULES.is_sorted_by_key(|rule| rule.code));
}

#[test]
fn every_check_belongs_to_a_rule() {
    for (name, _) in CHECKS {
        assert!(RULES.iter().any(|rule| rule.name == *name), "{name} is not a rule");
    }
}

#[test]
fn every_rule_fires_on_its_bad_and_composed_examples() {
    let mut silent = Vec::new();
    for rule in RULES.iter() {
        for (which, example) in [("bad", examples(rule).bad), ("composed", examples(rule).composed)] {
            if !fires(rule, example) {
                silent.push(format!("{} on its {which} example, which has {:?}", rule.code, codes(example)));
            }
        }
    }
    assert!(silent.is_empty(), "silent: {silent:#?}");
}

#[test]
fn every_rule_is_silent_on_good_examples_and_its_near_miss() {
    let mut loud = Vec::new();
    for rule in RULES.iter() {
        if fires(rule, examples(rule).near_miss) {
            loud.push(format!("{} on its near miss", rule.code));
        }
        // Most examples are unsigned, which `unsigned` rightly reports when it is on: see the next test.
        let is_right = |it: &Finding| it.rule.name == "unsigned" && rule.name != "unsigned";
        for finding in found(examples(rule).good, &all_rules_on()).into_iter().filter(|it| !is_right(it)) {
            loud.push(format!("{} on the good example of {}: {}", finding.rule.code, rule.code, finding.message));
        }
    }
    assert!(loud.is_empty(), "loud: {loud:#?}");
}

#[test]
fn a_rule_that_is_off_is_silent_by_default_and_exact_if_selected() {
    let off: Vec<_> = RULES.iter().filter(|rule| rule.level == Level::Off).map(|rule| rule.name).collect();
    assert_eq!(off, ["unsigned"], "only `unsigned` is compared with the good examples below");
    for rule in RULES.iter() {
        let by_default = found(examples(rule).good, &LintOptions::default());
        assert!(by_default.iter().all(|it| it.rule.level != Level::Off), "{}", rule.code);
        // Exactly the items whose first line is not a signature.
        let is_item =
            |path: &str| [".ai/directives/", ".ai/knowledge/", ".ai/tools/"].iter().any(|it| path.starts_with(it));
        let is_signed = |text: &[u8]| {
            text.split(|byte| *byte == b'\n').next().is_some_and(|it| it.windows(11).any(|it| it == b"rye:signed:"))
        };
        let items = files(examples(rule).good)
            .into_iter()
            .filter(|(tier, path, _)| *tier == TierKind::Project && is_item(path));
        let mut unsigned: Vec<_> = items.filter(|(.., text)| !is_signed(text)).map(|(_, path, _)| path).collect();
        unsigned.sort();
        let asked = found(examples(rule).good, &all_rules_on());
        let said: Vec<_> = asked.iter().filter(|it| it.rule.name == "unsigned").map(Finding::path).collect();
        assert_eq!(said, unsigned, "{}", rule.code);
    }
}

#[test]
fn composed_examples_have_a_chain_a_hook_or_several_files() {
    let is_composed = |text: &str| {
        ["extends", "hooks.yaml", "hook_conditions.yaml", "<hook", "hooks:"].iter().any(|sign| text.contains(sign))
    };
    // Folders have neither; their examples are composed of several files.
    let is_composed = |rule: &Rule| match rule.group {
        Group::Folders => files(examples(rule).composed).len() > 1,
        _ => is_composed(examples(rule).composed.0),
    };
    let alone: Vec<_> = RULES.iter().filter(|rule| !is_composed(rule)).map(|rule| rule.code).collect();
    assert!(alone.is_empty(), "neither a chain nor a hook in {alone:?}");
}

#[test]
fn composed_examples_of_folders_need_all_their_files() {
    for rule in checked_by(|check| matches!(check, Check::Folders(_))) {
        let parts: Vec<&str> = examples(rule).composed.0.split("=== ").skip(1).collect();
        let (settings, others): (Vec<&str>, Vec<&str>) =
            parts.into_iter().partition(|it| it.starts_with(".sf/rye-render"));
        for alone in others {
            let text: String = settings.iter().chain([&alone]).map(|file| format!("=== {file}")).collect();
            assert!(!fires(rule, Example(text.leak())), "{} in {alone}", rule.code);
        }
    }
}

fn checked_by(is_meant: impl Fn(&Check) -> bool) -> impl Iterator<Item = &'static Rule> {
    RULES.iter().copied().filter(move |rule| is_meant(&check_of(rule)))
}

/// An example without `extends` and hooks, which compose prompts from several files.
fn decomposed(example: Example) -> Example {
    let (start, files) = example.0.split_once("=== ").unwrap_or_default();
    let is_of_hooks = |file: &&str| file.lines().next().is_some_and(|path| path.contains("hook"));
    let files = files.split("=== ").filter(|file| !is_of_hooks(file)).map(|file| format!("=== {file}"));
    let text: String = std::iter::once(start.to_string()).chain(files).collect();
    Example(without(&without(&text, " extends=\"", "\""), "<hooks>", "</hooks>").leak())
}

/// Removes two marks and the text between them.
fn without(text: &str, from: &str, to: &str) -> String {
    let mut pieces = text.split(from);
    let first = pieces.next().unwrap_or_default().to_string();
    pieces.fold(first, |kept, piece| kept + piece.split_once(to).map_or(piece, |(_, rest)| rest))
}

/// The findings of a rule in an example: path and message.
fn findings_of(rule: &Rule, example: Example) -> HashSet<(String, String)> {
    if !example.0.contains("=== ") {
        return HashSet::new();
    }
    let of_rule = found(example, &all_rules_on()).into_iter().filter(|finding| finding.rule.code == rule.code);
    of_rule.map(|finding| (finding.path().to_string(), finding.message)).collect()
}

#[test]
fn composed_examples_have_findings_that_their_parts_lack() {
    let is_alone = |rule: &Rule| {
        let composed = examples(rule).composed;
        findings_of(rule, composed).is_subset(&findings_of(rule, decomposed(composed)))
    };
    // Other rules check one file at a time, so other files do not change their findings.
    let looks_around = |check: &Check| matches!(check, Check::Composed(_) | Check::Project(_) | Check::Hook(_));
    let alone: Vec<_> = checked_by(looks_around).filter(|rule| is_alone(rule)).map(|rule| rule.name).collect();
    assert_eq!(alone, SAME_IN_PARTS);
}

/// Rules that check several files, but whose composed examples report the same finding in a parent
/// or item without the directive or hook that uses it.
const SAME_IN_PARTS: [&str; 23] = [
    "unreadable",
    "limits_unchecked",
    "knowledge_without_text",
    "body_empty",
    "knowledge_broken",
    "suppress_matches_nothing",
    "item_missing",
    "input_unused",
    "pipe_outside_hook",
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
    "path_setting_unused",
];

/// Diagnostics without a rule, each with the reason.
const NOT_LINTED: [(&str, &str); 99] = [
    ("not_a_file", "`unreadable` finds it"),
    ("agent_release_unknown", "about the command line"),
    ("several_agents", "about the command line"),
    ("other_release_recorded", "about what was recorded"),
    ("own_text_recorded", "about what was recorded"),
    ("own_text_unknown", "about an agent's prompt"),
    ("nothing_joins", "about the command line"),
    ("recording_unreadable", "about what was recorded"),
    ("recorded_otherwise", "about the command line"),
    ("agent_refuses", "`agent_warning` finds it"),
    ("agent_tool_unknown", "`agent_warning` finds it"),
    ("agent_argument_ignored", "`agent_warning` finds it"),
    ("agent_settings_unreadable", "`agent_warning` finds it"),
    ("agent_package_unknown", "`agent_warning` finds it"),
    ("shadowed_by_empty", "`agent_warning` finds it"),
    ("flag_replaces", "`agent_warning` finds it"),
    ("path_sent", "`agent_warning` finds it"),
    ("worktree_shadows", "`agent_warning` finds it"),
    ("skills_without_reader", "`agent_warning` finds it"),
    ("ancestor_not_read", "`agent_warning` finds it"),
    ("agent_file_missing", "`agent_warning` finds it"),
    ("agent_settings_untrusted", "`agent_warning` finds it"),
    ("agent_setting_ignored", "`agent_warning` finds it"),
    ("agent_setting_blank", "`agent_warning` finds it"),
    ("agent_instructions_untrusted", "`agent_warning` finds it"),
    ("agent_drops_instructions", "`agent_warning` finds it"),
    ("agent_cuts", "`instructions_cut` finds it"),
    ("agent_budget_used_up", "`instructions_cut` finds it"),
    ("agent_rules_unreadable", "`agent_warning` finds it"),
    ("agent_skill_unusable", "`skill_unreadable` finds it"),
    ("agent_fact", "`agent_warning` finds it"),
    ("agent_pitfall", "`agent_warning` finds it"),
    ("agent_trust_pitfall", "about the settings of the user"),
    ("agent_skills_over_budget", "`skill_over_budget` finds it"),
    ("agent_descriptions_over_budget", "`skill_over_budget` finds it"),
    ("agent_skill_renamed", "`agent_warning` finds it"),
    ("agent_skill_waits", "`agent_warning` finds it"),
    ("agent_folder_borrowed", "`agent_warning` finds it"),
    ("agent_import_lost", "`import_lost` finds it"),
    ("agent_leaves_out", "`agent_warning` finds it"),
    ("agent_differs", "a note, which is shown with the prompt"),
    ("agent_shadows", "`context_hidden` finds it"),
    ("too_large", "`unreadable` finds it"),
    ("context_unreadable", "`unreadable` finds it"),
    ("name_not_utf8", "`unreadable` finds it"),
    ("directive_unusable", "the rule about the directive's problem finds it"),
    ("invalid_setting", "about the settings, which are checked where they are read"),
    ("settings_moved", "about the settings, which are checked where they are read"),
    ("other_project", "about the command line"),
    ("nothing_checked", "about which files are checked"),
    ("not_asked_of_git", "about which files are checked"),
    ("untrusted", "the rules about trust find it"),
    ("left_alone", "about files to change"),
    ("not_written", "about files to change"),
    ("directive_not_found", "about the requested directive"),
    ("item_not_found", "about the requested item"),
    ("missing_required_input", "about the inputs of one prompt"),
    ("unknown_input", "about the inputs of one prompt"),
    ("invalid_argument", "about the command line"),
    ("invalid_lock", "about a lock file"),
    ("invalid_messages", "about the command line"),
    ("invalid_tools", "about the command line"),
    ("invalid_extensions", "about the command line"),
    ("folder_of_agents", "about the command line"),
    ("invalid_protocol", "about a protocol file"),
    ("unknown_protocol", "about the command line"),
    ("invalid_template", "about a protocol file"),
    ("unknown_setting", "about the settings, which are checked where they are read"),
    ("unused_example", "about the settings, which are checked where they are read"),
    ("role_without_place", "about a request body"),
    ("digest_mismatch", "about a rendered prompt"),
    ("values_shown", "about a comparison of two prompts"),
    ("prompt_grew", "about a comparison of two prompts"),
    ("text_lost", "about a comparison of two prompts"),
    ("bundle_without_folder", "about the system tier"),
    ("release_not_compared", "about the system tier"),
    ("engine_mismatch", "about the system tier"),
    ("returns_not_of_package", "about the system tier"),
    ("unknown_kind", "`action_incomplete` finds it"),
    ("suppress_without_context", "`suppress_matches_nothing` finds it"),
    ("pipe_failed", "about the values of one prompt"),
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

/// The codes in the tables of surprises in `docs/protocols.md` and `docs/protocols/`.
fn documented_surprises() -> Vec<&'static str> {
    const PAGES: [&str; 5] = [
        include_str!("../../docs/protocols.md"),
        include_str!("../../docs/protocols/rye-1.md"),
        include_str!("../../docs/protocols/rye-2.md"),
        include_str!("../../docs/protocols/rye-3.md"),
        include_str!("../../docs/protocols/rye-4.md"),
    ];
    let tables = PAGES.into_iter().filter_map(|page| Some(page.split_once("## Surprising behaviour")?.1));
    let rows = tables.flat_map(str::lines).filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    rows.flat_map(|cell| cell.split(['`', ',', ' '])).filter(|word| word.contains('_')).collect()
}

#[test]
fn every_documented_surprise_and_every_diagnostic_about_an_item_has_a_rule() {
    let is_rule = |name: &str| RULES.iter().any(|rule| rule.name == name);
    let codes = Problem::VARIANTS;
    let surprises = documented_surprises();
    assert!(surprises.len() > 45, "tables not found: {surprises:?}");
    let is_explained = |code: &str| NOT_LINTED.iter().any(|(name, _)| *name == code);
    let missing: Vec<_> = codes.iter().chain(&surprises).filter(|code| !is_rule(code) && !is_explained(code)).collect();
    assert!(missing.is_empty(), "no rule is named {missing:?}");
    for (code, reason) in NOT_LINTED {
        assert!(codes.contains(&code), "{code} is not a diagnostic ({reason})");
        assert!(!RULES.iter().any(|rule| rule.name == code), "{code} has a rule");
    }
}

/// Codes of diagnostics about a request, not an item: they disappear with different inputs.
const OF_REQUESTS: [&str; 4] = ["missing_required_input", "unknown_input", "input_placeholder_kept", "pipe_null"];

#[test]
fn every_diagnostic_of_a_render_is_also_a_finding() {
    // Examples about allowances hide what a render reports.
    let about_items = RULES.iter().filter(|rule| rule.group != Group::Lint);
    for example in about_items.flat_map(|rule| examples(rule).all()) {
        let tiers = tiers(example);
        let (options, protocol) = (all_rules_on(), protocol_of(&tiers));
        let project = Project::read(&tiers, &protocol, &options);
        let found = check(&project);
        let said: HashSet<&str> = found.iter().map(|finding| finding.rule.name).collect();
        for (file, _) in project.directives() {
            let request = Request { placeholders: true, ..Request::new(file.id.as_str()) };
            let (Ok(diagnostics) | Err(diagnostics)) =
                assemble::render(&request, &tiers, &protocol).map(|prompt| prompt.diagnostics);
            // Notes are shown with the prompt and need no action.
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
                    "{} renders with {name}, but the check found {said:?} in\n{}",
                    file.id,
                    example.0
                );
            }
        }
    }
}
