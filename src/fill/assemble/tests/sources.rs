use super::*;
use crate::text::Origin;

const RESILIENCE: &str = "config/agent/resilience.yaml";
const HOOKS: &str = "hooks:\n- {id: h, event: thread_started, condition: {path: limits.spend, op: gt, value: 1}, wrap: false, action: \
                     {primary: fetch, item_type: knowledge, item_id: facts}}\n";

/// A project whose hook prints `text`, with limits in all tiers.
fn facts(text: &str, change: impl FnOnce(&mut Request)) -> Prompt {
    let own = directive(
        "version=\"1\"",
        "<model tier=\"fast\"/><limits turns=\"8\"/><permissions><fetch>*</fetch><sign>*</sign></permissions>",
        "Go to {input:x}.",
    );
    let system = format!("system:{RESILIENCE}");
    let files = [
        ("directives/a.md", own.as_str()),
        ("config/agent/hooks.yaml", HOOKS),
        ("knowledge/facts.md", &item(text)),
        (system.as_str(), "limits:\n  defaults: {turns: 20, spend: 1, depth: 3}\ntool_preload: {max_tokens: 100}\n"),
        (RESILIENCE, "limits:\n  defaults:\n    spend: 2.50\n"),
    ];
    rendered(&files, |request| {
        request.inputs = vec![GivenInput { name: "x".into(), value: "there".into(), from: InputFrom::Flag }];
        change(request);
    })
    .unwrap()
}

fn values(prompt: &Prompt) -> Vec<String> {
    let layer = prompt.layers.iter().position(|layer| layer.name == "h").unwrap();
    let segments = prompt.messages.iter().flat_map(|message| message.segments());
    let of_layer = segments.filter(|segment| segment.layer == Some(layer));
    let value = |segment: crate::prompt::MessageSegment<'_>| match segment.origin {
        Origin::File(_) => None,
        Origin::Variable { source: Some(span), .. } => {
            let (source, line) = (span.source(), span.line());
            Some(format!("{} from {} {}:{line} `{}`", segment.text, source.tier(), source.path(), span.text()))
        }
        origin => Some(format!("{} from {}", segment.text, origin.value_name().unwrap_or_default())),
    };
    of_layer.filter_map(value).collect()
}

#[test]
fn a_value_names_the_file_that_won() {
    let values = |text| values(&facts(text, |_| {}));
    let spend = "2.5 from project .ai/config/agent/resilience.yaml:3 `2.50`";
    assert_eq!(values("a ${limits.spend} ${spend_limit}"), [spend, spend]);
    assert_eq!(values("${max_turns}"), ["8 from project .ai/directives/a.md:3 `8`"]);
    assert_eq!(values("${limits.depth}"), ["3 from system .ai/config/agent/resilience.yaml:2 `3`"]);
    assert_eq!(values("${model}"), ["fast from project .ai/directives/a.md:3 `fast`"]);
    assert_eq!(values("${directive}"), ["a from project .ai/directives/a.md:1 ``"]);
    assert_eq!(values("${depth} ${nothing || parent_thread_id}"), ["0 from ${depth}", "none from ${parent_thread_id}"]);
}

#[test]
fn each_part_of_a_composed_value_names_its_own_file() {
    let values = |text| values(&facts(text, |_| {}));
    assert_eq!(
        values("${limits}"),
        [
            "{'turns': 8 from project .ai/directives/a.md:3 `8`",
            ", 'spend': 2.5 from project .ai/config/agent/resilience.yaml:3 `2.50`",
            ", 'depth': 3 from system .ai/config/agent/resilience.yaml:2 `3`",
            "} from ${limits}",
        ]
    );
    assert_eq!(
        values("${directive_body}"),
        [
            "a from project .ai/directives/a.md:1 ``",
            "\n from ${directive_body}",
            "Go to  from project .ai/directives/a.md:6 `Go to `",
            "there from input x (flag)",
            ". from project .ai/directives/a.md:6 `.`",
        ]
    );
    assert_eq!(
        values("${capabilities_summary}"),
        [
            "rye.fetch.* from project .ai/directives/a.md:3 `*`",
            ",  from ${capabilities_summary}",
            "rye.sign.* from project .ai/directives/a.md:3 `*`",
        ]
    );
}

