//! The recorded outcome of every hook.

use super::*;
use crate::prompt::{HookRun, HookVerdict};
use crate::read::value::Value;

const HOOKS: &str = "hooks:\n\
    - {id: to_b, event: resolve_extends, condition: {path: category, value: web}, action: {set_extends: b}}\n\
    - {id: to_c, event: resolve_extends, action: {set_extends: b}}\n\
    - {id: late, event: resolve_extends, action: {set_extends: b}}\n\
    - {id: env, event: thread_started, condition: {path: inputs.env, value: prod}}\n\
    - {id: not_env, event: thread_started, condition: {not: {path: inputs.env, value: prod}}, \
       action: {primary: fetch, item_type: knowledge, item_id: gone}}\n\
    - {id: resumed, event: thread_continued, condition: {path: previous_thread_id, op: exists}}\n\
    - {id: step, event: after_step, condition: {path: step, op: gt, value: 3}}\n\
    - {id: never, event: thread_started}\n\
    - {id: deep, event: after_step, condition: {path: directive, value: b}}\n";

fn explained(change: impl FnOnce(&mut Request)) -> Prompt {
    let inputs = "<context><suppress>never</suppress></context></metadata><inputs><input name=\"env\" required=\"true\"/>\
                  </inputs><metadata>";
    let (a, b) = (directive("version=\"1\"", inputs, "Go to {input:env}."), directive("version=\"1\"", "", ""));
    let files = [("directives/a.md", a.as_str()), ("directives/b.md", &b), ("config/agent/hooks.yaml", HOOKS)];
    rendered(&files, |request| {
        request.records_hooks = true;
        request.placeholders = true;
        change(request);
    })
    .unwrap()
}

fn verdicts(prompt: &Prompt) -> Vec<(&str, HookVerdict)> {
    prompt.hooks.iter().map(|run| (run.hook.name(), run.verdict)).collect()
}

fn given(request: &mut Request) {
    request.inputs = vec![GivenInput { name: "env".to_string(), value: "prod".into(), from: InputFrom::Flag }];
}

fn of<'a>(prompt: &'a Prompt, id: &str) -> &'a HookRun {
    prompt.hooks.iter().find(|run| run.hook.name() == id).unwrap()
}

#[test]
fn every_hook_is_recorded_in_evaluation_order() {
    use HookVerdict::*;
    let expected = [
        ("to_b", ConditionFalse),
        ("to_c", Applies),
        ("late", NotReached),
        ("env", Applies),
        ("not_env", ConditionFalse),
        ("never", Suppressed),
        ("resumed", NotFired),
        ("step", NotFired),
        ("deep", NotFired),
    ];
    let prompt = explained(given);
    assert_eq!(verdicts(&prompt), expected);
    assert_eq!(of(&prompt, "to_c").results.iter().map(|it| it.outcome).collect::<Vec<_>>(), [DecisionOutcome::Routed]);
}

#[test]
fn hooks_are_recorded_only_on_request() {
    let prompt = explained(|request| request.records_hooks = false);
    assert_eq!(prompt.hooks.len(), 0);
}

#[test]
fn an_input_without_a_value_is_unknown() {
    let prompt = explained(|_| {});
    let (env, not_env) = (of(&prompt, "env"), of(&prompt, "not_env"));
    assert_eq!((env.verdict, not_env.verdict), (HookVerdict::Unknown, HookVerdict::Unknown));
    assert_eq!(env.why, "inputs.env has no value here; without one its condition is false");
    assert_eq!(not_env.why, "inputs.env has no value here; without one the hook applies");
    // The prompt itself treats it as null, whether or not hooks are recorded.
    assert_eq!(not_env.results.iter().map(|result| result.outcome).collect::<Vec<_>>(), [DecisionOutcome::Missing]);
    assert!(outcomes(&prompt).contains(&("env", DecisionOutcome::ConditionFalse)));
}

#[test]
fn a_body_with_a_missing_input_is_unknown() {
    let judged = |change: fn(&mut Request)| {
        let hooks =
            "hooks:\n- {id: h, event: after_step, condition: {path: directive_body, op: contains, value: prod}}\n";
        let a = directive(
            "version=\"1\"",
            "</metadata><inputs><input name=\"env\" required=\"true\"/></inputs><metadata>",
            "Go to {input:env}.",
        );
        let prompt = rendered(&[("directives/a.md", &a), ("config/agent/hooks.yaml", hooks)], |request| {
            request.records_hooks = true;
            request.placeholders = true;
            change(request);
        })
        .unwrap();
        prompt.hooks[0].judgement.truth.unwrap().into_str()
    };
    assert_eq!((judged(|_| {}), judged(given)), ("unknown", "true"));
}

#[test]
fn an_event_that_does_not_occur_has_only_the_common_values() {
    let prompt = explained(given);
    let truth = |id| of(&prompt, id).judgement.truth.unwrap().into_str();
    assert_eq!((truth("resumed"), truth("step"), truth("deep")), ("unknown", "unknown", "false"));
    let resumed = explained(|request| {
        given(request);
        request.event = ThreadEvent::Continued;
        request.previous_thread = Some("t-1".to_string());
        request.messages = vec![SentMessage { role: Role::User, text: "Hi.".to_string() }];
    });
    assert_eq!(of(&resumed, "resumed").verdict, HookVerdict::Applies);
    assert_eq!(of(&resumed, "env").verdict, HookVerdict::NotFired);
    assert_eq!(of(&resumed, "env").judgement.truth.unwrap().into_str(), "true");
}

#[test]
fn a_protocol_without_routing_ignores_routing_hooks() {
    let a = directive("version=\"1\"", "", "Go.");
    let files = tiers(&[("directives/a.md", &a), ("config/agent/hooks.yaml", HOOKS)]);
    let request = Request { records_hooks: true, ..Request::new("a") };
    let prompt = render(&request, &files, &Protocol::builtin("rye-2").unwrap()).unwrap();
    let late = of(&prompt, "late");
    assert_eq!((late.verdict, late.why.as_str()), (HookVerdict::NotFired, "rye-2 has no routing"));
}

#[test]
fn records_contain_no_hidden_inputs() {
    let prompt = explained(|request| {
        given(request);
        request.inputs[0].value = Value::from("hush");
        request.redact.inputs = true;
    });
    let shown = format!("{:?}", prompt.hooks.iter().map(|run| (&run.judgement, &run.why)).collect::<Vec<_>>());
    assert!(!shown.contains("hush"), "{shown}");
    assert_eq!(of(&prompt, "env").why, "it depends on the value of an input, which is hidden");
}

#[test]
fn an_item_id_without_a_value_asks_for_nothing() {
    let hook =
        "hooks: [{id: h, event: thread_started, action: {primary: execute, kind: knowledge, item_id: '${inputs.no}'}}]";
    let a = directive("name=\"a\"", "", "Go.");
    let files = [("directives/a.md", a.as_str()), ("config/agent/hooks.yaml", hook)];
    let prompt = render(&Request::new("a"), &tiers(&files), &Protocol::builtin("rye-4").unwrap()).unwrap();
    assert!(!codes(&prompt.diagnostics).contains(&"item_missing"), "{:?}", prompt.diagnostics);
    assert_eq!(prompt.decisions.iter().find(|it| it.why.contains("item id")).unwrap().outcome, DecisionOutcome::Empty);
}
