//! Tests the rules of assembly on small in-memory projects.

mod hooks;
mod sources;
mod what_if;

use std::sync::Arc;

use super::render;
use crate::decide::request::{GivenInput, Mode, Request, SentMessage, ThreadEvent};
use crate::diagnostic::{Diagnostic, Problem};
use crate::prompt::{DecisionOutcome, Prompt, Role, TranscriptEvent};
use crate::read::protocol::Protocol;
use crate::read::store::{MemoryStore, ReadOptions, Tier, TierKind, Tiers};
use crate::text::InputFrom;

/// Files below `.ai`; a leading `user:` or `system:` names the tier; the default is the project.
fn tiers(files: &[(&str, &str)]) -> Tiers {
    let tier = |kind, label: &str| {
        let mut store = MemoryStore::new();
        for (path, text) in files {
            let (of, path) = path.split_once(':').unwrap_or(("project", path));
            if of == label {
                store.insert(format!(".ai/{path}"), text.as_bytes());
            }
        }
        Tier { kind, label: label.into(), store: Arc::new(store), root: None, modules: None }
    };
    let list = vec![tier(TierKind::Project, "project"), tier(TierKind::User, "user"), tier(TierKind::System, "system")];
    Tiers::new(list, ReadOptions::default())
}

/// A directive whose prompt is the body alone.
fn directive(attributes: &str, metadata: &str, body: &str) -> String {
    format!("```xml\n<directive {attributes}>\n<metadata>{metadata}</metadata>\n</directive>\n```\n{body}\n")
}

fn item(text: &str) -> String {
    format!("```yaml\nname: Item\n```\n{text}\n")
}

fn rendered(files: &[(&str, &str)], change: impl FnOnce(&mut Request)) -> Result<Prompt, Vec<Diagnostic>> {
    let mut request = Request::new("a");
    change(&mut request);
    render(&request, &tiers(files), &Protocol::builtin("rye-3").unwrap())
}

fn prompt(files: &[(&str, &str)]) -> Prompt {
    rendered(files, |_| {}).unwrap()
}

fn text(prompt: &Prompt, role: Role) -> &str {
    prompt.messages.iter().find(|message| message.role == role).map_or("", |message| message.text())
}

fn codes(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    diagnostics.iter().map(Diagnostic::code).collect()
}

fn outcomes(prompt: &Prompt) -> Vec<(&str, DecisionOutcome)> {
    prompt.decisions.iter().map(|decision| (decision.name.as_str(), decision.outcome)).collect()
}

#[test]
fn an_empty_prompt_keeps_its_separators() {
    let a = directive("version=\"1\"", "<context><before>k</before><after>k</after></context>", "");
    let prompt = prompt(&[("directives/a.md", &a), ("knowledge/k.md", &item("K."))]);
    assert_eq!(text(&prompt, Role::User), "K.\n\n\n\nK.");
    assert_eq!(codes(&prompt.diagnostics), ["empty_prompt"]);
}

#[test]
fn a_cycle_names_every_link_with_its_line() {
    let files = [
        ("directives/a.md", directive("extends=\"b\"", "", "")),
        ("directives/b.md", directive("\nextends=\"c\"", "", "")),
        ("user:directives/c.md", directive("extends=\"b\"", "", "")),
    ];
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let errors = rendered(&files, |_| {}).unwrap_err();
    let [Diagnostic { problem: Problem::CircularExtends { chain }, .. }] = errors.as_slice() else {
        panic!("{errors:?}");
    };
    let links: Vec<_> = chain.iter().map(|link| (link.id.as_str(), link.tier.as_str(), link.place.as_str())).collect();
    let expected = [
        ("a", "project", ".ai/directives/a.md:2"),
        ("b", "project", ".ai/directives/b.md:3"),
        ("c", "user", ".ai/directives/c.md:2"),
        ("b", "", ""),
    ];
    assert_eq!(links, expected);
}

#[test]
fn a_parent_that_cannot_be_read_ends_the_chain() {
    let a = directive("extends=\"b\"", "", "Go.");
    let prompt = prompt(&[("directives/a.md", &a), ("directives/b.md", "no block")]);
    assert_eq!(prompt.chain.iter().map(|member| member.id.as_str()).collect::<Vec<_>>(), ["b", "a"]);
    assert_eq!(codes(&prompt.diagnostics), ["parent_unusable"]);
}

