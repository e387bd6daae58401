use std::sync::Arc;

use super::*;
use crate::decide::request::Request;
use crate::fill::assemble::render;
use crate::read::protocol::Protocol;
use crate::read::store::{MemoryStore, ReadOptions, Tier, TierKind, Tiers};
use crate::read::value::to_python_json;
use crate::text::Source;

/// Name, value and place of every declaration of a project's directive `a`.
fn declared(files: &[(&str, &str)]) -> Vec<(String, String, String)> {
    let store: MemoryStore = files.iter().map(|(path, text)| (format!(".ai/{path}"), *text)).collect();
    let tier =
        Tier { kind: TierKind::Project, label: "project".into(), store: Arc::new(store), root: None, modules: None };
    let tiers = Tiers::new(vec![tier], ReadOptions::default());
    let prompt = render(&Request::new("a"), &tiers, &Protocol::builtin("rye-3").unwrap()).unwrap();
    let shown = |it: Metadata| (it.name, to_python_json(&it.value), it.span.text().to_string());
    metadata(&prompt).into_iter().map(shown).collect()
}

fn check(files: &[(&str, &str)], expected: &[(&str, &str, &str)]) {
    let found = declared(files);
    let found: Vec<_> = found.iter().map(|(name, value, at)| (name.as_str(), value.as_str(), at.as_str())).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_directive_declares_whole_elements_and_attributes() {
    check(
        &[(
            "directives/a.md",
            "```xml\n<directive name=\"A\"><metadata><limits turns=\"3\"/><model tier='fast'/>\
             <context><suppress>x</suppress><!-- no --></context></metadata>\
             <inputs><input name=\"i\" default=\"d\"/></inputs></directive>\n```\nGo {input:i}{input:j?}.",
        )],
        &[
            ("directive", "\"<directive name=\\\"A\\\">\"", "<directive name=\"A\">"),
            ("name", "\"A\"", "name=\"A\""),
            ("suppress", "\"x\"", "x"),
            ("comment", "\"<!-- no -->\"", "<!-- no -->"),
            ("model", r#"{"tier": "fast", "id": null, "provider": null}"#, "<model tier='fast'/>"),
            ("limits", r#"{"turns": 3}"#, "<limits turns=\"3\"/>"),
            (
                "input",
                r#"{"name": "i", "type": "string", "required": false, "default": "d", "description": null}"#,
                "<input name=\"i\" default=\"d\"/>",
            ),
            ("placeholder", "\"{input:i}{input:j?}\"", "{input:i}{input:j?}"),
        ],
    );
}

#[test]
fn a_parent_lists_only_what_the_chain_inherits() {
    let names = |files: &[(&str, &str)]| -> Vec<String> { declared(files).into_iter().map(|it| it.0).collect() };
    let parent = "```xml\n<directive><metadata><description>D</description><limits turns=\"3\"/>\
                  <context><suppress>x</suppress></context></metadata></directive>\n```\n";
    let leaf = "```xml\n<directive extends=\"p\"/>\n```\n";
    assert_eq!(
        names(&[("directives/a.md", leaf), ("directives/p.md", parent)]),
        ["directive", "suppress", "directive", "extends"]
    );
}

#[test]
fn the_body_is_listed_if_a_hook_reads_it() {
    let body = |condition: &str| {
        let hooks = format!("hooks: [{{id: h, event: thread_started, condition: {condition}}}]");
        let files =
            [("directives/a.md", "```xml\n<directive/>\n```\nGo."), ("config/agent/hooks.yaml", hooks.as_str())];
        declared(&files).iter().any(|(name, ..)| name == "body")
    };
    for condition in [
        "{path: directive_body, op: exists}",
        "{op: contains, value: x}",
        "{all: [{path: model}, {not: {path: directive_body}}]}",
    ] {
        assert!(body(condition), "{condition}");
    }
    for condition in ["{}", "null", "{path: model}", "{any: [{path: directive}], value: x}", "{any: []}"] {
        assert!(!body(condition), "{condition}");
    }
}

#[test]
fn configuration_includes_the_values_of_aliases() {
    check(
        &[
            ("directives/a.md", "```xml\n<directive/>\n```\nGo."),
            ("config/agent/resilience.yaml", "one: 1\nbase: &b {turns: 2}\nlimits:\n  defaults: *b\n"),
        ],
        &[
            ("directive", "\"<directive/>\"", "<directive/>"),
            ("limits", r#"{"defaults": {"turns": 2}}"#, "limits:\n  defaults: *b"),
            ("base", r#"{"turns": 2}"#, "base: &b {turns: 2}"),
        ],
    );
}

#[test]
fn items_and_tools_declare_more_than_their_text() {
    let leaf = "```xml\n<directive><metadata><permissions><execute><tool>t</tool></execute></permissions><context>\
                <before>k</before><after>y</after></context></metadata></directive>\n```\n";
    let found = declared(&[
        ("directives/a.md", leaf),
        ("knowledge/k.md", "K\n```yaml\nname: N\n```\nText."),
        ("knowledge/y.yaml", "name: Y\nbody: |\n  Text.\n"),
        ("tools/t.yaml", "description: D\nparameters: [{name: a}]\n"),
    ]);
    let places: Vec<_> = found.iter().map(|(name, _, at)| (name.as_str(), at.as_str())).collect();
    assert_eq!(
        places[4..],
        [
            ("yaml block", "```yaml\nname: N\n```\n"),
            ("name", "name: Y"),
            ("body", "body: |\n  Text.\n"),
            ("schema", "parameters: [{name: a}]"),
            ("description", "description: D"),
        ]
    );
}

#[test]
fn a_declaration_that_must_begin_a_line_names_the_line_break() {
    let source = Source::read("project".into(), "x.yaml", b"a: 1\n  b: 2; c".to_vec()).unwrap();
    let before = |at: usize| Metadata::line("x", "", &source.span(at..at + 1)).line_break.map(|span| span.range());
    assert_eq!([before(0), before(3), before(7), before(13)], [None, Some(2..3), Some(4..7), Some(11..13)]);
}
