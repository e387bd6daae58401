//! The rules read paths as `render` does (Directives, "Paths"): brackets and empty segments are another way to write
//! dots.

use super::all_rules_on;
use crate::diagnostic::Location;
use crate::lint::testing::{Example, tiers};
use crate::lint::{Project, check};
use crate::read::protocol::Protocols;

/// The code and the line of each finding about a project in which a condition, an id and a text use a path.
fn findings(event: &str, path: &str, comparison: &str) -> Vec<(&'static str, String)> {
    let files = format!(
        "=== .ai/config/agent/hooks.yaml
hooks:
  - id: one
    event: {event}
    condition: {{path: '{path}', {comparison}}}
    action: {{primary: execute, kind: knowledge, item_id: 'rules', set_extends: base}}
  - id: two
    event: {event}
    condition: {{all: [{{path: directive, value: deploy}}, {{not: {{path: '{path}', {comparison}}}}}]}}
    action: {{primary: execute, kind: knowledge, item_id: 'x/${{{path}}}', set_extends: base}}
=== .ai/knowledge/rules.md
```yaml
name: rules
```

Rules for ${{{path}}} and ${{model || {path} | json}}.
=== .ai/directives/base.md
```xml
<directive name=\"base\" version=\"1.0.0\"><metadata><description>Base</description></metadata></directive>
```

Base.
=== .ai/directives/deploy.md
```xml
<directive name=\"deploy\" version=\"1.0.0\">
<metadata><description>Deploy</description><category>ops</category>
<hooks><hook id=\"own\" event=\"{event}\"><condition path='{path}' op=\"exists\"/>
<action primary=\"execute\" kind=\"knowledge\" item_id=\"rules\"/></hook></hooks></metadata>
<inputs><input name=\"target\" default=\"eu\">Where to</input></inputs>
</directive>
```

Deploy to {{input:target}}.
"
    );
    let tiers = tiers(Example(files.leak()));
    let (protocol, options) = (Protocols::default().get("rye-4").unwrap(), all_rules_on());
    let found = check(&Project::read(&tiers, &protocol, &options));
    let mut found: Vec<_> = found.iter().map(|it| (it.rule.code, place(&it.at))).collect();
    found.sort();
    found
}

fn place(at: &Location) -> String {
    match at {
        Location::Span(span) => {
            format!("{}:{}", span.source().path(), span.source().position(span.range().start).line)
        }
        Location::File { path, .. } => path.clone(),
    }
}

#[test]
fn brackets_and_empty_segments_change_no_finding() {
    for (written, dotted, comparison) in [
        ("inputs..target", "inputs.target", "value: eu"),
        ("inputs.tagret[0]", "inputs.tagret.0", "op: exists"),
        ("inputs.target[0]", "inputs.target.0", "op: exists"),
        ("limits..trns", "limits.trns", "op: gt, value: 3"),
        ("limits..turns.", "limits.turns", "op: gt, value: a"),
        (".directive", "directive", "value: nowhere"),
        ("directive[0]", "directive.0", "op: exists"),
        ("category..", "category", "value: release"),
        (".has_extends", "has_extends", "value: true"),
        ("model.", "model", "value: 5"),
        ("..directive_body", "directive_body", "op: exists"),
        ("depth[0]", "depth.0", "op: exists"),
        (".depth", "depth", "op: lt, value: a"),
        ("parent_thread_id..", "parent_thread_id", "op: exists"),
        ("nowhere[1]", "nowhere.1", "op: exists"),
    ] {
        for event in ["build_system_prompt", "thread_started", "resolve_extends"] {
            let (found, expected) = (findings(event, written, comparison), findings(event, dotted, comparison));
            assert_eq!(found, expected, "{event} {written}");
        }
    }
}

#[test]
fn other_brackets_are_plain_keys() {
    for written in ["inputs[-1]", "inputs[\"a\"]", "directive[ 0]"] {
        let found = findings("thread_started", written, "op: exists");
        assert!(found.iter().any(|(code, _)| *code == "RR306"), "{written}: {found:?}");
    }
}

#[test]
fn dots_alone_are_the_whole_context() {
    let codes = |path| findings("thread_started", path, "value: x").into_iter().map(|(code, _)| code);
    assert!(codes("...").any(|code| code == "RR312"), "a condition without a path");
    assert!(!codes("...").any(|code| code == "RR306"));
}
