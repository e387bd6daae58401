//! The findings of the hook rules and their places. Every expected value follows from Directives, "Configuration and
//! hooks" and "Hook context".

use crate::diagnostic::Location;
use crate::lint::LintOptions;
use crate::lint::finding::Finding;
use crate::lint::testing::Example;
use crate::lint::testing::found;

const RULES: &str = "=== .ai/knowledge/rules.md\n```yaml\nname: rules\n```\n\nRules.\n";
const ACTION: &str = "    action: {primary: fetch, item_type: knowledge, item_id: rules}\n";

fn findings(code: &str, files: String) -> Vec<Finding> {
    let mut all = found(Example(files.leak()), &LintOptions::default());
    all.retain(|finding| finding.rule.code == code);
    all
}

/// The text that each finding points at, and its message.
fn messages_of(code: &str, files: String) -> Vec<(String, String)> {
    let text = |finding: &Finding| match &finding.at {
        Location::Span(span) => span.text().to_string(),
        Location::File { path, .. } => path.clone(),
    };
    findings(code, files).iter().map(|finding| (text(finding), finding.message.clone())).collect()
}

fn places(code: &str, files: String) -> Vec<String> {
    messages_of(code, files).into_iter().map(|(text, _)| text).collect()
}

fn directive(id: &str, metadata: &str) -> String {
    let name = id.rsplit('/').next().unwrap_or(id);
    format!(
        "=== .ai/directives/{id}.md\n```xml\n<directive name=\"{name}\" version=\"1.0.0\">\n<metadata>\
         <description>D</description>{metadata}</metadata>\n</directive>\n```\n\nDo it.\n"
    )
}

/// A project with one hook; `lines` follow its id.
fn hook(event: &str, lines: &str) -> String {
    let file = ".ai/config/agent/hooks.yaml";
    format!("=== {file}\nhooks:\n  - id: one\n    event: {event}\n{lines}{ACTION}{RULES}{}", directive("deploy", ""))
}

fn condition(event: &str, condition: &str) -> String {
    hook(event, &format!("    condition: {condition}\n"))
}

#[test]
fn a_finding_points_at_the_part_that_is_wrong() {
    let nested = "{any: [{path: model, value: a}, {not: {path: directive, op: like, value: b}}, {op: near}]}";
    assert_eq!(places("RR302", condition("thread_started", nested)), ["like", "near"]);
    let patterns = "{all: [{path: model, op: regex, value: '('}, {path: model, op: regex, value: '['}]}";
    assert_eq!(places("RR305", condition("thread_started", patterns)), ["'('", "'['"]);
    assert_eq!(places("RR312", condition("thread_started", "{any: [x, {all: y}]}")), ["x", "{all: y}"]);
    let beside = "{path: model, value: a, all: [{path: model, value: b}], not: {path: model, value: c}}";
    assert_eq!(places("RR312", condition("thread_started", beside)), ["model", "{path: model, value: c}"]);
    assert_eq!(places("RR314", condition("thread_started", "{path: model, op: in, value: fast}")), ["fast"]);
    let own = "<hooks><hook id=\"h\" event=\"thread_started\"><condition path=\"model\" op=\"like\"/>\
               <action primary=\"fetch\" item_type=\"knowledge\" item_id=\"rules\"/></hook></hooks>";
    assert_eq!(places("RR302", format!("{}{RULES}", directive("deploy", own))), ["like"]);
}

#[test]
fn each_event_has_its_own_paths() {
    let message = |event, path: &str| {
        let all = messages_of("RR306", condition(event, &format!("{{path: {path}, value: x}}")));
        all.into_iter().map(|(_, message)| message).next()
    };
    let says =
        |event, path, why: &str| assert_eq!(message(event, path).unwrap(), format!("`{path}` is always null: {why}"));
    says("thread_started", "directive.name", "`directive` is text, which has no parts");
    says("thread_started", "limits.turn", "there is no limit `turn`");
    says("build_system_prompt", "depth", "the context of build_system_prompt has no `depth`");
    says("thread_started", "previous_thread_id", "the context of thread_started has no `previous_thread_id`");
    says("resolve_extends", "limits.turns", "the context of resolve_extends has no `limits`");
    for (event, path) in [
        ("thread_started", "limits.turns"),
        ("thread_started", "inputs.anything.at.all"),
        ("thread_continued", "previous_thread_id"),
        ("resolve_extends", "has_extends"),
        // The released package holds the attributes of the model there.
        ("resolve_extends", "model.tier"),
        ("after_step", "cost.turns"),
        ("error", "classification.category"),
    ] {
        assert_eq!(message(event, path), None, "{event} {path}");
    }
    let near = &findings("RR306", condition("thread_started", "{path: directve, value: x}"))[0];
    assert_eq!(near.help, "did you mean `directive`?");
}