#[test]
fn permissions_come_from_the_ancestor_nearest_the_root() {
    let grant = |id: &str| format!("<permissions><execute><tool>{id}</tool></execute></permissions>");
    let files = [
        ("directives/a.md", directive("extends=\"b\"", "", "Go.")),
        ("directives/b.md", directive("extends=\"c\"", &grant("near"), "")),
        ("directives/c.md", directive("version=\"1\"", &grant("far"), "")),
    ];
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let prompt = prompt(&files);
    let [grant] = prompt.permissions.as_slice() else { panic!("{:?}", prompt.permissions) };
    assert_eq!(grant.capability, "rye.execute.tool.far");
    assert!(codes(&prompt.diagnostics).contains(&"permissions_from_root"));
}

#[test]
fn a_suppression_needs_the_whole_id() {
    let context = "<context><suppress>k</suppress><before>x/k</before></context>";
    let a = directive("version=\"1\"", context, "Go.");
    let prompt = prompt(&[("directives/a.md", &a), ("knowledge/x/k.md", &item("K."))]);
    assert_eq!(text(&prompt, Role::User), "K.\n\nGo.");
    assert_eq!(codes(&prompt.diagnostics), ["suppress_base_name"]);
}

#[test]
fn a_hook_with_several_actions_is_suppressed_by_its_own_id_alone() {
    let hooks = "hooks:\n- {id: h, event: thread_started, wrap: false, actions: [\
                 {primary: fetch, item_type: knowledge, item_id: k}, {primary: fetch, item_type: knowledge, item_id: l}]}\n";
    let files = |name: &str| {
        let context = format!("<context><suppress>{name}</suppress></context>");
        let a = directive("version=\"1\"", &context, "Go.");
        let (k, l) = (item("K."), item("L."));
        let files = [
            ("directives/a.md", a.as_str()),
            ("config/agent/hooks.yaml", hooks),
            ("knowledge/k.md", &k),
            ("knowledge/l.md", &l),
        ];
        text(&prompt(&files), Role::User).to_string()
    };
    assert_eq!(files("k"), "K.\n\nL.\n\nGo.");
    assert_eq!(files("h"), "Go.");
}

#[test]
fn blank_content_leaves_an_empty_element_or_a_blank_line() {
    let hook = |wrap: &str| {
        format!(
            "hooks:\n- {{id: h, event: thread_started{wrap}, actions: [{{primary: execute, item_type: knowledge, item_id: k}},\n\
             {{primary: execute, item_type: knowledge, item_id: l}}]}}\n"
        )
    };
    let user = |hooks: &str| {
        let (a, l) = (directive("version=\"1\"", "", "Go."), item("L."));
        let k = "```yaml\nname: K\ncontent: \" \"\n```\nText.\n";
        let files = [
            ("directives/a.md", a.as_str()),
            ("config/agent/hooks.yaml", hooks),
            ("knowledge/k.md", k),
            ("knowledge/l.md", &l),
        ];
        text(&prompt(&files), Role::User).to_string()
    };
    assert_eq!(user(&hook(", wrap: false")), "\n\nL.\n\nGo.");
    let wrapped = "<K id=\"k\" type=\"knowledge\">\n\n</K>\n\n<Item id=\"l\" type=\"knowledge\">\nL.\n</Item>\n\nGo.";
    assert_eq!(user(&hook("")), wrapped);
}

#[test]
fn tools_are_not_run() {
    let hooks = "hooks:\n- {id: h, event: thread_started, action: {primary: execute, item_type: tool, item_id: t}}\n";
    let a = directive("version=\"1\"", "", "Go.");
    let files = [("directives/a.md", a.as_str()), ("config/agent/hooks.yaml", hooks), ("tools/t.py", "raise")];
    let prompt = prompt(&files);
    assert_eq!(text(&prompt, Role::User), "Go.");
    assert!(outcomes(&prompt).contains(&("h", DecisionOutcome::NotRun)));
    assert_eq!(codes(&prompt.diagnostics)[0], "action_not_run");
}

