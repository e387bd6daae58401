pub mod schema;

use crate::diagnostic::{Diagnostic, Location};
use crate::lint::rule::{Group, RULES, find};
use crate::read::settings::{LINT_KEYS, Settings};
use crate::read::store::TierKind;

use super::documented::DOCUMENTED;
use super::read::LevelSettings;
use super::{OptionField, *};

const FILE: &str = ".ai/directives/web/x.md";

fn options(project: &str, select: &[&str], ignore: &[&str]) -> LintOptions {
    try_options(project, select, ignore).unwrap()
}

fn try_options(project: &str, select: &[&str], ignore: &[&str]) -> Result<LintOptions, Diagnostic> {
    let [select, ignore] = [select, ignore].map(|words| words.iter().map(ToString::to_string).collect::<Vec<_>>());
    let settings = Settings::try_of(&[(TierKind::Project, project)])?;
    LintOptions::new(&settings, &LintFlags { select: &select, ignore: &ignore, ..LintFlags::default() })
}

/// The level of `no_xml_block`, which is an error by default.
fn level(options: &LintOptions) -> Level {
    options.level(find("RR001").unwrap(), FILE)
}

#[test]
fn a_selector_is_a_code_prefix_name_group_or_all() {
    let rule = find("RR001").unwrap();
    let other = find("RR105").unwrap();
    for (word, says) in [
        ("ALL", 0),
        ("RR", 2),
        ("RR0", 3),
        ("structure", 3),
        ("RR00", 4),
        ("RR001", usize::MAX),
        ("no_xml_block", usize::MAX),
    ] {
        let selector = Selector::parse(word).unwrap();
        assert_eq!((selector.names(rule), selector.specificity()), (true, says), "{word}");
        assert_eq!(selector.names(other), says < 3, "{word}");
    }
    assert_eq!(Selector::parse("RR0011").unwrap_err().as_deref(), Some("RR001"));
    assert_eq!(Selector::parse("structrue").unwrap_err().as_deref(), Some("structure"));
    assert!(Selector::parse("").is_err() && Selector::parse("R").is_err() && Selector::parse("RRé").is_err());
}

#[test]
fn the_most_specific_entry_decides_a_level() {
    for (rules, expected) in [
        ("{ALL: note}", Level::Note),
        ("{ALL: note, structure: warning}", Level::Warning),
        ("{structure: warning, ALL: note}", Level::Warning),
        ("{no_xml_block: note, RR00: off}", Level::Note),
        ("{RR001: note, no_xml_block: warning}", Level::Warning),
        ("{references: off}", Level::Error),
        ("{RR001: off}", Level::Off),
        ("{RR001: 'off'}", Level::Off),
    ] {
        assert_eq!(level(&options(&format!("lint: {{rules: {rules}}}"), &[], &[])), expected, "{rules}");
    }
}

#[test]
fn the_more_specific_of_select_and_ignore_wins() {
    for (lint, is_on) in [
        ("select: [structure]", true),
        ("select: [references]", false),
        ("select: [structure], ignore: [RR001]", false),
        ("select: [RR001], ignore: [structure]", true),
        ("select: [RR001], ignore: [no_xml_block]", false),
        ("ignore: [ALL]", false),
        ("ignore: [references]", true),
        ("select: structure", true),
        ("select: []", false),
    ] {
        assert_eq!(level(&options(&format!("lint: {{{lint}}}"), &[], &[])) == Level::Error, is_on, "{lint}");
    }
}

