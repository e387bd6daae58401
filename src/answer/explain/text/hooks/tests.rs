use super::*;
use crate::answer::explain::ExplainFormat;
use crate::decide::condition::{LookupResult, ValueLookup, Work, judge};
use crate::prompt::testing::{deploy, find, source};
use crate::prompt::{ActionResult, DecisionOutcome, Declared};
use crate::read::item::{Hook, HookOrigin, hooks_from_list};
use crate::read::protocol::Protocol;
use crate::read::value::{Value, map};
use crate::read::yaml;
use crate::text::Source;
use crate::text::tokens::Tokenizer;
use crate::write::screen::Screen;
use std::sync::Arc;

/// Knows everything but `inputs.env` and the paths below `cost`.
struct Partly(Value);

impl ValueLookup for Partly {
    fn look_up(&self, path: &str) -> LookupResult<'_> {
        if path == "inputs.env" || path.starts_with("cost") { LookupResult::Unknown } else { self.0.look_up(path) }
    }
}

const HOOKS: &str = "\
- id: route_deploy
  event: resolve_extends
  condition: {path: directive, op: contains, value: deploy}
  action: {set_extends: rye/agent/core/base}
- {id: route_late, event: resolve_extends, condition: {path: category, value: web}, action: {set_extends: base}}
- {id: ctx_environment, event: thread_started, layer: 2, action: {primary: execute, item_type: knowledge, item_id: rye/agent/core/Environment}}
- id: freeze
  event: thread_started
  layer: 2.5
  wrap: false
  condition:
    all:
      - {path: directive, op: contains, value: deploy}
      - any:
          - {path: limits.turns, op: gt, value: 50}
          - {path: inputs.env, op: in, value: [prod, production]}
          - not: {path: model, op: regex, value: '^(opus|sonnet)-[0-9]+(-[a-z]+)*$'}
  action: {primary: fetch, item_type: knowledge, item_id: deploy/freeze}
- id: env_rules
  event: thread_started
  position: after
  condition: {all: [{path: inputs.env, value: prod}, {path: directive_body, op: contains, value: roll out with more care than the last time}]}
  actions:
    - {primary: fetch, item_type: knowledge, item_id: deploy/rules}
- {id: web, event: thread_started, condition: {all: [{path: directive, op: contains, value: web}, {path: model, value: x}]}, action: {primary: fetch, item_type: knowledge, item_id: web}}
- {id: gone, event: thread_started, action: {primary: fetch, item_type: knowledge, item_id: deploy/gone}}
- {id: report, event: after_complete, condition: {path: cost.total, op: gt, value: 1}, action: {primary: execute, item_type: tool, item_id: report/send}}
";

fn explained() -> Prompt {
    let file = source("project", ".ai/config/agent/hooks.yaml", HOOKS);
    let values = [
        ("directive", Value::from("deploy_staging")),
        ("directive_body", Value::from("deploy_staging\nRoll out, and watch the error rate while you do.")),
        ("category", Value::from("")),
        ("model", Value::from("sonnet-4")),
        ("limits", Value::Map(map([("turns", Value::from(10))]))),
        ("inputs", Value::Map(map([]))),
    ];
    let context = Partly(Value::Map(map(values)));
    let mut prompt = deploy();
    prompt.hooks = hooks(&file).into_iter().map(|hook| run(hook, &context, &file)).collect();
    prompt
}

fn hooks(file: &Arc<Source>) -> Vec<Hook> {
    let loaded = yaml::load(&file.whole()).unwrap();
    let protocol = Protocol::builtin("rye-3").unwrap();
    hooks_from_list(&loaded.node, HookOrigin::Project, &protocol, &mut Vec::new()).unwrap()
}