#[test]
fn a_match_without_a_target_ends_the_search_if_the_protocol_says_so() {
    let hooks = "hooks:\n- {id: first, event: resolve_extends}\n\
                 - {id: second, event: resolve_extends, action: {set_extends: b}}\n";
    let (a, b) = (directive("version=\"1\"", "", "Go."), directive("version=\"1\"", "", ""));
    let files = tiers(&[("directives/a.md", &a), ("directives/b.md", &b), ("config/agent/hooks.yaml", hooks)]);
    let mut protocol = Protocol::builtin("rye-3").unwrap();
    let chain = |protocol: &Protocol| render(&Request::new("a"), &files, protocol).unwrap().chain.len();
    assert_eq!(chain(&protocol), 1);
    protocol.routing.as_mut().unwrap().without_target_stops = false;
    assert_eq!(chain(&protocol), 2);
}

#[test]
fn shadowed_copies_are_recorded() {
    let a = directive("version=\"1\"", "<context><before>k</before></context>", "Go.");
    let k = item("K.");
    let prompt = prompt(&[("directives/a.md", &a), ("knowledge/k.md", &k), ("system:knowledge/k.yaml", "body: x\n")]);
    let copy = prompt.decisions.iter().find(|decision| decision.outcome == DecisionOutcome::Shadowed).unwrap();
    assert_eq!((copy.name.as_str(), copy.why.as_str()), ("k", "the project's copy overrides the one in system"));
}

#[test]
fn a_resumed_thread_keeps_its_messages() {
    let hooks = "hooks:\n- {id: h, event: thread_continued, position: after, wrap: false, \
                 action: {primary: fetch, item_type: knowledge, item_id: k}}\n";
    let a = directive("version=\"1\"", "<context><before>k</before></context>", "Go.");
    let k = item("From ${previous_thread_id}.");
    let files = [("directives/a.md", a.as_str()), ("config/agent/hooks.yaml", hooks), ("knowledge/k.md", &k)];
    let sent = |role, text: &str| SentMessage { role, text: text.to_string() };
    let prompt = rendered(&files, |request| {
        request.event = ThreadEvent::Continued;
        request.previous_thread = Some("t-1".to_string());
        request.messages = vec![sent(Role::User, "One."), sent(Role::User, ""), sent(Role::Assistant, "Two.")];
    })
    .unwrap();
    let messages: Vec<_> = prompt.messages.iter().map(|message| (message.role, message.text())).collect();
    assert_eq!(messages, [(Role::User, "One."), (Role::User, "From t-1.\n\n"), (Role::Assistant, "Two.")]);
    assert_eq!(prompt.events, [TranscriptEvent::ContextInjected { before: vec![], after: vec!["h".to_string()] }]);
}

#[test]
fn in_thread_prompts_hold_instruction_and_body() {
    let a = directive("name=\"a\"", "<context><before>k</before></context>", "Go.");
    let in_thread = |files: &[(&str, &str)]| rendered(files, |request| request.mode = Mode::InThread).unwrap();
    let prompt = in_thread(&[("directives/a.md", &a)]);
    assert_eq!(text(&prompt, Role::User), "Carry out the directive below now, step by step.\n\nGo.");
    let instruction = ("knowledge/rye/agent/core/DirectiveInstruction.md", "```yaml\nname: I\n```\nNow:\n");
    assert_eq!(text(&in_thread(&[("directives/a.md", &a), instruction]), Role::User), "Now:\n\nGo.");
    assert_eq!(prompt.events, []);
}

#[test]
fn limits_are_checked_against_the_defaults() {
    let a = directive("version=\"1\"", "<limits turns=\"5\" spend=\"0.5\"/>", "Go.");
    let unchecked = prompt(&[("directives/a.md", &a)]);
    assert_eq!(codes(&unchecked.diagnostics), ["limits_unchecked"]);
    let defaults = ("config/agent/resilience.yaml", "limits: {defaults: {turns: 1, depth: 2}}\n");
    let errors = rendered(&[("directives/a.md", &a), defaults], |_| {}).unwrap_err();
    assert_eq!(codes(&errors), ["unknown_limit"]);
}

#[test]
fn permissions_that_a_parent_removes_still_count_as_declared() {
    let grant = "<permissions><execute><tool>x</tool></execute></permissions>";
    let a = directive("version=\"1\"", grant, "Go.");
    let primary = "description: d\nconfig_schema: {type: object}\n";
    let files =
        [("directives/a.md", a.as_str()), ("tools/rye/execute.yaml", primary), ("tools/rye/fetch.yaml", primary)];
    let prompt = rendered(&files, |request| request.parent_capabilities = vec!["rye.sign.y".to_string()]).unwrap();
    assert_eq!((prompt.capabilities.len(), prompt.tools.len()), (0, 0));
}