#[test]
fn defaults_that_a_tier_removes_name_it() {
    let system = format!("system:{RESILIENCE}");
    let own = directive("version=\"1\"", "", "Go.");
    let files = |upper| {
        let prompt = prompt(&[
            ("directives/a.md", own.as_str()),
            ("config/agent/hooks.yaml", &HOOKS.replace("path: limits.spend, op: gt, value: 1", "")),
            ("knowledge/facts.md", &item("${max_turns}")),
            (system.as_str(), "limits: {defaults: {turns: 20}}\n"),
            (RESILIENCE, upper),
        ]);
        values(&prompt)
    };
    assert_eq!(files("limits: off\n"), ["unlimited from project .ai/config/agent/resilience.yaml:1 `off`"]);
    assert_eq!(files("limits:\n  defaults: 5\n"), ["unlimited from project .ai/config/agent/resilience.yaml:2 `5`"]);
    assert_eq!(files("limits: {defaults: {}}\n"), ["20 from system .ai/config/agent/resilience.yaml:1 `20`"]);
}

#[test]
fn a_value_of_the_request_has_no_file() {
    let prompt = facts("${model} ${limits.spend}", |request| {
        request.model = Some("opus".to_string());
        request.limits = vec![("spend".to_string(), 5.into())];
    });
    assert_eq!(values(&prompt), ["opus from ${model}", "5 from ${limits.spend}"]);
}

fn settings(prompt: &Prompt) -> Vec<String> {
    let used = prompt.settings.iter().filter(|setting| setting.is_used);
    used.map(|setting| {
        let values = [&setting.set].into_iter().chain(&setting.overrides);
        let values: Vec<_> = values
            .map(|value| format!("{} by {}", crate::read::value::python_repr(&value.value), value.by.place()))
            .collect();
        format!("{} {}", setting.name, values.join(" over "))
    })
    .collect()
}

#[test]
fn used_settings_tell_what_they_override() {
    let [system, project] = ["system", "project"].map(|tier| format!("{tier} .ai/{RESILIENCE}"));
    let spend = format!("limits.spend 2.5 by {project}:3 over 1 by {system}:2");
    let turns = format!("limits.turns 8 by project .ai/directives/a.md:3 over 20 by {system}:2");
    let enabled = "tool_preload.enabled True by the default of rye-3";
    let budget = format!("tool_preload.max_tokens 100 by {system}:3");
    assert_eq!(settings(&facts("No values.", |_| {})), [spend.as_str(), enabled, &budget]);
    assert_eq!(settings(&facts("${max_turns}", |_| {})), [turns.as_str(), &spend, enabled, &budget]);
    let model = settings(&facts("${model}", |request| request.model = Some("opus".to_string())));
    let by_flag = "model 'opus' by --model over 'fast' by project .ai/directives/a.md:3";
    assert_eq!(model, [spend.as_str(), by_flag, enabled, &budget]);
}

#[test]
fn a_default_of_the_protocol_is_a_setting_if_the_prompt_uses_it() {
    let own = directive("version=\"1\"", "", "Go.");
    let hooks = HOOKS.replace("path: limits.spend, op: gt, value: 1", "");
    let system = format!("system:{RESILIENCE}");
    let of = |text: &str, upper: &str| {
        settings(&prompt(&[
            ("directives/a.md", own.as_str()),
            ("config/agent/hooks.yaml", &hooks),
            ("knowledge/facts.md", &item(text)),
            (system.as_str(), "limits: {defaults: {turns: 20}}\n"),
            (RESILIENCE, upper),
        ]))
    };
    let tools = ["tool_preload.enabled True", "tool_preload.max_tokens 2000"];
    let tools = tools.map(|setting| format!("{setting} by the default of rye-3"));
    assert_eq!(of("${directive}", "limits: off\n"), tools);
    let spend = "limits.spend 'unlimited' by the default of rye-3";
    assert_eq!(of("${spend_limit}", ""), [&[spend.to_string()], &tools[..]].concat());
    let turns = format!("limits.turns 'unlimited' by project .ai/{RESILIENCE}:1 over 20 by system .ai/{RESILIENCE}:1");
    assert_eq!(of("${max_turns}", "limits: off\n"), [&[turns], &tools[..]].concat());
    let model = "model 'general' by the default of rye-3";
    assert_eq!(of("${model}", ""), [&[model.to_string()], &tools[..]].concat());
}

#[test]
fn a_decision_says_which_tier_a_used_setting_overrides() {
    let prompt = facts("${limits}", |_| {});
    let shadowed = prompt.decisions.iter().filter(|decision| decision.outcome == DecisionOutcome::Shadowed);
    let shadowed: Vec<_> = shadowed.map(|it| (it.name.as_str(), it.why.as_str(), it.slot.into_str())).collect();
    // That a directive overrides a default is in its own text.
    let expected = ("limits.spend", "the project's copy overrides the one in system", "user.hooks_before");
    assert_eq!(shadowed, [expected]);
}