#[test]
fn a_flag_overrides_the_settings() {
    let settings = "lint: {select: [references], ignore: [RR001], rules: {RR001: off}}";
    assert_eq!(level(&options(settings, &[], &[])), Level::Off);
    // Selecting a group does not turn on rules that are off.
    assert_eq!(level(&options(settings, &["structure"], &[])), Level::Off);
    assert_eq!(level(&options(settings, &["RR0"], &[])), Level::Off);
    assert_eq!(level(&options("lint: {select: [references]}", &["structure"], &[])), Level::Error);
    assert_eq!(level(&options("lint: {select: [references]}", &["structure"], &["RR001"])), Level::Off);
    for named in ["RR001", "no_xml_block", "ALL"] {
        assert_eq!(level(&options(settings, &[named], &[])), Level::Error);
    }
    assert_eq!(level(&options(settings, &["RR001"], &["ALL"])), Level::Error);
    assert_eq!(level(&options("lint: {select: [RR001]}", &[], &["structure"])), Level::Off);
    assert_eq!(level(&options("lint: {rules: {RR001: note}}", &["RR001"], &[])), Level::Note);
    // A rule that is not selected is off.
    let selected = options("{}", &["references"], &[]);
    assert!(
        RULES
            .iter()
            .all(|rule| selected.is_on_anywhere(rule) == (rule.group == Group::References && rule.level != Level::Off)
                || rule.level == Level::Off)
    );
}

#[test]
fn selecting_a_rule_that_is_off_makes_it_a_warning() {
    let silent = Rule { level: Level::Off, ..find("RR001").unwrap().clone() };
    let level = |said: LevelSettings| said.level(&silent);
    let select = |word| vec![Selector::parse(word).unwrap()];
    assert_eq!(level(LevelSettings::default()), Level::Off);
    assert_eq!(level(LevelSettings { select: Some(select("RR001")), ..Default::default() }), Level::Warning);
    for (word, expected) in [("ALL", Level::Warning), ("structure", Level::Off), ("RR00", Level::Off)] {
        assert_eq!(level(LevelSettings { select_flag: select(word), ..Default::default() }), expected, "{word}");
        assert_eq!(level(LevelSettings { select: Some(select(word)), ..Default::default() }), expected, "{word}");
    }
    let off = vec![(select("RR001")[0], Level::Off)];
    assert_eq!(level(LevelSettings { select: Some(select("ALL")), rules: off, ..Default::default() }), Level::Off);
    let note = vec![(select("RR001")[0], Level::Note)];
    assert_eq!(level(LevelSettings { select: Some(select("ALL")), rules: note, ..Default::default() }), Level::Note);
}

#[test]
fn levels_can_differ_by_path() {
    let of = |paths: &str, file: &str| {
        let options = options(&format!("lint: {{rules: {{RR001: warning}}, paths: {paths}}}"), &[], &[]);
        options.level(find("RR001").unwrap(), file)
    };
    let web = |rest: &str| format!("[{{files: [web/], {rest}}}]");
    assert_eq!(of(&web("ignore: [structure]"), FILE), Level::Off);
    assert_eq!(of(&web("ignore: [structure]"), ".ai/directives/x.md"), Level::Warning);
    assert_eq!(of(&web("rules: {RR001: note}"), FILE), Level::Note);
    assert_eq!(of(&web("ignore: [structure], rules: {RR001: note}"), FILE), Level::Note);
    assert_eq!(of(&web("ignore: [RR001], rules: {structure: note}"), FILE), Level::Off);
    assert_eq!(of(&web("ignore: [references]"), FILE), Level::Warning);
    let both = "[{files: ['*.md'], ignore: [ALL]}, {files: ['.ai/directives/web/**'], rules: {RR001: error}}]";
    assert_eq!((of(both, FILE), of(both, ".ai/directives/y.md")), (Level::Error, Level::Off));

    let on = options("lint: {rules: {RR001: off}, paths: [{files: [web/], rules: {RR001: note}}]}", &[], &[]);
    assert!(on.is_on_anywhere(find("RR001").unwrap()));
    let unselected = options("lint: {paths: [{files: [web/], rules: {RR001: note}}]}", &["references"], &[]);
    assert!(!unselected.is_on_anywhere(find("RR001").unwrap()) && level(&unselected) == Level::Off);
}