fn run(hook: Hook, context: &Partly, file: &Arc<Source>) -> HookRun {
    let judgement = judge(&hook.condition, context, &Work::default()).0;
    let own = judgement.why();
    let result = |outcome, why: &str| vec![ActionResult { outcome, why: why.to_string() }];
    let declared = |by: &str, at: &str| Some(Declared { by: by.to_string(), span: Some(find(file, at)) });
    let (verdict, why, by, results) = match hook.name() {
        "route_late" => {
            let by = declared("hook route_deploy", "id: route_deploy");
            (HookVerdict::NotReached, "hook route_deploy comes first".to_string(), by, vec![])
        }
        "ctx_environment" => {
            let by = declared("base", "id: ctx_environment");
            (HookVerdict::Suppressed, "base suppresses it".to_string(), by, vec![])
        }
        "freeze" => (HookVerdict::Unknown, format!("{own}; without one its condition is false"), None, vec![]),
        "env_rules" | "web" => (HookVerdict::ConditionFalse, own, None, vec![]),
        "gone" => {
            (HookVerdict::Applies, own, None, result(DecisionOutcome::Missing, "no tier has knowledge deploy/gone"))
        }
        "report" => (HookVerdict::NotFired, "this event adds no message to a prompt".to_string(), None, vec![]),
        _ => (HookVerdict::Applies, own, None, vec![]),
    };
    HookRun { hook, judgement, verdict, why, by, results }
}

fn shown(prompt: &Prompt, width: usize) -> String {
    let view = ExplainView {
        format: ExplainFormat::Text,
        role: None,
        tokenizer: Tokenizer::Chars4,
        window: None,
        screen: Screen::terminal(width),
    };
    let mut out = Vec::new();
    report(prompt, &view, &mut Report::new(view.screen, &mut out));
    String::from_utf8(out).unwrap()
}

