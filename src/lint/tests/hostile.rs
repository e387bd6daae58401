//! Any content of project files leads to findings, never to a panic.

use std::io;
use std::sync::Arc;

use proptest::prelude::*;
use strum::VariantArray;

use crate::lint::check::check;
use crate::lint::rule::RULES;
use crate::lint::testing::{self, Example, examples};
use crate::lint::view::tests::of_one;
use crate::lint::view::{self, LintFormat, LintView, ListedNotes};
use crate::lint::{LintOptions, Project};
use crate::read::bundle;
use crate::read::protocol::{Builtin, Protocols};
use crate::read::store::{EmbeddedStore, MemoryStore, ReadOptions, Tier, TierKind, Tiers};
use crate::write::screen::Screen;

/// Paths for every kind of file.
const PATHS: [&str; 18] = [
    ".ai/directives/deploy.md",
    ".ai/directives/base.md",
    ".ai/knowledge/deploy/rules.md",
    ".ai/knowledge/deploy/rules.yaml",
    ".ai/knowledge/rules.yml",
    ".ai/tools/deploy/run.py",
    ".ai/tools/deploy/run.yaml",
    ".ai/tools/deploy/run.js",
    ".ai/tools/deploy/run.ts",
    ".ai/tools/deploy/run.sh",
    ".ai/config/agent/hooks.yaml",
    ".ai/config/agent/hook_conditions.yaml",
    ".ai/config/agent/resilience.yaml",
    ".ai/config/agent/capability_risk.yaml",
    ".ai/config/agent/agent.yaml",
    ".ai/config/rye-render.yaml",
    ".ai/config/hook_conditions.yaml",
    ".ai/config/keys/trusted/0123456789abcdef.toml",
];

/// Pieces that have a meaning in one of the formats.
const PIECES: [&[u8]; 40] = [
    b"```xml\n",
    b"```yaml\n",
    b"```\n",
    b"````\n",
    b"---\n",
    b"<directive name=\"deploy\" extends=\"base\">",
    b"</directive>",
    b"<metadata>",
    b"</metadata>",
    b"<context><before>deploy/rules</before></context>",
    b"<suppress>rules</suppress>",
    b"<hooks><hook id=\"a\" event=\"thread_started\"><condition path=\"inputs.x\" op=\"regex\" value=\"(a*)*b\"/>",
    b"<action primary=\"fetch\" item_type=\"knowledge\" item_id=\"deploy/${inputs.x}\"/></hook></hooks>",
    b"<raw/>",
    b"<template>",
    b"<permissions>*</permissions>",
    b"<limits turns=\"1.5\"/>",
    b"<inputs><input name=\"x\" default=\"",
    b"\"/></inputs>",
    b"<outputs><output/></outputs>",
    b"<!-- rye:signed:2026-01-01T00:00:00Z:",
    b"{input:x|",
    b"}",
    b"${inputs.x || directive_body}",
    b"{env:HOME:",
    b"hooks:\n  - id: a\n    event: build_system_prompt\n",
    b"    action: {primary: fetch, item_type: knowledge, item_id: rules}\n",
    b"    condition: {any: [{path: \"\", op: in, value: [1]}]}\n",
    b"context_hooks: [{id: 1, layer: .inf}]\n",
    b"&a [*a, *a]",
    b"CONFIG_SCHEMA = {\"type\": \"object\"}\n",
    b"limits: {defaults: {turns: 8}}\n",
    b"lint:\n  options: {prompt_tokens: 1}\n",
    b"\xe2\x80\xae",
    b"\xf3\xa0\x81\x81",
    b"\x1b[2J",
    b"\xff",
    b"\r\n",
    b"AKIA",
    b"-----BEGIN PRIVATE KEY-----\n",
];

fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        3 => prop::sample::select(PIECES.to_vec()).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 0..20),
        1 => "[ -~\n]{0,20}".prop_map(String::into_bytes),
    ]
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(piece(), 0..12).prop_map(|pieces| pieces.concat())
}

/// A change to a file of an example: replaces some bytes at an offset.
#[derive(Debug, Clone)]
struct Splice {
    file: prop::sample::Index,
    at: prop::sample::Index,
    gone: usize,
    new: Vec<u8>,
}

fn splice() -> impl Strategy<Value = Splice> {
    let place = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..40_usize, new());
    place.prop_map(|(file, at, gone, new)| Splice { file, at, gone, new })
}

/// Bytes, or a part of an example.
fn new() -> impl Strategy<Value = Vec<u8>> {
    let part = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..80_usize);
    let part = part.prop_map(|(example, at, length)| {
        let text = example.get(&all_examples()).0.as_bytes();
        let at = at.index(text.len());
        text[at..(at + length).min(text.len())].to_vec()
    });
    prop_oneof![part, bytes()]
}

fn all_examples() -> Vec<Example> {
    RULES.iter().flat_map(|rule| examples(rule).all()).collect()
}

/// Checks files and writes the findings in every format.
fn look(files: Vec<(TierKind, String, Vec<u8>)>, protocol: &str) {
    let mut list = Vec::new();
    for &kind in TierKind::VARIANTS {
        let of_kind = files.iter().filter(|file| file.0 == kind);
        let store: MemoryStore = of_kind.map(|(_, path, bytes)| (path.clone(), bytes.clone())).collect();
        list.push(Tier { kind, label: kind.into_str().into(), store: Arc::new(store), root: None, modules: None });
    }
    let store = Arc::new(EmbeddedStore::new(bundle::files(Builtin::Hooks)));
    list.push(Tier { kind: TierKind::System, label: "builtin".into(), store, root: None, modules: None });
    let tiers = Tiers::new(list, ReadOptions::default()).keeping(None);
    let protocol = Protocols::default().get(protocol).expect("it is built in");
    // Turning on every rule renders prompts that otherwise would not be rendered.
    let levels = RULES.iter().map(|rule| (rule.code, super::Level::Note)).collect();
    let options = LintOptions {
        levels,
        prompt_tokens: 1,
        layer_share: 1,
        layer_share_from: 1,
        volatile_from: 1,
        ..LintOptions::default()
    };
    let project = Project::read(&tiers, &protocol, &options);
    let findings = check(&project);
    let report = of_one(findings);
    for &format in LintFormat::VARIANTS {
        let view = LintView { format, statistics: false, screen: Screen::plain(80), lists: ListedNotes::All };
        view::write(&report, &view, &mut io::sink()).expect("a sink accepts everything");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_in_any_file_cause_a_panic(
        files in prop::collection::vec((prop::sample::select(PATHS.to_vec()), bytes()), 1..6),
        protocol in prop::sample::select(vec!["rye-1", "rye-2", "rye-3"]),
    ) {
        look(files.into_iter().map(|(path, bytes)| (TierKind::Project, path.to_string(), bytes)).collect(), protocol);
    }

    #[test]
    fn no_change_to_an_example_causes_a_panic(
        example in any::<prop::sample::Index>(),
        splices in prop::collection::vec(splice(), 1..4),
        protocol in prop::sample::select(vec!["rye-1", "rye-2", "rye-3"]),
    ) {
        let mut files = testing::files(*example.get(&all_examples()));
        for Splice { file, at, gone, new } in splices {
            let index = file.index(files.len());
            let bytes = &mut files[index].2;
            let at = at.index(bytes.len() + 1);
            bytes.splice(at..(at + gone).min(bytes.len()), new);
        }
        look(files, protocol);
    }
}