#[test]
fn a_project_can_raise_but_not_lower_trust_levels() {
    let rule = find("RR603").unwrap();
    let both = |user: &str, project: &str, select: &[&str], ignore: &[&str]| {
        let [select, ignore] = [select, ignore].map(|words| words.iter().map(ToString::to_string).collect::<Vec<_>>());
        let [user, project] = [user, project].map(|lint| format!("lint: {{{lint}}}"));
        let settings = Settings::of(&[(TierKind::User, &user), (TierKind::Project, &project)]);
        let options =
            LintOptions::new(&settings, &LintFlags { select: &select, ignore: &ignore, ..LintFlags::default() })
                .unwrap();
        assert_eq!(options.is_on_anywhere(rule), options.level(rule, FILE) != Level::Off, "{user} {project}");
        options.level(rule, FILE)
    };
    let of = |user: &str, project: &str| both(user, project, &[], &[]);
    for weakening in [
        "ignore: [trust]",
        "rules: {trust: 'off'}",
        "rules: {RR603: note}",
        "select: [structure]",
        "paths: [{files: [web/], ignore: [trust]}]",
        "paths: [{files: [web/], rules: {RR603: note}}]",
    ] {
        assert_eq!(
            of("rules: {trust: warning}", weakening).max(Level::Warning),
            of("rules: {trust: warning}", weakening)
        );
        assert_eq!(of("select: [trust]", weakening), Level::Error, "{weakening}");
        assert_eq!(of("paths: [{files: [web/], rules: {trust: error}}]", weakening), Level::Error, "{weakening}");
    }
    assert_eq!(of("rules: {trust: note}", "rules: {RR603: error}"), Level::Error);
    assert_eq!(of("rules: {trust: note}", "paths: [{files: [web/], rules: {RR603: warning}}]"), Level::Warning);
    // If no other tier sets the level, the project may; other groups are always up to the project.
    assert_eq!(of("rules: {structure: error}", "ignore: [trust]"), Level::Off);
    let settings =
        [(TierKind::User, "lint: {rules: {structure: error}}"), (TierKind::Project, "lint: {ignore: [ALL]}")];
    assert_eq!(level(&LintOptions::new(&Settings::of(&settings), &LintFlags::default()).unwrap()), Level::Off);
    // Flags come from the user, so they may lower the level.
    assert_eq!(both("rules: {trust: error}", "", &[], &["trust"]), Level::Off);
    assert_eq!(both("rules: {trust: error}", "", &["structure"], &[]), Level::Off);
    assert_eq!(both("rules: {trust: error}", "ignore: [trust]", &["trust"], &[]), Level::Error);
}

#[test]
fn the_budget_of_an_id_overrides_a_pattern() {
    let options =
        options("lint: {options: {prompt_tokens: 9}, budgets: {web/x: 1, 'web/*': 2, 'web/y*': 3}}", &[], &[]);
    assert_eq!(["web/x", "web/z", "web/yy", "web", "a"].map(|id| options.most_tokens(id)), [1, 2, 3, 9, 9]);
}

#[test]
fn every_option_of_the_table_can_be_set() {
    let mut names: Vec<&str> = DOCUMENTED.iter().map(|row| row.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), DOCUMENTED.len());
    for row in DOCUMENTED {
        let value = if matches!(row.field(), OptionField::Tokenizer(_)) { "o200k" } else { "7" };
        let mut set = options(&format!("lint: {{options: {{{}: {value}}}}}", row.name), &[], &[]);
        let written = match row.field() {
            OptionField::Count(field) | OptionField::Percent(field) => field(&mut set).to_string(),
            OptionField::Tokenizer(field) => field(&mut set).to_string(),
        };
        assert_eq!(written, value, "{}", row.name);
        assert_ne!(row.default(), value);
    }
}