#[test]
fn at_80_columns() {
    insta::assert_snapshot!(shown(&explained(), 80), @r##"
deploy_staging  rye-3  8 hooks  2 apply  1 unknown

━━ resolve_extends ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 2 hooks
● route_deploy                                                           applies
    project .ai/config/agent/hooks.yaml:1
    layer 3 (project)
    set the parent to rye/agent/core/base
    directive contains "deploy"  true     directive is "deploy_staging"
○ route_late                                                         not reached
    hook route_deploy comes first, project .ai/config/agent/hooks.yaml:1
    project .ai/config/agent/hooks.yaml:5
    layer 3 (project)
    set the parent to base
    category eq "web"  false    category is ""

━━ thread_started ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 5 hooks
○ ctx_environment                                                     suppressed
    base suppresses it, project .ai/config/agent/hooks.yaml:6
    project .ai/config/agent/hooks.yaml:6
    layer 2 (project), position before
    execute knowledge rye/agent/core/Environment
    no condition
? freeze                                                                 unknown
    inputs.env has no value here; without one its condition is false
    project .ai/config/agent/hooks.yaml:7
    layer 2.5 (project), position before, not wrapped
    fetch knowledge deploy/freeze
    all                            unknown
      directive contains "deploy"  true     directive is "deploy_staging"
      any                          unknown
        limits.turns gt 50         false    limits.turns is 10
        inputs.env in ["prod", "production"]  unknown
            inputs.env has no value here
        not                        false
          model regex "^(opus|sonnet)-[0-9]+(-[a-z]+)*$"  true
              model is "sonnet-4"
○ env_rules                                                      condition false
    project .ai/config/agent/hooks.yaml:19
    layer 3 (project), position after
    fetch knowledge deploy/rules
    all                     false
      inputs.env eq "prod"  unknown  inputs.env has no value here
      directive_body contains "roll out with more care than the last time"
          false: directive_body is "deploy_staging\nRoll out, and watch the
          error rate while yo…
○ web                                                            condition false
    project .ai/config/agent/hooks.yaml:25
    layer 3 (project), position before
    fetch knowledge web
    all                         false
      directive contains "web"  false    directive is "deploy_staging"
      model eq "x"              skipped
● gone                                                                   applies
    project .ai/config/agent/hooks.yaml:26
    layer 3 (project), position before
    fetch knowledge deploy/gone ─ missing: no tier has knowledge deploy/gone
    no condition

━━ after_complete ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1 hook
○ report                                                           does not fire
    this event adds no message to a prompt
    project .ai/config/agent/hooks.yaml:27
    layer 3 (project), position before
    execute tool report/send
    cost.total gt 1  unknown  cost.total has no value here

● applies   ○ does not   ? depends on a value that is not known here
"##);
}

#[test]
fn at_120_columns() {
    insta::assert_snapshot!(shown(&explained(), 120), @r##"
deploy_staging  rye-3  8 hooks  2 apply  1 unknown

━━ resolve_extends ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 2 hooks
● route_deploy                                                                                                   applies
    project .ai/config/agent/hooks.yaml:1
    layer 3 (project)
    set the parent to rye/agent/core/base
    directive contains "deploy"  true     directive is "deploy_staging"
○ route_late                                                                                                 not reached
    hook route_deploy comes first, project .ai/config/agent/hooks.yaml:1
    project .ai/config/agent/hooks.yaml:5
    layer 3 (project)
    set the parent to base
    category eq "web"  false    category is ""

━━ thread_started ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 5 hooks
○ ctx_environment                                                                                             suppressed
    base suppresses it, project .ai/config/agent/hooks.yaml:6
    project .ai/config/agent/hooks.yaml:6
    layer 2 (project), position before
    execute knowledge rye/agent/core/Environment
    no condition
? freeze                                                                                                         unknown
    inputs.env has no value here; without one its condition is false
    project .ai/config/agent/hooks.yaml:7
    layer 2.5 (project), position before, not wrapped
    fetch knowledge deploy/freeze
    all                                                   unknown
      directive contains "deploy"                         true     directive is "deploy_staging"
      any                                                 unknown
        limits.turns gt 50                                false    limits.turns is 10
        inputs.env in ["prod", "production"]              unknown  inputs.env has no value here
        not                                               false
          model regex "^(opus|sonnet)-[0-9]+(-[a-z]+)*$"  true     model is "sonnet-4"
○ env_rules                                                                                              condition false
    project .ai/config/agent/hooks.yaml:19
    layer 3 (project), position after
    fetch knowledge deploy/rules
    all                     false
      inputs.env eq "prod"  unknown  inputs.env has no value here
      directive_body contains "roll out with more care than the last time"  false
          directive_body is "deploy_staging\nRoll out, and watch the error rate while yo…
○ web                                                                                                    condition false
    project .ai/config/agent/hooks.yaml:25
    layer 3 (project), position before
    fetch knowledge web
    all                         false
      directive contains "web"  false    directive is "deploy_staging"
      model eq "x"              skipped
● gone                                                                                                           applies
    project .ai/config/agent/hooks.yaml:26
    layer 3 (project), position before
    fetch knowledge deploy/gone ─ missing: no tier has knowledge deploy/gone
    no condition

━━ after_complete ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1 hook
○ report                                                                                                   does not fire
    this event adds no message to a prompt
    project .ai/config/agent/hooks.yaml:27
    layer 3 (project), position before
    execute tool report/send
    cost.total gt 1  unknown  cost.total has no value here

● applies   ○ does not   ? depends on a value that is not known here
"##);
}

#[test]
fn a_prompt_without_hooks_is_reported() {
    let mut prompt = deploy();
    prompt.hooks.clear();
    assert_eq!(
        shown(&prompt, 80),
        "deploy_staging  rye-3  0 hooks\n\
         No hook is considered: no file declares one, or this mode or protocol has none.\n"
    );
}

#[test]
fn control_characters_in_names_are_escaped() {
    let file = source(
        "project",
        ".ai/config/agent/hooks.yaml",
        "- {id: \"a\\e[31m\\u202e\", event: \"\\e]0;x\\a\", condition: {path: \"\\e[2J\", op: \"\\e\", value: \"\\e\"}, action: {primary: \"\\e\", item_type: \"\\e\", item_id: \"\\e\"}}\n",
    );
    let mut prompt = deploy();
    let context = Partly(Value::Null);
    prompt.hooks = hooks(&file).into_iter().map(|hook| run(hook, &context, &file)).collect();
    let shown = shown(&prompt, 60);
    assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{shown:?}");
}
