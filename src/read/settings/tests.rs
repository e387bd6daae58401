use std::sync::Arc;

use super::*;
use crate::read::store::{MemoryStore, ReadOptions, Store, Tier};
use crate::read::value::python_repr;

/// Tiers of one file each, in order of precedence within a kind.
pub(crate) fn tiers(files: &[(TierKind, &str, &str)]) -> Tiers {
    let tier = |&(kind, path, text): &(TierKind, &str, &str)| {
        let store: MemoryStore = [(path, text)].into_iter().collect();
        let store: Arc<dyn Store> = Arc::new(store);
        Tier { kind, label: kind.into_str().into(), store, root: None, modules: None }
    };
    Tiers::new(files.iter().map(tier).collect(), ReadOptions::default())
}

impl Settings {
    pub(crate) fn of(files: &[(TierKind, &str)]) -> Self {
        Self::try_of(files).unwrap()
    }

    pub(crate) fn try_of(files: &[(TierKind, &str)]) -> Result<Self, Diagnostic> {
        let files: Vec<_> = files.iter().map(|&(kind, text)| (kind, PATH, text)).collect();
        Self::read(&tiers(&files), None, &mut Vec::new())
    }
}

fn lint(files: &[(TierKind, &str)]) -> String {
    python_repr(&Settings::of(files).part("lint").unwrap().value())
}

const PROJECT: TierKind = TierKind::Project;
const USER: TierKind = TierKind::User;
const SYSTEM: TierKind = TierKind::System;

#[test]
fn maps_are_merged_recursively_and_lists_are_replaced() {
    let files = [
        (PROJECT, "lint: {select: [a], rules: {x: off, y: note}}"),
        (USER, "lint: {select: [b, c], rules: {y: error, z: error}, fail_on: note}"),
        (SYSTEM, "lint: {fail_on: error, options: {prompt_tokens: 1}}"),
        (SYSTEM, "lint: {options: {prompt_tokens: 2}}"),
    ];
    assert_eq!(
        lint(&files),
        "{'options': {'prompt_tokens': 2}, 'fail_on': 'note', 'select': ['a'], \
         'rules': {'z': 'error', 'x': False, 'y': 'note'}}"
    );
}

#[test]
fn null_is_ignored() {
    assert_eq!(lint(&[(PROJECT, "lint:\n  select:\n"), (USER, "lint: {select: [a]}")]), "{'select': ['a']}");
    assert_eq!(lint(&[(PROJECT, "lint:\n"), (USER, "lint: {select: [a]}")]), "{'select': ['a']}");
    assert!(Settings::of(&[(PROJECT, "")]).part("lint").is_none());
}

#[test]
fn every_value_keeps_its_position() {
    let settings = Settings::of(&[(PROJECT, "lint:\n  fail_on: note\n"), (USER, "\n\nlint: {select: [a]}\n")]);
    let lint = settings.part("lint").unwrap();
    let place = |key: &str| {
        let span = lint.get(key).unwrap().span.clone().unwrap();
        (span.source().tier().to_string(), span.line())
    };
    assert_eq!(place("fail_on"), ("project".to_string(), 2));
    assert_eq!(place("select"), ("user".to_string(), 3));
}

#[test]
fn an_unknown_key_is_refused() {
    let refused = Settings::try_of(&[(PROJECT, "# settings\nprotocols: []\nprotocls : []\n")]).unwrap_err();
    assert_eq!(refused.message(), "unknown setting `protocls`; known: protocol, protocols, agents, examples, lint");
    assert_eq!(refused.help().as_deref(), Some("did you mean `protocols`?"));
    let Some(crate::diagnostic::Location::Span(span)) = &refused.at else { panic!("it has a location") };
    assert_eq!((span.line(), span.text()), (3, "protocls"));
    let refused = Settings::try_of(&[(PROJECT, "[1]")]).unwrap_err();
    assert_eq!(refused.message(), "the file is a list, not a map");
    assert_eq!(Settings::try_of(&[(USER, "lint: [")]).unwrap_err().code(), "invalid_yaml");
}

