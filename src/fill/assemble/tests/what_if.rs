//! What-if flags. Each has the same effect as the same change in a file.

use super::*;
use strum::VariantArray;

use crate::decide::request::{Position, WhatIf};

/// A project that every what-if flag can change; `attributes` and `context` are those of the leaf.
fn project(attributes: &str, context: &str, what_if: WhatIf) -> Result<Prompt, Vec<Diagnostic>> {
    with(attributes, context, |request| request.what_if = what_if)
}

fn with(attributes: &str, context: &str, change: impl FnOnce(&mut Request)) -> Result<Prompt, Vec<Diagnostic>> {
    let context = format!("<context><system>s</system><before>k</before>{context}</context>");
    let a = directive(attributes, &context, "Go.");
    let b = directive("version=\"1\"", "<context><before>l</before><after>k</after></context>", "");
    let c = directive("version=\"1\"", "<context><before>m</before></context>", "");
    let hooks = "hooks:\n\
        - {id: h, event: thread_started, action: {primary: fetch, item_type: knowledge, item_id: l}}\n\
        - {id: i, event: thread_started, position: after, action: {primary: fetch, item_type: knowledge, item_id: m}}\n\
        - {id: j, event: after_step}\n\
        - {id: r, event: resolve_extends, condition: {path: inputs.route, value: c}, action: {set_extends: c}}\n";
    let items = ["k", "l", "m", "s"].map(|id| (format!("knowledge/{id}.md"), item(&id.to_uppercase())));
    let mut files = vec![
        ("directives/a.md", a.as_str()),
        ("directives/b.md", &b),
        ("user:directives/c.md", &c),
        ("config/agent/hooks.yaml", hooks),
    ];
    files.extend(items.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    rendered(&files, change)
}

fn messages(prompt: &Prompt) -> Vec<(Role, &str)> {
    prompt.messages.iter().map(|message| (message.role, message.text())).collect()
}

const EXTENDS_B: &str = "extends=\"b\"";

#[test]
fn each_flag_equals_the_same_change_in_a_file() {
    let id = |id: &str| id.to_string();
    let suppress = |name: &str| WhatIf { suppress: vec![id(name)], ..WhatIf::default() };
    for name in ["h", "i", "k", "l", "m", "s"] {
        let written = project(EXTENDS_B, &format!("<suppress>{name}</suppress>"), WhatIf::default()).unwrap();
        let asked = project(EXTENDS_B, "", suppress(name)).unwrap();
        assert_eq!(messages(&asked), messages(&written), "--suppress {name}");
        assert_eq!(asked.events, written.events, "--suppress {name}");
        assert_ne!(messages(&asked), messages(&project(EXTENDS_B, "", WhatIf::default()).unwrap()), "{name}");
    }
    for parent in ["b", "c"] {
        let written = project(&format!("extends=\"{parent}\""), "", WhatIf::default()).unwrap();
        let what_if = WhatIf { set_extends: Some(id(parent)), ..WhatIf::default() };
        for attributes in ["version=\"1\"", EXTENDS_B] {
            assert_eq!(messages(&project(attributes, "", what_if.clone()).unwrap()), messages(&written), "{parent}");
        }
    }
    for &position in Position::VARIANTS {
        for item in ["k", "l", "s"] {
            let tag = position.into_str();
            let written = project(EXTENDS_B, &format!("<{tag}>{item}</{tag}>"), WhatIf::default()).unwrap();
            let what_if = WhatIf { with_context: vec![(position, id(item))], ..WhatIf::default() };
            let asked = project(EXTENDS_B, "", what_if).unwrap();
            assert_eq!(messages(&asked), messages(&written), "--with-context {tag}={item}");
        }
    }
}

#[test]
fn the_plan_names_the_flag() {
    let what_if = WhatIf {
        suppress: vec!["k".to_string()],
        set_extends: Some("b".to_string()),
        without_hooks: vec!["h".to_string()],
        with_context: vec![(Position::After, "s".to_string())],
        ..WhatIf::default()
    };
    let prompt = project("version=\"1\"", "", what_if).unwrap();
    assert_eq!(prompt.what_if, ["--suppress k", "--set-extends b", "--without-hook h", "--with-context after=s"]);
    let by_flag: Vec<_> = prompt
        .decisions
        .iter()
        .filter_map(|decision| {
            let by = decision.by.as_ref().filter(|by| by.by.starts_with("--"))?;
            Some((decision.name.as_str(), decision.outcome, decision.why.as_str(), by.by.as_str()))
        })
        .collect();
    let expected = [
        ("b", DecisionOutcome::Routed, "sets the parent to b", "--set-extends"),
        ("h", DecisionOutcome::Suppressed, "--without-hook leaves it out", "--without-hook"),
        ("k", DecisionOutcome::Suppressed, "suppressed by --suppress", "--suppress"),
        ("k", DecisionOutcome::Suppressed, "suppressed by --suppress", "--suppress"),
        ("s", DecisionOutcome::Included, "--with-context adds it", "--with-context"),
    ];
    assert_eq!(by_flag, expected);
    let routing = prompt.decisions.iter().find(|decision| decision.name == "r").unwrap();
    assert_eq!((routing.outcome, routing.why.as_str()), (DecisionOutcome::NotRouted, "--set-extends comes first"));
}

#[test]
fn a_hook_that_is_left_out_decides_nothing() {
    let routed = |without: &[&str]| {
        let prompt = with("version=\"1\"", "", |request| {
            request.inputs = vec![GivenInput { name: "route".to_string(), value: "c".into(), from: InputFrom::Flag }];
            request.what_if.without_hooks = without.iter().map(ToString::to_string).collect();
        });
        prompt.unwrap().chain.len()
    };
    assert_eq!((routed(&[]), routed(&["r"])), (2, 1));
}

#[test]
fn an_unknown_name_is_refused() {
    let refused = |what_if: WhatIf| {
        let errors = project(EXTENDS_B, "", what_if).unwrap_err();
        (errors[0].code(), errors[0].message(), errors[0].help().unwrap_or_default())
    };
    let suppress = |name: &str| WhatIf { suppress: vec![name.to_string()], ..WhatIf::default() };
    assert_eq!(
        refused(suppress("knowledge")),
        (
            "invalid_argument",
            "--suppress knowledge: the prompt of a has no such hook or context item".to_string(),
            "leave --suppress out, and `explain` lists them".to_string()
        )
    );
    // Its event does not occur, so there is nothing to suppress.
    assert_eq!(refused(suppress("j")).0, "invalid_argument");
    let without = |name: &str| WhatIf { without_hooks: vec![name.to_string()], ..WhatIf::default() };
    assert_eq!(refused(without("H")).2, "did you mean `h`?");
    assert!(project(EXTENDS_B, "", without("j")).is_ok());
    let context = WhatIf { with_context: vec![(Position::Before, "x/y".to_string())], ..WhatIf::default() };
    assert_eq!(refused(context).1, "--with-context x/y: no tier has a knowledge item with this id");
    let parent = WhatIf { set_extends: Some("x".to_string()), ..WhatIf::default() };
    assert_eq!(refused(parent).0, "parent_not_found");
}

#[test]
fn an_unknown_name_is_ignored_for_many_directives() {
    let many = with(EXTENDS_B, "", |request| {
        request.for_many = true;
        request.what_if.suppress = vec!["nobody".to_string()];
    });
    assert!(many.is_ok());
}

#[test]
fn a_flag_without_effect_is_refused() {
    let what_if = WhatIf { suppress: vec!["h".to_string()], ..WhatIf::default() };
    let in_thread = with(EXTENDS_B, "", |request| {
        request.mode = Mode::InThread;
        request.what_if = what_if.clone();
    });
    assert_eq!(codes(&in_thread.unwrap_err()), ["invalid_argument"]);

    let a = directive("version=\"1\"", "<context><before>k</before></context>", "Go.");
    let files = tiers(&[("directives/a.md", &a), ("knowledge/k.md", &item("K."))]);
    let refused = |protocol: &str, name: &str| {
        let what_if = WhatIf { suppress: vec![name.to_string()], ..WhatIf::default() };
        let request = Request { what_if, ..Request::new("a") };
        render(&request, &files, &Protocol::builtin(protocol).unwrap()).unwrap_err()[0].message()
    };
    let nothing = "--suppress k has no effect: this mode or protocol has neither chain nor hooks";
    assert_eq!(refused("rye-1", "k"), nothing);
    assert_eq!(refused("rye-2", "k"), "--suppress k: rye-2 suppresses only hooks, not items of the chain");
}

#[test]
fn a_resumed_thread_does_not_send_added_items() {
    let prompt = with(EXTENDS_B, "", |request| {
        request.event = ThreadEvent::Continued;
        request.messages = vec![SentMessage { role: Role::User, text: "Hi.".to_string() }];
        request.what_if.with_context = vec![(Position::Before, "s".to_string())];
    })
    .unwrap();
    assert_eq!(text(&prompt, Role::User), "Hi.");
    assert_eq!(outcomes(&prompt).iter().filter(|outcome| **outcome == ("s", DecisionOutcome::NotRun)).count(), 1);
}