#[test]
fn an_invalid_setting_is_an_error_with_its_place() {
    for (lint, message, shown) in [
        ("[1]", "`lint` is a list, not a map", "[1]"),
        (
            "{selct: []}",
            "unknown setting `selct`; known: select, ignore, fail_on, exclude, rules, options, paths, budgets",
            "selct",
        ),
        ("{select: [RR0011]}", "unknown rule or group `RR0011`", "RR0011"),
        ("{select: 3}", "`select` is a number, not a list", "3"),
        ("{ignore: [[x]]}", "an entry of `ignore` is a list, not text", "[x]"),
        ("{rules: {RR0011: off}}", "unknown rule or group `RR0011`", "RR0011"),
        ("{rules: {RR001: loud}}", "the level of `RR001` is `loud`; use one of: off, note, warning, error", "loud"),
        ("{rules: {RR001: 3}}", "the level of `RR001` is a number, not text", "3"),
        ("{rules: {1: off}}", "a key of `rules` is not text: put it in quotes", "off"),
        ("{fail_on: never}", "`fail_on` is `never`; use one of: off, note, warning, error", "never"),
        ("{exclude: ['a[']}", "`a[` is not a valid pattern: unclosed character class; missing ']'", "'a['"),
        ("{options: {prompt_token: 3}}", "unknown setting `prompt_token`; known: ", "prompt_token"),
        ("{options: {prompt_tokens: many}}", "`prompt_tokens` is text, not a whole number", "many"),
        ("{options: {prompt_tokens: 0}}", "`prompt_tokens` must be 1 or more", "0"),
        ("{options: {layer_share: 101}}", "`layer_share` must be between 1 and 100", "101"),
        ("{options: {tokenizer: o200}}", "`tokenizer` is `o200`; use one of: chars4, o200k, cl100k", "o200"),
        ("{paths: {files: x}}", "`paths` is not a list of maps", "{files: x}"),
        ("{paths: [{ignore: [ALL]}]}", "an entry of `paths` has no `files`", "{ignore: [ALL]}"),
        ("{paths: [{files: [x], rule: {}}]}", "unknown setting `rule`; known: files, ignore, rules", "rule"),
        ("{paths: [{files: ['[']}]}", "`[` is not a valid pattern: unclosed character class; missing ']'", "'['"),
        ("{budgets: {x: -1}}", "the budget of `x` must be 1 or more", "-1"),
        ("{budgets: [1]}", "`budgets` is a list, not a map", "[1]"),
    ] {
        let error = try_options(&format!("lint: {lint}"), &[], &[]).expect_err(lint);
        let Some(Location::Span(span)) = &error.at else { panic!("{lint}: {error:?}") };
        assert!(error.message().starts_with(message), "{lint}: {}", error.message());
        assert_eq!(span.text(), shown, "{lint}");
    }
    // A comment may contain the key too.
    let error = try_options("lint:\n  rulez:\n    # rulez of us\n    RR105: off\n", &[], &[]).unwrap_err();
    let Some(Location::Span(span)) = &error.at else { panic!("{error:?}") };
    assert_eq!((span.text(), span.line()), ("rulez", 2));
    let help = try_options("lint: {rules: {structrue: off}}", &[], &[]).unwrap_err().help();
    assert_eq!(help.as_deref(), Some("did you mean `structure`? `rye-render lint --explain ALL` lists the rules"));
    for flag in [try_options("", &["nothing"], &[]), try_options("", &[], &["RR0011"])] {
        assert_eq!(flag.unwrap_err().code(), "invalid_argument");
    }
    assert!(try_options("lint: {select:, rules:, options:, paths:, fail_on:, budgets:, exclude:}", &[], &[]).is_ok());
}

#[test]
fn every_documented_key_is_read() {
    for key in LINT_KEYS {
        // A number is invalid for every key, but the message depends on the key.
        let refused = try_options(&format!("lint: {{{key}: 7}}"), &[], &[]).map(drop).unwrap_err();
        assert!(refused.message().contains(&format!("`{key}`")), "{}", refused.message());
        assert_eq!(refused.code(), "invalid_setting", "{key}");
        assert!(try_options(&format!("lint: {{{key}: }}"), &[], &[]).is_ok(), "{key}");
    }
    assert_eq!(try_options("lint: {levels: }", &[], &[]).map(drop).unwrap_err().code(), "unknown_setting");
}