#[test]
fn a_hook_of_a_directive_sees_only_its_inputs() {
    let own = |path: &str| {
        let files = directive(
            "deploy",
            &format!(
                "<hooks><hook id=\"h\" event=\"thread_started\"><condition path=\"{path}\" value=\"x\"/>\
                 <action primary=\"fetch\" item_type=\"knowledge\" item_id=\"rules\"/></hook></hooks>"
            ),
        );
        files.replace("\n</directive>", "<inputs><input name=\"target\"/></inputs>\n</directive>") + RULES
    };
    assert_eq!(places("RR306", own("inputs.tagret")), ["inputs.tagret"]);
    assert_eq!(places("RR306", own("inputs.target")), [""; 0]);
}

#[test]
fn placeholders_that_print_nothing_are_found_in_ids_and_texts() {
    let id = hook("thread_started", "").replace("item_id: rules", "item_id: 'r/${category}/${inputs.x || model}'");
    assert_eq!(
        messages_of("RR306", id)[0].1,
        "`${category}` in an item id prints nothing: the context of thread_started has no `category`"
    );
    let text = |events: [&str; 2]| {
        let entry = |event: &str| format!("  - id: {event}\n    event: {event}\n{ACTION}");
        let hooks = format!("=== .ai/config/agent/hooks.yaml\nhooks:\n{}{}", entry(events[0]), entry(events[1]));
        hooks + &RULES.replace("Rules.", "${depth} $HOME ${} ${previous_thread_id || depth}")
    };
    assert_eq!(places("RR306", text(["thread_started", "thread_continued"])), [""; 0]);
    let both = ["${depth}", "${previous_thread_id || depth}"];
    assert_eq!(places("RR306", text(["build_system_prompt", "build_system_prompt"])), both);
    assert_eq!(places("RR306", text(["thread_continued", "build_system_prompt"])), ["${depth}"]);
}

#[test]
fn a_routing_hook_is_hidden_by_one_that_holds_whenever_it_does() {
    let hidden = |first: &str, second: &str| {
        let entry =
            |id, rest: &str| format!("  - {{id: {id}, event: resolve_extends, action: {{set_extends: base}}{rest}}}\n");
        let hooks = entry("first", first) + &entry("second", second);
        let files = format!("=== .ai/config/agent/hooks.yaml\nhooks:\n{hooks}{}", directive("base", ""));
        places("RR308", files)
    };
    let when = |condition: &str| format!(", condition: {condition}");
    let contains = |word: &str| when(&format!("{{path: directive, op: contains, value: {word}}}"));
    let none = [""; 0];
    assert_eq!(hidden("", &contains("a")), ["second"]);
    assert_eq!(hidden(&contains("a"), ""), none);
    assert_eq!(hidden(&contains("a"), &contains("a")), ["second"]);
    assert_eq!(hidden(&contains("ba"), &contains("base")), ["second"]);
    assert_eq!(hidden(&contains("base"), &contains("ba")), none);
    assert_eq!(hidden(&contains("ba"), &when("{path: directive, op: in, value: [base, bar]}")), ["second"]);
    assert_eq!(hidden(&contains("ba"), &when("{path: directive, op: in, value: [base, other]}")), none);
    let all = "{all: [{path: model, value: fast}, {path: directive, op: contains, value: base}]}";
    assert_eq!(hidden(&contains("ba"), &when(all)), ["second"]);
    assert_eq!(hidden(&when(all), &contains("base")), none);
    let any = "{any: [{path: model, value: fast}, {path: directive, op: contains, value: ba}]}";
    assert_eq!(hidden(&when(any), &contains("base")), ["second"]);
    assert_eq!(hidden(&contains("ba"), &when(any)), none);
    assert_eq!(hidden(&when("{not: {path: model, value: fast}}"), &when("{path: model, value: slow}")), none);
    // The second hook is evaluated first.
    assert_eq!(hidden("", &format!(", layer: 0{}", contains("base"))), none);
    assert_eq!(hidden(&contains("base"), ", layer: 0"), ["first"]);
}

