//! Readable files with invalid content.

use super::{
    ASKS, DIRECTIVE, DIRECTIVE_PATH, KNOWLEDGE, KNOWLEDGE_PATH, PROMPT, PROMPT_WITH_KNOWLEDGE, block, refused, renders,
    test,
};
use crate::support::Test;

const XML_HELP: &str = "fix it here; text that is not XML belongs in a <template>, <example> or <raw> section";
const HOOKS_PATH: &str = "project/.ai/config/agent/hooks.yaml";

/// A project with only this directive.
fn directive(text: &str) -> Test {
    test().file(DIRECTIVE_PATH, text)
}

#[test]
fn broken_xml_is_refused() {
    refused(
        directive(&block("<directive name=\"x\">\n<inputs>\n</directive>")),
        &format!(
            "\
error[invalid_xml]: the xml block is not well-formed: </directive> where the <inputs> of line 3 should close
 --> project .ai/directives/x.md:4:1
  |
4 | </directive>
  | ^^^^^^^^^^^^
  |
  = help: {XML_HELP}
"
        ),
    );
    renders(directive(&block("<directive name=\"x\">\n<inputs>\n</inputs>\n</directive>")), PROMPT);

    refused(
        directive("```xml\n<directive name=\"x\"/>\n"),
        "\
error[no_xml_block]: the xml block on line 1 is never closed
 --> project .ai/directives/x.md:1:1
  |
1 | ```xml
  | ^^^^^^
  |
  = help: close it with a line of three backticks
",
    );
    refused(
        directive("Hello.\n"),
        "\
error[no_xml_block]: no xml block: a directive needs a line ```xml, a <directive> element, and a line ```
 --> project .ai/directives/x.md:1:1
  |
1 | Hello.
  | ^
  |
  = help: add the block, or check that its backticks begin the line
",
    );
    renders(directive(DIRECTIVE), PROMPT);
}

/// Directives, "Chain": a parent that cannot be parsed ends the chain, contributes nothing, and causes a warning.
#[test]
fn a_parent_with_broken_xml_ends_the_chain() {
    let child = "```xml\n<directive name=\"x\" extends=\"p\"/>\n```\nHello.\n";
    let parent = |xml: &str| directive(child).file("project/.ai/directives/p.md", &block(xml));
    parent("<directive name=\"p\"><a></directive>")
        .args(["render", "x", "--format", "plain"])
        .stdout(PROMPT)
        .stderr(
            "\
warning[parent_unusable]: the chain ends at `p`, which cannot be used: the xml block is not well-formed: </directive> where the <a> of line 2 should close
 --> project .ai/directives/x.md:2:30
  |
2 | <directive name=\"x\" extends=\"p\"/>
  |                              ^
  |
  = help: fix that directive
",
        )
        .run();
    renders(parent("<directive name=\"p\"><a/></directive>"), PROMPT);
}

#[test]
fn an_xml_entity_bomb_is_refused() {
    let bomb: String = (1..30).fold("<!ENTITY a0 \"lol\">\n".to_string(), |text, level| {
        text + &format!("<!ENTITY a{level} \"{}\">\n", format!("&a{};", level - 1).repeat(10))
    });
    refused(
        directive(&block(&format!(
            "<!DOCTYPE directive [\n{bomb}]>\n<directive name=\"x\"><description>&a29;</description></directive>"
        ))),
        &format!(
            "\
error[invalid_xml]: the xml block is not well-formed: unknown entity `&a29;`
  --> project .ai/directives/x.md:34:34
   |
34 | <directive name=\"x\"><description>&a29;</description></directive>
   |                                  ^^^^^
   |
   = help: {XML_HELP}
"
        ),
    );
    renders(
        directive(&block("<directive name=\"x\"><description>&lt;lol&#33;</description></directive>")),
        "<directive name=\"x\">\n<description><lol!</description>\nHello.\n</directive>",
    );
}

/// Directives, "Knowledge": an item whose YAML block is broken is left out.
#[test]
fn knowledge_with_broken_yaml_is_left_out() {
    let knowledge = |yaml: &str| directive(ASKS).file(KNOWLEDGE_PATH, &format!("```yaml\n{yaml}\n```\nKnown.\n"));
    knowledge("name: [")
        .args(["render", "x", "--format", "plain"])
        .stdout(PROMPT)
        .stderr(
            "\
warning[knowledge_broken]: `k` is left out because its yaml block is invalid: while parsing a node, did not find expected node content
 --> project .ai/knowledge/k.md:2:8
  |
2 | name: [
  |        ^
  |
  = help: fix the block
",
        )
        .run();
    renders(knowledge("name: []"), PROMPT_WITH_KNOWLEDGE);
}

#[test]
fn broken_yaml_in_configuration_is_refused() {
    for name in ["hooks", "hook_conditions", "resilience"] {
        let path = format!("project/.ai/config/agent/{name}.yaml");
        refused(
            directive(DIRECTIVE).file(&path, "hooks:\n- id: h\n  event: ]\n"),
            &format!(
                "\
error[invalid_yaml]: not valid YAML: misplaced bracket
 --> project .ai/config/agent/{name}.yaml:3:10
  |
3 |   event: ]
  |          ^
  |
  = help: fix the YAML here
"
            ),
        );
        renders(directive(DIRECTIVE).file(&path, "hooks:\n- id: h\n  event: limit\n"), PROMPT);
    }
}

#[test]
fn configuration_of_the_wrong_shape_is_refused() {
    refused(
        directive(DIRECTIVE).file(HOOKS_PATH, "hooks: [1]\n"),
        "\
error[invalid_hooks]: the hooks cannot be read: an entry is not a map
 --> project .ai/config/agent/hooks.yaml:1:9
  |
1 | hooks: [1]
  |         ^
  |
  = help: write a list of hooks, each a map with id, event and action
",
    );
    renders(directive(DIRECTIVE).file(HOOKS_PATH, "hooks: []\n"), PROMPT);

    refused(
        directive(DIRECTIVE).file("project/.ai/config/rye-render.yaml", "protocols: {}\n"),
        "\
error[invalid_protocol]: the protocol cannot be used: protocols: invalid type: map, expected a sequence
 --> project .ai/config/rye-render.yaml:1:12
  |
1 | protocols: {}
  |            ^
  |
  = help: docs/protocols.md lists the keys of a protocol file and their values
",
    );
    renders(directive(DIRECTIVE).file("project/.ai/config/rye-render.yaml", "protocols: []\n"), PROMPT);
}

/// YAML that PyYAML reads and we do not is an error: leaving the item out would show a prompt that is never sent.
#[test]
fn a_yaml_alias_bomb_is_refused() {
    let bomb = (1..9).fold("a0: &a0 [x]\n".to_string(), |yaml, level| {
        yaml + &format!("a{level}: &a{level} [{}]\n", vec![format!("*a{}", level - 1); 9].join(","))
    });
    let few = "a0: &a0 [x]\na1: [*a0,*a0]\n";
    let reason = "too much YAML: more than 100000 values, counting what anchors and aliases repeat";
    let error = |path: &str, line: usize| {
        format!(
            "\
error[too_large]: {reason}
 --> project {path}:{line}:26
  |
{line} | a5: &a5 [*a4,*a4,*a4,*a4,*a4,*a4,*a4,*a4,*a4]
  |                          ^^^
  |
  = help: reduce its size, nesting or aliases
"
        )
    };
    let knowledge = |yaml: &str| directive(ASKS).file(KNOWLEDGE_PATH, &format!("```yaml\n{yaml}```\nKnown.\n"));
    refused(knowledge(&bomb), &error(".ai/knowledge/k.md", 7));
    renders(knowledge(few), PROMPT_WITH_KNOWLEDGE);
    for name in ["hooks", "hook_conditions", "resilience"] {
        let path = format!(".ai/config/agent/{name}.yaml");
        refused(directive(DIRECTIVE).file(&format!("project/{path}"), &bomb), &error(&path, 6));
        renders(directive(DIRECTIVE).file(&format!("project/{path}"), few), PROMPT);
    }
}

#[test]
fn a_circular_or_broken_chain_is_refused() {
    let child = |parent: &str| format!("```xml\n<directive name=\"x\"\n  extends=\"{parent}\"/>\n```\nHello.\n");
    refused(
        directive(&child("deploy/base")).file("project/.ai/directives/deploy/base.md", &child("x")),
        "\
error[circular_extends]: x extends itself through deploy/base
    x            project .ai/directives/x.md:3
  → deploy/base  project .ai/directives/deploy/base.md:3
  → x            (again)
help: remove one of these `extends` attributes
",
    );
    refused(
        directive(&child("x")),
        "\
error[circular_extends]: x extends itself
    x  project .ai/directives/x.md:3
  → x  (again)
help: remove one of these `extends` attributes
",
    );
    renders(directive(&child("deploy/base")).file("project/.ai/directives/deploy/base.md", DIRECTIVE), PROMPT);
    refused(
        directive(&child("absent")),
        "\
error[parent_not_found]: parent directive `absent` not found in any tier
    x       project .ai/directives/x.md:3
  → absent  (not found)
help: fix the `extends` attribute, or add the directive
",
    );
}

const ID_HELP: &str = "write the path below the folder for its kind, without the extension: `project/deploy/rules`";

#[test]
fn an_invalid_id_is_refused() {
    let good = || directive(DIRECTIVE).file("project/.ai/directives/a/x.md", DIRECTIVE);
    for (id, reason) in [
        ("a/../x", "one of its parts is `.` or `..`"),
        ("a//x", "one of its parts is empty"),
        ("a/x/", "one of its parts is empty"),
        ("a\\x", "it contains a backslash"),
        ("C:/x", "it is not relative"),
        ("", "it is empty"),
    ] {
        good()
            .args(["render", id])
            .stderr(&format!("error[invalid_id]: `{id}` is not a valid item id: {reason}\nhelp: {ID_HELP}\n"))
            .status(2)
            .run();
    }
    good().args(["render", "a/x", "--format", "plain"]).stdout(PROMPT).run();
}

#[test]
fn an_invalid_id_in_a_file_is_refused_with_its_position() {
    let error = |id: &str, place: &str, line: &str| {
        let column = line.find(id).expect("the line contains the id");
        let (number, _) = place.rsplit_once(':').expect("line and column");
        let number = number.rsplit_once(':').expect("path and line").1;
        format!(
            "\
error[invalid_id]: `{id}` is not a valid item id: one of its parts is `.` or `..`
 --> project {place}
  |
{number} | {line}
  | {}{}
  |
  = help: {ID_HELP}
",
            " ".repeat(column),
            "^".repeat(id.len())
        )
    };
    let extends = |id: &str| format!("<directive name=\"x\" extends=\"{id}\"/>");
    refused(directive(&block(&extends("../p"))), &error("../p", ".ai/directives/x.md:2:30", &extends("../p")));
    renders(directive(&block(&extends("p"))).file("project/.ai/directives/p.md", DIRECTIVE), PROMPT);

    let context = "<metadata><context><before>../../secret</before></context></metadata>";
    refused(
        directive(&block(&format!("<directive name=\"x\">\n{context}\n</directive>"))),
        &error("../../secret", ".ai/directives/x.md:3:28", context),
    );
    renders(directive(ASKS).file(KNOWLEDGE_PATH, KNOWLEDGE), PROMPT_WITH_KNOWLEDGE);

    let hook = |id: &str| {
        format!(
            "hooks:\n- event: thread_started\n  wrap: false\n  action: {{primary: fetch, item_type: knowledge, item_id: {id}}}\n"
        )
    };
    let action = "  action: {primary: fetch, item_type: knowledge, item_id: ../k}";
    refused(
        directive(DIRECTIVE).file(HOOKS_PATH, &hook("../k")),
        &error("../k", ".ai/config/agent/hooks.yaml:4:59", action),
    );
    renders(directive(DIRECTIVE).file(HOOKS_PATH, &hook("k")).file(KNOWLEDGE_PATH, KNOWLEDGE), PROMPT_WITH_KNOWLEDGE);
}

/// A condition whose pattern would search forever is false, with a warning, so its hook is left out.
#[test]
fn a_pattern_that_backtracks_forever_makes_its_condition_false() {
    let hooks = |pattern: &str| {
        directive(&block("<directive name=\"x\"><inputs><input name=\"v\"/></inputs></directive>"))
            .file(KNOWLEDGE_PATH, KNOWLEDGE)
            .file(
                HOOKS_PATH,
                &format!(
                    "\
hooks:
- event: thread_started
  wrap: false
  condition: {{path: inputs.v, op: regex, value: '{pattern}'}}
  action: {{primary: fetch, item_type: knowledge, item_id: k}}
"
                ),
            )
            .args(["render", "x", "--format", "plain", "-i", &format!("v={}b", "a".repeat(5000))])
    };
    hooks(r"(a|aa)+\1c$")
        .stdout(PROMPT)
        .stderr(
            r"warning[pattern_backtracks]: `(a|aa)+\1c$` takes too long on this text, so the condition is false
 --> project .ai/config/agent/hooks.yaml:4:14
  |
4 |   condition: {path: inputs.v, op: regex, value: '(a|aa)+\1c$'}
  |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = help: write the pattern without nested repetition
",
        )
        .run();
    hooks(r"^(a|aa)+b$").stdout(PROMPT_WITH_KNOWLEDGE).run();
}
