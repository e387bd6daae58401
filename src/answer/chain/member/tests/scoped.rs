//! Parts of a chain.

use super::*;

#[test]
fn the_number_of_ancestors_can_be_limited() {
    insta::assert_snapshot!(part_of_chain(&GraphScope { max_depth: Some(1), ..GraphScope::default() }), @r#"
    deploy                             project .ai/directives/deploy.md
    │ before   ✗ project/deploy/environment-rules, line 5: duplicate:
    │              project/deploy/base already places it here
    │          ✗ project/gone, line 6: missing: no tier has it
    │ after      project/deploy/checklist, line 7
    │ suppress ✗ rye/agent/core/Behavior, line 8: project/deploy/base already
    │              suppresses it
    │            ctx_environment, line 9: a hook
    │          ✗ nothing/of/it, line 10: matches nothing
    │ hooks      guard, line 13, on thread_started:
    │              knowledge project/deploy/checklist
    │          ✗ resume, line 14, on thread_continued: it does not run for this
    │              prompt
    │          ✗ big, line 15, on thread_started: condition false: inputs.size is
    │              null, not "big"
    │ grants     execute tool rye.bash.*, rye.file-system.*, fetch *
    └─ project/deploy/base             user .ai/directives/project/deploy/base.md
       │ extended by deploy, line 2
       │ before     project/deploy/environment-rules, line 5
       │          ✗ project/blank, line 6: empty: nothing follows its yaml block
       │ suppress   rye/agent/core/Behavior, line 7
       │ hooks    ✗ mine, line 9, on thread_started: only the leaf's hooks run
       └─ … 1 more ancestor

    in effect  execute tool rye.bash.*, rye.file-system.*, fetch * (from deploy),
               directive_return (for the outputs)

    n0["deploy
    n1["project/deploy/base
    n2("project/deploy/environment-rules
    n3("project/gone")
    n4("project/deploy/checklist
    n5{{"guard
    n6{{"resume
    n7{{"big
    n8("k")
    n9("project/blank
    n10{{"mine
    n11[["rye/execute
    n12[["rye/bash/run
    n13[["rye/file-system/read
    n14[["rye/agent/threads/directive_return"]]
    n0 ==>|"extends"| n1
    n0 -->|"before
    n0 -->|"before
    n0 -->|"after"| n4
    n0 -.->|"hook"| n5
    n5 -.->|"hook"| n4
    n0 -.->|"hook
    n0 -.->|"hook"| n7
    n7 -.->|"hook
    n1 -->|"before"| n2
    n1 -->|"before
    n1 -.->|"hook
    n0 --o|"tool"| n11
    n0 --o|"tool"| n12
    n0 --o|"tool"| n13
    n0 --o|"tool"| n14
    project/deploy/base < deploy
    "#);
}

#[test]
fn nothing_beyond_a_pruned_member_or_hook_is_drawn() {
    let prune = vec!["project/deploy/base".to_string(), "guard".to_string()];
    insta::assert_snapshot!(part_of_chain(&GraphScope { prune, ..GraphScope::default() }), @r#"
    deploy                             project .ai/directives/deploy.md
    │ before   ✗ project/deploy/environment-rules, line 5: duplicate:
    │              project/deploy/base already places it here
    │          ✗ project/gone, line 6: missing: no tier has it
    │ after      project/deploy/checklist, line 7
    │ suppress ✗ rye/agent/core/Behavior, line 8: project/deploy/base already
    │              suppresses it
    │            ctx_environment, line 9: a hook
    │          ✗ nothing/of/it, line 10: matches nothing
    │ hooks      guard, line 13, on thread_started
    │          ✗ resume, line 14, on thread_continued: it does not run for this
    │              prompt
    │          ✗ big, line 15, on thread_started: condition false: inputs.size is
    │              null, not "big"
    │ grants     execute tool rye.bash.*, rye.file-system.*, fetch *
    └─ project/deploy/base             user .ai/directives/project/deploy/base.md
       └─ … 1 more ancestor

    in effect  execute tool rye.bash.*, rye.file-system.*, fetch * (from deploy),
               directive_return (for the outputs)

    n0["deploy
    n1["project/deploy/base
    n2("project/deploy/environment-rules")
    n3("project/gone")
    n4("project/deploy/checklist
    n5{{"guard
    n6{{"resume
    n7{{"big
    n8("k")
    n9[["rye/execute
    n10[["rye/bash/run
    n11[["rye/file-system/read
    n12[["rye/agent/threads/directive_return"]]
    n0 ==>|"extends"| n1
    n0 -->|"before
    n0 -->|"before
    n0 -->|"after"| n4
    n0 -.->|"hook"| n5
    n0 -.->|"hook
    n0 -.->|"hook"| n7
    n7 -.->|"hook
    n0 --o|"tool"| n9
    n0 --o|"tool"| n10
    n0 --o|"tool"| n11
    n0 --o|"tool"| n12
    project/deploy/base < deploy
    "#);
}

#[test]
fn members_can_be_limited_to_one_tier() {
    insta::assert_snapshot!(part_of_chain(&GraphScope { tiers: vec!["user".to_string()], ..GraphScope::default() }), @r#"
    deploy                             project .ai/directives/deploy.md
    └─ project/deploy/base             user .ai/directives/project/deploy/base.md
       │ extended by deploy, line 2
       │ before     project/deploy/environment-rules, line 5
       │          ✗ project/blank, line 6: empty: nothing follows its yaml block
       │ suppress   rye/agent/core/Behavior, line 7
       │ hooks    ✗ mine, line 9, on thread_started: only the leaf's hooks run
       └─ … 1 more ancestor

    in effect  execute tool rye.bash.*, rye.file-system.*, fetch * (from deploy),
               directive_return (for the outputs)

    n0["deploy
    n1["project/deploy/base
    n2("project/deploy/environment-rules
    n3("project/blank
    n4{{"mine
    n0 ==>|"extends"| n1
    n1 -->|"before"| n2
    n1 -->|"before
    n1 -.->|"hook
    project/deploy/base < deploy
    "#);
}

#[test]
fn only_selected_links_are_drawn() {
    let only = |edges: &[EdgeWord]| part_of_chain(&GraphScope { edges: edges.to_vec(), ..GraphScope::default() });
    insta::assert_snapshot!(only(&[EdgeWord::Extends]), @r#"
    deploy                             project .ai/directives/deploy.md
    └─ project/deploy/base             user .ai/directives/project/deploy/base.md
       │ extended by deploy, line 2
       └─ rye/agent/core/base          system .ai/directives/rye/agent/core/base.md
            extended by project/deploy/base, line 2

    n0["deploy
    n1["project/deploy/base
    n2["rye/agent/core/base
    n0 ==>|"extends"| n1
    n1 ==>|"extends"| n2
    rye/agent/core/base < project/deploy/base < deploy
    "#);
    insta::assert_snapshot!(only(&[EdgeWord::Context, EdgeWord::Hook]), @r#"
    deploy                             project .ai/directives/deploy.md
    │ before   ✗ project/deploy/environment-rules, line 5: duplicate:
    │              project/deploy/base already places it here
    │          ✗ project/gone, line 6: missing: no tier has it
    │ after      project/deploy/checklist, line 7
    │ suppress ✗ rye/agent/core/Behavior, line 8: project/deploy/base already
    │              suppresses it
    │            ctx_environment, line 9: a hook
    │          ✗ nothing/of/it, line 10: matches nothing
    │ hooks      guard, line 13, on thread_started:
    │              knowledge project/deploy/checklist
    │          ✗ resume, line 14, on thread_continued: it does not run for this
    │              prompt
    │          ✗ big, line 15, on thread_started: condition false: inputs.size is
    │              null, not "big"
    └─ project/deploy/base             user .ai/directives/project/deploy/base.md
       │ extended by deploy, line 2
       │ before     project/deploy/environment-rules, line 5
       │          ✗ project/blank, line 6: empty: nothing follows its yaml block
       │ suppress   rye/agent/core/Behavior, line 7
       │ hooks    ✗ mine, line 9, on thread_started: only the leaf's hooks run
       └─ rye/agent/core/base          system .ai/directives/rye/agent/core/base.md
            extended by project/deploy/base, line 2
            system     rye/agent/core/Identity, line 5
                     ✗ rye/agent/core/Behavior, line 6: suppressed by
                         project/deploy/base, line 7

    n0["deploy
    n1["project/deploy/base
    n2["rye/agent/core/base
    n3("project/deploy/environment-rules
    n4("project/gone")
    n5("project/deploy/checklist
    n6{{"guard
    n7{{"resume
    n8{{"big
    n9("k")
    n10("project/blank
    n11{{"mine
    n12("rye/agent/core/Identity
    n13("rye/agent/core/Behavior")
    n0 ==>|"extends"| n1
    n1 ==>|"extends"| n2
    n0 -->|"before
    n0 -->|"before
    n0 -->|"after"| n5
    n0 -.->|"hook"| n6
    n6 -.->|"hook"| n5
    n0 -.->|"hook
    n0 -.->|"hook"| n8
    n8 -.->|"hook
    n1 -->|"before"| n3
    n1 -->|"before
    n1 -.->|"hook
    n2 -->|"system"| n12
    n2 -->|"system
    rye/agent/core/base < project/deploy/base < deploy
    "#);
    insta::assert_snapshot!(only(&[EdgeWord::Tool]), @r#"
    deploy                             project .ai/directives/deploy.md
    │ grants     execute tool rye.bash.*, rye.file-system.*, fetch *
    └─ project/deploy/base             user .ai/directives/project/deploy/base.md
       │ extended by deploy, line 2
       └─ rye/agent/core/base          system .ai/directives/rye/agent/core/base.md
            extended by project/deploy/base, line 2
            grants   ✗ execute *, fetch *, sign *: not used; those of deploy apply

    in effect  execute tool rye.bash.*, rye.file-system.*, fetch * (from deploy),
               directive_return (for the outputs)

    n0["deploy
    n1["project/deploy/base
    n2["rye/agent/core/base
    n3[["rye/execute
    n4[["rye/bash/run
    n5[["rye/file-system/read
    n6[["rye/agent/threads/directive_return"]]
    n0 ==>|"extends"| n1
    n1 ==>|"extends"| n2
    n0 --o|"tool"| n3
    n0 --o|"tool"| n4
    n0 --o|"tool"| n5
    n0 --o|"tool"| n6
    rye/agent/core/base < project/deploy/base < deploy
    "#);
}

#[test]
fn an_unknown_condition_is_not_reported_as_fact() {
    let input = "<inputs><input name=\"env\" type=\"string\" required=\"true\"/></inputs>";
    let deploy = format!("```xml\n<directive extends=\"base\">\n{input}\n</directive>\n```\nGo.\n");
    let base = "```xml\n<directive name=\"base\"/>\n```\n";
    let shown_with = |condition: &str, format| {
        let hooks = format!(
            "hooks:\n- id: r1\n  event: resolve_extends\n  condition: {condition}\n  action: {{set_extends: other}}\n"
        );
        let files = [
            ("directives/deploy.md", deploy.as_str()),
            ("directives/base.md", base),
            ("directives/other.md", base),
            ("config/agent/hooks.yaml", &hooks),
        ];
        let prompt = prompt(&files, |request| {
            (request.placeholders, request.records_hooks) = (true, true);
        });
        shown(&prompt, GraphView { format, ..tree(120) })
    };
    let known = "inputs.env has no value here, project .ai/config/agent/hooks.yaml:2";
    for &format in GraphFormat::VARIANTS {
        let shown = shown_with("{path: inputs.env, value: a}", format).replace("#58;", ":");
        assert!(shown.contains(&format!("may be routed by hook r1: {known}")), "{shown}");
        assert!(shown.contains("base") && !shown.contains("other"), "{shown}");
        let shown = shown_with("{not: {path: inputs.env, value: a}}", format).replace("#58;", ":");
        assert!(shown.contains(&format!("may not be routed by hook r1: {known}")), "{shown}");
        assert!(!shown_with("{path: directive, value: x}", format).contains("routed by"));
    }
}