#[test]
fn a_condition_is_evaluated_for_every_directive() {
    let never = |written: &str| !messages_of("RR311", condition("thread_started", written)).is_empty();
    assert!(never("{path: directive, value: release}"));
    assert!(never("{path: directive, op: regex, value: ^release}"));
    assert!(!never("{path: directive, op: regex, value: y$}"));
    // The embedded bundle has this directive.
    assert!(!never("{path: directive, op: contains, value: agent/core/base}"));
    // The value is only known in a thread.
    assert!(!never("{path: model, value: fast}"));
    assert!(!never("{any: [{path: directive, value: release}, {path: inputs.x, op: exists}]}"));
    assert!(!never("{not: {path: directive, value: release}}"));
    // False in every context.
    assert!(never("{any: []}"));
    assert!(never("{path: model, op: in, value: []}"));
    assert!(never("{all: [{path: model, value: fast}, {path: model, value: slow}]}"));
    assert!(never("{all: [{path: model, op: in, value: [a, b]}, {path: model, op: contains, value: c}]}"));
    assert!(!never("{all: [{path: model, op: in, value: [a, b]}, {path: model, op: contains, value: b}]}"));
    // Other rules report these mistakes.
    assert!(!never("{path: directive, op: like, value: deploy}"));
    assert!(!never("{path: category, value: release}"));
    assert!(!never("{path: directive, op: contains, value: 7}"));
    // The context of a running thread is unknown.
    assert!(messages_of("RR311", condition("after_step", "{path: directive, value: release}")).is_empty());
}

#[test]
fn without_directives_no_condition_is_false_for_all_of_them() {
    let files = condition("thread_started", "{path: directive, value: release}");
    let (without, _) = files.split_once("=== .ai/directives").unwrap();
    assert!(messages_of("RR311", without.to_string()).is_empty());
}

#[test]
fn routing_knows_category_and_parent() {
    let never = |written: &str, metadata: &str| {
        let hook = condition("resolve_extends", written).replace("primary: fetch", "set_extends: base, primary: fetch");
        let (hook, _) = hook.split_once("=== .ai/directives").unwrap();
        !messages_of("RR311", format!("{hook}{}", directive("a/deploy", metadata))).is_empty()
    };
    // The embedded bundle has directives too, but none of that category.
    assert!(never("{path: category, value: release}", "<category>a</category>"));
    assert!(!never("{path: category, value: a}", "<category>a</category>"));
    let both = "{all: [{path: directive, op: contains, value: a/}, {path: has_extends, value: true}, \
                {path: category, value: b}, {path: directive, op: contains, value: dep}]}";
    assert!(never(both, "<category>a</category>"));
}

#[test]
fn misspelt_keys_and_aliases_are_found() {
    let keys = |lines: &str| places("RR317", hook("thread_started", lines));
    assert_eq!(keys("    conditon: {path: model, value: a}\n    \"postion\": after\n"), ["conditon", "postion"]);
    assert_eq!(keys("    enabled: false\n    priority: 3\n"), ["enabled", "priority"]);
    assert_eq!(keys("    owner: me\n    description: text\n    tags: [a]\n"), [""; 0]);
    assert_eq!(keys("    condition: {path: model, operator: eq, valeu: a}\n"), ["operator", "valeu"]);
    // Nothing reads `layers`, even if `layer` is present.
    assert_eq!(keys("    layer: 1\n    layers: 2\n"), ["layers"]);
    assert_eq!(keys("    condition: {path: model, value: a}\n    when: on release\n"), [""; 0]);
    let action = hook("thread_started", "").replace("item_type:", "item_tpye:");
    assert_eq!(places("RR317", action), ["item_tpye"]);
}

#[test]
fn a_slip_next_to_the_known_key_is_reported_but_not_fixed() {
    let beside = |files: String| {
        let all = findings("RR317", files);
        assert!(all.iter().all(|finding| finding.fix.is_none()));
        all.into_iter().map(|finding| finding.help).collect::<Vec<_>>()
    };
    let both = "    condition: {path: model, value: a}\n    conditon: {path: model, value: b}\n    evnt: after_step\n";
    let kept = |key: &str| format!("`{key}` is set too: keep only one, as `{key}`");
    assert_eq!(beside(hook("thread_started", both)), [kept("condition"), kept("event")]);
    let action = hook("thread_started", "").replace("item_id: rules}", "item_id: rules, itemid: other}");
    assert_eq!(beside(action), [kept("item_id")]);
}