#[test]
fn the_protocol_in_the_settings_is_only_a_default() {
    let settings = Settings::of(&[
        (PROJECT, "protocol: house\n"),
        (USER, "protocol: rye-1\nprotocols: [{name: house, knowledge: file}]\n"),
    ]);
    let mut protocols = Protocols::default();
    settings.define(&mut protocols).unwrap();
    let chosen = |name| settings.choose(name, &protocols, None, &mut Vec::new()).unwrap().name;
    assert_eq!((chosen(None).as_str(), chosen(Some("rye-2")).as_str()), ("house", "rye-2"));

    let unknown =
        Settings::of(&[(PROJECT, "protocol: hous\n")]).choose(None, &protocols, None, &mut Vec::new()).unwrap_err();
    assert_eq!(unknown.help().as_deref(), Some("did you mean `house`?"));
    assert!(unknown.at.is_some());
    let refused =
        Settings::of(&[(PROJECT, "protocol: 3\n")]).choose(None, &protocols, None, &mut Vec::new()).unwrap_err();
    assert_eq!(refused.message(), "`protocol` is a number, not text");
}

#[test]
fn the_former_settings_file_gives_a_warning() {
    let mut warnings = Vec::new();
    let tiers = tiers(&[(PROJECT, FORMER_PATH, "protocols: 3"), (USER, FORMER_PATH, "")]);
    Settings::read(&tiers, None, &mut warnings).unwrap();
    assert_eq!(warnings.iter().map(Diagnostic::code).collect::<Vec<_>>(), ["settings_moved"]);
}

/// Errors in the user-wide settings are reported, even though every tier overrides them.
#[test]
fn every_tier_overrides_the_user_wide_settings() {
    let read = |text: &str| {
        let config = Source::read("".into(), "/config.yaml", text.as_bytes().to_vec()).unwrap();
        let tiers = tiers(&[(SYSTEM, PATH, "lint: {fail_on: error, options: {prompt_tokens: 1}}")]);
        Settings::read(&tiers, Some(config), &mut Vec::new())
    };
    let settings = read("lint: {fail_on: note, select: [a]}\nprotocol: rye-1\n").unwrap();
    let lint = settings.part("lint").unwrap().value();
    assert_eq!(python_repr(&lint), "{'select': ['a'], 'fail_on': 'error', 'options': {'prompt_tokens': 1}}");
    assert_eq!(settings.choose(None, &Protocols::default(), None, &mut Vec::new()).unwrap().name, "rye-1");
    assert_eq!(read("lnt: {}").unwrap_err().code(), "unknown_setting");
}

#[test]
fn shown_settings_match_their_schema() {
    let settings = Settings::of(&[
        (PROJECT, "lint: {rules: {RR001: off}, select: [cost]}\nprotocols: [{name: a}]\n"),
        (USER, "examples: {x: {n: yes}}\n"),
    ]);
    let select =
        TypedSetting { flag: "--select", name: "lint.select", value: "ALL".into(), replaces: &["lint.select"] };
    let all = shown(&settings, vec![select], vec![("protocol".to_string(), "rye-3".into())]).unwrap();
    let names: Vec<&str> = all.iter().map(|shown| shown.name.as_str()).collect();
    assert_eq!(names, ["protocol", "protocols.a", "examples.x", "lint.select", "lint.rules.RR001"]);
    let mut out = Vec::new();
    write_shown_json(&all, &mut out).unwrap();
    let document = crate::answer::schema::tests::assert_valid("lint-settings", &out);
    assert_eq!(document["settings"][4]["value"], "off");
    assert_eq!(document["settings"][2]["value"], "{n: yes}");
    assert_eq!(document["settings"][3]["by"], serde_json::json!({"kind": "flag", "flag": "--select"}));
}
