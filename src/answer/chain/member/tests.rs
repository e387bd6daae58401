mod scoped;

use crate::answer::chain::testing::{chain, long, prompt, routed, tree};
use crate::answer::chain::{Charset, EdgeWord, GraphFormat, GraphScope, GraphView, write_chain};
use crate::prompt::Prompt;
use crate::write::screen::Screen;
use strum::VariantArray;

fn shown(prompt: &Prompt, as_view: GraphView) -> String {
    part(prompt, &GraphScope::default(), as_view)
}

fn part(prompt: &Prompt, scope: &GraphScope, as_view: GraphView) -> String {
    let mut out = Vec::new();
    write_chain(prompt, scope, &as_view, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// What a scope selects from a chain over three tiers: the tree, and the ids and links of the graph.
fn part_of_chain(scope: &GraphScope) -> String {
    let prompt = chain(|_| {});
    let graph = part(&prompt, scope, GraphView { format: GraphFormat::Mermaid, ..tree(80) });
    let names: Vec<_> = graph.lines().skip(1).map(|line| line.trim().split("<br/>").next().unwrap_or("")).collect();
    let json: serde_json::Value =
        serde_json::from_str(&part(&prompt, scope, GraphView { format: GraphFormat::Json, ..tree(80) })).unwrap();
    let members: Vec<_> = json["members"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
    format!("{}\n{}\n{}", part(&prompt, scope, tree(80)), names.join("\n"), members.join(" < "))
}

#[test]
fn at_80_columns() {
    insta::assert_snapshot!(shown(&chain(|_| {}), tree(80)), @r#"
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
       └─ rye/agent/core/base          system .ai/directives/rye/agent/core/base.md
            extended by project/deploy/base, line 2
            system     rye/agent/core/Identity, line 5
                     ✗ rye/agent/core/Behavior, line 6: suppressed by
                         project/deploy/base, line 7
            grants   ✗ execute *, fetch *, sign *: not used; those of deploy apply

    in effect  execute tool rye.bash.*, rye.file-system.*, fetch * (from deploy),
               directive_return (for the outputs)
    "#);
}

#[test]
fn at_120_columns() {
    insta::assert_snapshot!(shown(&chain(|_| {}), tree(120)), @r#"
    deploy                                              project .ai/directives/deploy.md
    │ before   ✗ project/deploy/environment-rules, line 5: duplicate: project/deploy/base already places it here
    │          ✗ project/gone, line 6: missing: no tier has it
    │ after      project/deploy/checklist, line 7
    │ suppress ✗ rye/agent/core/Behavior, line 8: project/deploy/base already suppresses it
    │            ctx_environment, line 9: a hook
    │          ✗ nothing/of/it, line 10: matches nothing
    │ hooks      guard, line 13, on thread_started: knowledge project/deploy/checklist
    │          ✗ resume, line 14, on thread_continued: it does not run for this prompt
    │          ✗ big, line 15, on thread_started: condition false: inputs.size is null, not "big"
    │ grants     execute tool rye.bash.*, rye.file-system.*, fetch *
    └─ project/deploy/base                              user .ai/directives/project/deploy/base.md
       │ extended by deploy, line 2
       │ before     project/deploy/environment-rules, line 5
       │          ✗ project/blank, line 6: empty: nothing follows its yaml block
       │ suppress   rye/agent/core/Behavior, line 7
       │ hooks    ✗ mine, line 9, on thread_started: only the leaf's hooks run
       └─ rye/agent/core/base                           system .ai/directives/rye/agent/core/base.md
            extended by project/deploy/base, line 2
            system     rye/agent/core/Identity, line 5
                     ✗ rye/agent/core/Behavior, line 6: suppressed by project/deploy/base, line 7
            grants   ✗ execute *, fetch *, sign *: not used; those of deploy apply

    in effect  execute tool rye.bash.*, rye.file-system.*, fetch * (from deploy), directive_return (for the outputs)
    "#);
}

#[test]
fn in_ascii() {
    let shown = shown(&chain(|_| {}), GraphView { charset: Charset::Ascii, ..tree(80) });
    assert!(shown.is_ascii());
    insta::assert_snapshot!(shown, @r#"
    deploy                             project .ai/directives/deploy.md
    | before   x project/deploy/environment-rules, line 5: duplicate:
    |              project/deploy/base already places it here
    |          x project/gone, line 6: missing: no tier has it
    | after      project/deploy/checklist, line 7
    | suppress x rye/agent/core/Behavior, line 8: project/deploy/base already
    |              suppresses it
    |            ctx_environment, line 9: a hook
    |          x nothing/of/it, line 10: matches nothing
    | hooks      guard, line 13, on thread_started:
    |              knowledge project/deploy/checklist
    |          x resume, line 14, on thread_continued: it does not run for this
    |              prompt
    |          x big, line 15, on thread_started: condition false: inputs.size is
    |              null, not "big"
    | grants     execute tool rye.bash.*, rye.file-system.*, fetch *
    `- project/deploy/base             user .ai/directives/project/deploy/base.md
       | extended by deploy, line 2
       | before     project/deploy/environment-rules, line 5
       |          x project/blank, line 6: empty: nothing follows its yaml block
       | suppress   rye/agent/core/Behavior, line 7
       | hooks    x mine, line 9, on thread_started: only the leaf's hooks run
       `- rye/agent/core/base          system .ai/directives/rye/agent/core/base.md
            extended by project/deploy/base, line 2
            system     rye/agent/core/Identity, line 5
                     x rye/agent/core/Behavior, line 6: suppressed by
                         project/deploy/base, line 7
            grants   x execute *, fetch *, sign *: not used; those of deploy apply

    in effect  execute tool rye.bash.*, rye.file-system.*, fetch * (from deploy),
               directive_return (for the outputs)
    "#);
}

#[test]
fn colours_only_repeat_the_words() {
    let coloured = shown(&chain(|_| {}), GraphView { screen: Screen::coloured(80), ..tree(80) });
    assert!(coloured.contains('\u{1b}'));
    assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), shown(&chain(|_| {}), tree(80)));
}

#[test]
fn a_hook_routes_to_a_parent_that_cannot_be_parsed() {
    insta::assert_snapshot!(shown(&routed(), tree(80)), @r#"
deploy                             project .ai/directives/deploy.md
│ extends  ✗ base, line 2: hook web_rules sets the parent
│ adds nothing
└─ web/base                        project .ai/directives/web/base.md
     routed here by hook web_rules, project .ai/config/agent/hooks.yaml:4
     ✗ cannot be parsed, so it adds nothing: no xml block: a directive needs a
       line ```xml, a <directive> element, and a line ```

in effect  nothing: no directive in the chain declares permissions
"#);
}

#[test]
fn a_parent_thread_removes_permissions() {
    let prompt = chain(|request| {
        request.parent_capabilities = vec!["rye.execute.tool.rye.bash.run".to_string(), "rye.fetch.*".to_string()];
    });
    let shown = shown(&prompt, tree(80));
    let told: Vec<_> = shown.lines().skip_while(|line| !line.contains("grants")).collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
│ grants     execute tool rye.bash.* (a parent thread leaves
│              rye.execute.tool.rye.bash.run), rye.file-system.* (a parent
│              thread removes it), fetch *
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
        grants   ✗ execute *, fetch *, sign *: not used; those of deploy apply

in effect  execute tool rye.bash.run, fetch * (from deploy), directive_return
           (for the outputs)
"#);
}

#[test]
fn a_long_chain_takes_linear_space() {
    let prompt = long(3000);
    let shown = shown(&prompt, tree(80));
    assert!(shown.len() < 1_000_000 && shown.contains("d2999"), "{}", shown.len());
}

#[test]
fn as_json() {
    let value: serde_json::Value =
        serde_json::from_str(&shown(&chain(|_| {}), GraphView { format: GraphFormat::Json, ..tree(80) })).unwrap();
    insta::assert_snapshot!(serde_json::to_string(&value["members"][0]).unwrap().replace("},{", "},\n{"), @r#"
    {"id":"rye/agent/core/base","source":{"tier":"system","path":".ai/directives/rye/agent/core/base.md"},"parsed":true,"extends":null,"context":[{"position":"system","id":"rye/agent/core/Identity","source":{"tier":"system","path":".ai/directives/rye/agent/core/base.md","start":60,"end":83,"line":5,"column":9},"outcome":"included","why":"rye/agent/core/base declares it","by":{"by":"rye/agent/core/base","source":{"tier":"system","path":".ai/directives/rye/agent/core/base.md","start":60,"end":83,"line":5,"column":9}},"item":{"type":"knowledge","id":"rye/agent/core/Identity","source":{"tier":"system","path":".ai/knowledge/rye/agent/core/Identity.md","start":23,"end":28,"line":4,"column":1}}},
    {"position":"system","id":"rye/agent/core/Behavior","source":{"tier":"system","path":".ai/directives/rye/agent/core/base.md","start":101,"end":124,"line":6,"column":9},"outcome":"suppressed","why":"suppressed by project/deploy/base","by":{"by":"project/deploy/base","source":{"tier":"user","path":".ai/directives/project/deploy/base.md","start":161,"end":184,"line":7,"column":11}},"item":{"type":"knowledge","id":"rye/agent/core/Behavior","source":null}}],"suppress":[],"hooks":[],"permissions":[{"capability":"rye.execute.*","source":{"tier":"system","path":".ai/directives/rye/agent/core/base.md","start":168,"end":169,"line":9,"column":10},"counts":false,"leaves":null},
    {"capability":"rye.fetch.*","source":{"tier":"system","path":".ai/directives/rye/agent/core/base.md","start":187,"end":188,"line":10,"column":8},"counts":false,"leaves":null},
    {"capability":"rye.sign.*","source":{"tier":"system","path":".ai/directives/rye/agent/core/base.md","start":203,"end":204,"line":11,"column":7},"counts":false,"leaves":null}]}
    "#);
    insta::assert_snapshot!(serde_json::to_string(&value["members"][2]).unwrap().replace("},{", "},\n{"), @r#"
    {"id":"deploy","source":{"tier":"project","path":".ai/directives/deploy.md"},"parsed":true,"extends":{"id":"project/deploy/base","by":{"by":"deploy","source":{"tier":"project","path":".ai/directives/deploy.md","start":41,"end":60,"line":2,"column":35}},"routed":false},"context":[{"position":"before","id":"project/deploy/environment-rules","source":{"tier":"project","path":".ai/directives/deploy.md","start":92,"end":124,"line":5,"column":9},"outcome":"duplicate","why":"project/deploy/base already places it here","by":{"by":"project/deploy/base","source":{"tier":"user","path":".ai/directives/project/deploy/base.md","start":78,"end":110,"line":5,"column":9}},"item":{"type":"knowledge","id":"project/deploy/environment-rules","source":null}},
    {"position":"before","id":"project/gone","source":{"tier":"project","path":".ai/directives/deploy.md","start":142,"end":154,"line":6,"column":9},"outcome":"missing","why":"no tier has it","by":{"by":"deploy","source":{"tier":"project","path":".ai/directives/deploy.md","start":142,"end":154,"line":6,"column":9}},"item":{"type":"knowledge","id":"project/gone","source":null}},
    {"position":"after","id":"project/deploy/checklist","source":{"tier":"project","path":".ai/directives/deploy.md","start":171,"end":195,"line":7,"column":8},"outcome":"included","why":"deploy declares it","by":{"by":"deploy","source":{"tier":"project","path":".ai/directives/deploy.md","start":171,"end":195,"line":7,"column":8}},"item":{"type":"knowledge","id":"project/deploy/checklist","source":{"tier":"project","path":".ai/knowledge/project/deploy/checklist.md","start":23,"end":28,"line":4,"column":1}}}],"suppress":[{"id":"rye/agent/core/Behavior","source":{"tier":"project","path":".ai/directives/deploy.md","start":214,"end":237,"line":8,"column":11},"matched":[]},
    {"id":"ctx_environment","source":{"tier":"project","path":".ai/directives/deploy.md","start":259,"end":274,"line":9,"column":11},"matched":[{"name":"ctx_environment","slot":"user.hooks_before"}]},
    {"id":"nothing/of/it","source":{"tier":"project","path":".ai/directives/deploy.md","start":296,"end":309,"line":10,"column":11},"matched":[]}],"hooks":[{"id":"guard","event":"thread_started","source":{"tier":"project","path":".ai/directives/deploy.md","start":340,"end":469,"line":13,"column":1},"actions":[{"outcome":"included","why":"its hook applies","by":{"by":"hook guard","source":{"tier":"project","path":".ai/directives/deploy.md","start":340,"end":469,"line":13,"column":1}},"item":{"type":"knowledge","id":"project/deploy/checklist","source":{"tier":"project","path":".ai/knowledge/project/deploy/checklist.md","start":23,"end":28,"line":4,"column":1}}}]},
    {"id":"resume","event":"thread_continued","source":{"tier":"project","path":".ai/directives/deploy.md","start":470,"end":514,"line":14,"column":1},"actions":[]},
    {"id":"big","event":"thread_started","source":{"tier":"project","path":".ai/directives/deploy.md","start":515,"end":670,"line":15,"column":1},"actions":[{"outcome":"condition_false","why":"inputs.size is null, not \"big\"","by":{"by":"hook big","source":{"tier":"project","path":".ai/directives/deploy.md","start":515,"end":670,"line":15,"column":1}},"item":{"type":"knowledge","id":"k","source":null}}]}],"permissions":[{"capability":"rye.execute.tool.rye.bash.*","source":{"tier":"project","path":".ai/directives/deploy.md","start":709,"end":719,"line":18,"column":16},"counts":true,"leaves":"rye.execute.tool.rye.bash.*"},
    {"capability":"rye.execute.tool.rye.file-system.*","source":{"tier":"project","path":".ai/directives/deploy.md","start":752,"end":769,"line":19,"column":16},"counts":true,"leaves":"rye.execute.tool.rye.file-system.*"},
    {"capability":"rye.fetch.*","source":{"tier":"project","path":".ai/directives/deploy.md","start":794,"end":795,"line":20,"column":8},"counts":true,"leaves":"rye.fetch.*"}]}
    "#);
    insta::assert_snapshot!(serde_json::to_string(&value["permissions"]).unwrap().replace("},{", "},\n{"), @r#"
[{"capability":"rye.execute.tool.rye.bash.*","by":{"by":"deploy","source":{"tier":"project","path":".ai/directives/deploy.md","start":709,"end":719,"line":18,"column":16}}},
{"capability":"rye.execute.tool.rye.file-system.*","by":{"by":"deploy","source":{"tier":"project","path":".ai/directives/deploy.md","start":752,"end":769,"line":19,"column":16}}},
{"capability":"rye.fetch.*","by":{"by":"deploy","source":{"tier":"project","path":".ai/directives/deploy.md","start":794,"end":795,"line":20,"column":8}}},
{"capability":"rye.execute.tool.rye.agent.threads.directive_return","by":{"by":"deploy","source":{"tier":"project","path":".ai/directives/deploy.md","start":840,"end":863,"line":23,"column":10}}}]
"#);
}

#[test]
fn as_a_diagram() {
    insta::assert_snapshot!(shown(&chain(|_| {}), GraphView { format: GraphFormat::Mermaid, ..tree(80) }), @r#"
    flowchart LR
      n0["deploy<br/>project .ai/directives/deploy.md"]
      n1["project/deploy/base<br/>user .ai/directives/project/deploy/base.md"]
      n2["rye/agent/core/base<br/>system .ai/directives/rye/agent/core/base.md"]
      n3("project/deploy/environment-rules<br/>project .ai/knowledge/project/deploy/environment-rules.md")
      n4("project/gone")
      n5("project/deploy/checklist<br/>project .ai/knowledge/project/deploy/checklist.md")
      n6{{"guard<br/>project .ai/directives/deploy.md#58;13"}}
      n7{{"resume<br/>project .ai/directives/deploy.md#58;14"}}
      n8{{"big<br/>project .ai/directives/deploy.md#58;15"}}
      n9("k")
      n10("project/blank<br/>project .ai/knowledge/project/blank.md")
      n11{{"mine<br/>user .ai/directives/project/deploy/base.md#58;9"}}
      n12("rye/agent/core/Identity<br/>system .ai/knowledge/rye/agent/core/Identity.md")
      n13("rye/agent/core/Behavior")
      n14[["rye/execute<br/>system .ai/tools/rye/execute.yaml"]]
      n15[["rye/bash/run<br/>system .ai/tools/rye/bash/run.yaml"]]
      n16[["rye/file-system/read<br/>system .ai/tools/rye/file-system/read.yaml"]]
      n17[["rye/agent/threads/directive_return"]]
      n0 ==>|"extends"| n1
      n1 ==>|"extends"| n2
      n0 -->|"before<br/>duplicate#58; project/deploy/base already places it here"| n3
      n0 -->|"before<br/>missing#58; no tier has it"| n4
      n0 -->|"after"| n5
      n0 -.->|"hook"| n6
      n6 -.->|"hook"| n5
      n0 -.->|"hook<br/>not considered"| n7
      n0 -.->|"hook"| n8
      n8 -.->|"hook<br/>condition false#58; inputs.size is null, not #34;big#34;"| n9
      n1 -->|"before"| n3
      n1 -->|"before<br/>empty#58; nothing follows its yaml block"| n10
      n1 -.->|"hook<br/>not considered"| n11
      n2 -->|"system"| n12
      n2 -->|"system<br/>suppressed by project/deploy/base"| n13
      n0 --o|"tool"| n14
      n0 --o|"tool"| n15
      n0 --o|"tool"| n16
      n0 --o|"tool"| n17
    "#);
    insta::assert_snapshot!(shown(&routed(), GraphView { format: GraphFormat::Dot, ..tree(80) }), @r#"
digraph chain {
  rankdir=LR;
  node [fontname="sans-serif"];
  edge [fontname="sans-serif", fontsize=10];
  n0 [shape=box, label="deploy\nproject .ai/directives/deploy.md"];
  n1 [shape=box, label="web/base\nproject .ai/directives/web/base.md\ncannot be parsed"];
  n0 -> n1 [style=bold, label="extends\nrouted by hook web_rules", tooltip="project .ai/config/agent/hooks.yaml:4"];
}
"#);
}