#[test]
fn hidden_inputs_stay_hidden_and_change_nothing_else() {
    let hooks = "hooks:\n- {id: h, event: thread_started, wrap: false, condition: {path: inputs.x, op: eq, value: secret},\n  \
                 action: {primary: execute, item_type: knowledge, item_id: \"k/${inputs.x}\"}}\n\
                 - {id: no, event: thread_started, condition: {path: inputs.x, op: eq, value: other}}\n";
    let a = directive("version=\"1\"", "", "Take {input:x}.");
    let k = item("K ${inputs.x}.");
    let files = [("directives/a.md", a.as_str()), ("config/agent/hooks.yaml", hooks), ("knowledge/k/secret.md", &k)];
    let prompt = rendered(&files, |request| {
        request.redact.inputs = true;
        let value = "secret".into();
        request.inputs = vec![GivenInput { name: "x".to_string(), value, from: InputFrom::Flag }];
    })
    .unwrap();
    assert_eq!(text(&prompt, Role::User), "K ‹input:x›.\n\nTake ‹input:x›.");
    assert_eq!(prompt.inputs[0].value, "‹input:x›".into());
    assert!(prompt.decisions.iter().all(|decision| !decision.why.contains("secret")), "{:?}", prompt.decisions);
}

#[test]
fn layer_ids_are_unique() {
    let hook = |id: &str| {
        format!(
            "- {{id: {id}, event: thread_started, wrap: false, action: {{primary: fetch, item_type: knowledge, item_id: k}}}}\n"
        )
    };
    let hooks = format!("hooks:\n{}{}{}", hook("h"), hook("h"), hook("\"h#2\""));
    let a = directive("version=\"1\"", "", "Go.");
    let prompt =
        prompt(&[("directives/a.md", &a), ("config/agent/hooks.yaml", &hooks), ("knowledge/k.md", &item("K."))]);
    let ids: std::collections::HashSet<_> = prompt.layers.iter().map(|layer| &layer.id).collect();
    assert_eq!((ids.len(), prompt.layers.len()), (4, 4));
}

#[test]
fn an_earlier_system_message_emits_no_system_prompt_event() {
    let a = directive("version=\"1\"", "<context><before>k</before></context>", "Go.");
    let sent = |role, text: &str| SentMessage { role, text: text.to_string() };
    let resumed = |messages: Vec<SentMessage>| {
        rendered(&[("directives/a.md", &a), ("knowledge/k.md", &item("K."))], |request| {
            request.event = ThreadEvent::Continued;
            request.messages = messages;
        })
    };
    let prompt = resumed(vec![sent(Role::System, "Be."), sent(Role::User, "Hi.")]).unwrap();
    assert_eq!(prompt.events, [TranscriptEvent::ContextInjected { before: vec![], after: vec![] }]);
    assert_eq!(outcomes(&prompt)[..2], [("k", DecisionOutcome::NotRun), ("a", DecisionOutcome::NotRun)]);
    assert_eq!(codes(&resumed(vec![sent(Role::System, "Be.")]).unwrap_err()), ["invalid_messages"]);
}

#[test]
fn warnings_about_a_parent_are_reported() {
    let a = directive("extends=\"b\"", "", "Go.");
    let b = directive("version=\"1\"", "<context><befor>k</befor></context>", "");
    assert_eq!(
        codes(&prompt(&[("directives/a.md", &a), ("directives/b.md", &b)]).diagnostics),
        ["context_tag_ignored"]
    );
}

#[test]
fn unknown_hook_events_are_reported() {
    let hooks = "hooks:\n- {id: h, event: thread_stated}\n- {id: i, evnt: limit}\n";
    let a = directive("version=\"1\"", "", "Go.");
    let prompt = prompt(&[("directives/a.md", &a), ("config/agent/hooks.yaml", hooks)]);
    assert_eq!(codes(&prompt.diagnostics), ["event_unknown", "event_unknown"]);
    assert_eq!(prompt.diagnostics[0].help().unwrap(), "did you mean `thread_started`?");
}