#[test]
fn keys_of_other_parts_are_reported() {
    let routing = "    condition: {path: directive, op: contains, value: deploy}\n    set_extends: base\n";
    let files = hook("resolve_extends", routing).replace(ACTION, "");
    let message = "`set_extends` belongs to `action`, not to a hook, so it is ignored";
    assert_eq!(messages_of("RR317", files.clone()), [("set_extends".to_string(), message.to_string())]);
    // The mistake is reported once, at the key.
    assert_eq!(places("RR309", files), [""; 0]);
    let inside = "{path: directive, op: contains, value: deploy, set_extends: base}";
    assert_eq!(places("RR317", condition("resolve_extends", inside)), ["set_extends"]);
    assert_eq!(places("RR309", condition("resolve_extends", inside)), [""; 0]);
    let action = hook("thread_started", "").replace("item_id: rules}", "item_id: rules, event: after_step}");
    assert_eq!(places("RR317", action), ["event"]);
}

#[test]
fn an_uncertain_routing_hook_is_not_reported_as_matching() {
    let never = condition("resolve_extends", "{path: directive, op: contains, value: nowhere/at-all}");
    let text = "hook one sets no parent; if its condition holds, it still ends the search";
    assert_eq!(messages_of("RR309", never)[0].1, text);
    // RR311 reports that it never applies.
    assert_eq!(places("RR309", condition("resolve_extends", "{any: []}")), [""; 0]);
}

#[test]
fn only_slips_are_fixed() {
    let fixed = |code, files| {
        let all = findings(code, files);
        let fix = all[0].fix.as_ref()?;
        Some((fix.edits[0].span.text().to_string(), fix.edits[0].text.clone()))
    };
    let pair = |left: &str, right: &str| Some((left.to_string(), right.to_string()));
    assert_eq!(fixed("RR317", hook("thread_started", "    postion: after\n")), pair("postion", "position"));
    assert_eq!(fixed("RR317", hook("thread_started", "    when: {path: model, value: a}\n")), None);
    assert_eq!(fixed("RR301", hook("'thread_strated'", "")), pair("thread_strated", "thread_started"));
    let commented = "    postion: # postion: where\n      after\n";
    let all = findings("RR317", hook("thread_started", commented));
    // The edit changes the key, not the comment after it.
    let edited = all[0].fix.as_ref().unwrap().edits[0].span.place().position;
    assert_eq!((edited.line, edited.column), (4, 5));
    assert_eq!(fixed("RR301", hook("started", "")), None);
}

#[test]
fn a_note_is_not_a_misspelling() {
    let condition =
        |lines: &str| hook("thread_started", &format!("    condition:\n      path: model\n      value: a\n{lines}"));
    for remark in ["note: why", "later: yes", "call: me", "many: of them", "math: 1", "patch: 2"] {
        assert_eq!(places("RR317", condition(&format!("      {remark}\n"))), [""; 0], "{remark}");
    }
    for (slip, key) in [("Not: {}", "Not"), ("vaule: b", "vaule"), ("paht: b", "paht")] {
        assert_eq!(places("RR317", condition(&format!("      {slip}\n"))), [key]);
    }
    assert_eq!(places("RR317", hook("thread_started", "    note: why\n    later: yes\n    team: a\n")), [""; 0]);
}

#[test]
fn keys_of_configuration_files_are_distinguished_from_slips() {
    let keys = |file: &str, text: &str| places("RR321", format!("=== .ai/config/agent/{file}\n{text}\n"));
    assert_eq!(keys("hooks.yaml", "hook: []"), ["hook"]);
    assert_eq!(keys("hooks.yaml", "hooks: []\nhook: []"), [""; 0]);
    assert_eq!(keys("resilience.yaml", "limit: {}\nretries: 3"), ["limit"]);
    assert_eq!(keys("other.yaml", "hook: []"), [""; 0]);
}

#[test]
fn files_that_nothing_reads_are_found() {
    let found = |path: &str| places("RR322", format!("=== {path}\nhooks: []\n{}", directive("deploy", "")));
    assert_eq!(found(".ai/hooks.yaml"), [".ai/hooks.yaml"]);
    assert_eq!(found(".ai/resilience.yaml"), [".ai/resilience.yaml"]);
    assert_eq!(found(".ai/directive/a.md"), [".ai/directive"]);
    assert_eq!(findings("RR322", "=== .ai/config/hooks.yaml\nhooks: []\n".to_string()).len(), 1);
    for read in [".ai/config/agent/hooks.yaml", ".ai/bundles/a.yaml", ".ai/notes.md"] {
        assert_eq!(found(read), [""; 0], "{read}");
    }
}

#[test]
fn a_hook_of_the_project_without_an_id_is_noted() {
    let files = hook("thread_started", "").replace("id: one\n    event", "event");
    assert_eq!(findings("RR323", files).len(), 1);
    assert_eq!(findings("RR323", hook("thread_started", "")).len(), 0);
}
