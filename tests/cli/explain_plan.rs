//! `explain`: the plan as a table, inputs, capabilities and the context window.

use serde_json::json;

use crate::support::Test;

/// A directive with an item, an input, an environment variable, a tool and a hook that does not apply.
fn project() -> Test {
    Test::new()
        .file(
            "project/.ai/directives/greet.md",
            "# Greet\n\n```xml\n<directive name=\"greet\" version=\"1.0.0\">\n  <metadata>\n    \
             <permissions><execute><tool>app.*</tool></execute></permissions>\n    <context>\n      \
             <system>app/voice</system>\n      <system>app/who</system>\n      <suppress>app/voice</suppress>\n      \
             <suppress>ctx_environment</suppress>\n      <suppress>ctx_directive_instruction</suppress>\n    \
             </context>\n  </metadata>\n  <inputs><input name=\"who\" required=\"true\">Whom to greet</input></inputs>\n\
             </directive>\n```\n\nGreet {input:who} at {env:PLACE}.\n",
        )
        .file("project/.ai/knowledge/app/voice.md", "```yaml\nname: voice\n```\n\nSpeak up.\n")
        .file("project/.ai/knowledge/app/who.md", "```yaml\nname: who\n```\n\nYou greet people.\n")
        .file("project/.ai/tools/app/wave.py", "__tool_description__ = \"Waves\"\nCONFIG_SCHEMA = {\"type\": \"object\"}\n")
}

#[test]
fn the_plan_is_a_table() {
    project()
        .args(["explain", "greet", "-i", "who=Ada", "--env", "PLACE=home", "--context-window", "1000"])
        .env("COLUMNS", "80")
        .stdout(
            "\
greet  rye-3  model general
                                     slot          bytes  tokens  share

━━ system ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━    17       5     4% ▎
  ○ app/voice                        chain
      suppressed by greet, project .ai/directives/greet.md:10
      requested by project .ai/directives/greet.md:8
  ● app/who                          chain            17       5     4% ▎
      project .ai/directives/greet.md:9 → project .ai/knowledge/app/who.md:5

━━ user ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━   121      31    22% █▊
  ○ hook ctx_environment             hooks_before
      suppressed by greet, project .ai/directives/greet.md:11
      requested by builtin .ai/config/agent/hook_conditions.yaml:3
  ○ hook ctx_directive_instruction   hooks_before
      suppressed by greet, project .ai/directives/greet.md:12
      requested by builtin .ai/config/agent/hook_conditions.yaml:12
  ● greet                            directive       121      31    22% █▊
      project .ai/directives/greet.md:4-19

━━ palette  105 of 2,000 tokens ━━━━━━━━━━━━━━━━━━   420     105    74% █████▉
  execute is granted, project .ai/directives/greet.md:6
  ● rye/execute                                      397     100    71% █████▋
      builtin .ai/tools/rye/execute.yaml
  granted by `app.*`, project .ai/directives/greet.md:6
  ● app/wave                                          23       6     4% ▎
      project .ai/tools/app/wave.py

  total                                              558     141   100% ████████
  overhead                                           437     110    78% ██████▏

━━ context window  1,000 tokens ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 14% full
  system     5     1%  ▏
  user      31     3%  █▏
  palette  105    11%  ████▏
  used     141    14%  █████▋
  free     859    86%  ██████████████████████████████████▎

● in the prompt   ○ left out   requested by → taken from
overhead: all but the directive's own text
Where is a line from?  add --blame
Why is something in, or not?  add --why NAME
",
        )
        .run();
}

#[test]
fn inputs_show_where_they_end_up() {
    project()
        .args(["explain", "greet", "-i", "who=Ada", "--env", "PLACE=home", "--show", "inputs"])
        .stdout(
            "\
greet  rye-3  model general

━━ inputs ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1 input
  ◆ who = \"Ada\"
      given by a flag; declared as a required string,
        project .ai/directives/greet.md:15
      \"Whom to greet\"
      appears in user 3:7, directive greet

━━ environment ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1 variable
  ◆ PLACE = \"home\"
      appears in user 3:14, directive greet

◆ a value from outside that appears in the prompt   ◇ appears nowhere
",
        )
        .run();
}

#[test]
fn capabilities_are_a_tree() {
    project()
        .args(["explain", "greet", "-i", "who=Ada", "--show", "capabilities"])
        .stdout(
            "\
greet  rye-3  model general

━━ granted ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1 capability
  rye.execute.tool.app.*
      by greet, project .ai/directives/greet.md:6

━━ reached ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ execute
  └── execute
      └── tool
          └── app
              └── wave
",
        )
        .run();
}

#[test]
fn json_has_totals_window_input_places_and_tree() {
    let ran = project()
        .args(["explain", "greet", "-i", "who=Ada", "--env", "PLACE=home"])
        .args(["--context-window", "100", "--show", "capabilities", "--format", "json"])
        .any_stdout()
        .run();
    let out = ran.json();
    assert_eq!(out["format"], "rye-render.explain/1");
    assert_eq!(out["capabilities_tree"], json!({"execute": {"tool": {"app": {"wave": {}}}}}));
    let places = &out["input_places"];
    assert_eq!(
        (&places[0]["name"], &places[0]["from"], &places[1]["kind"]),
        (&json!("who"), &json!("flag"), &json!("env"))
    );
    let (landed, text) = (&places[0]["places"][0], out["messages"][1]["text"].as_str().unwrap());
    let [at, end] = ["at", "end"].map(|key| landed[key].as_u64().unwrap() as usize);
    assert_eq!(&text[at..end], "Ada");
    let tokens = |value: &serde_json::Value| value["tokens"].as_u64().unwrap();
    let parts: u64 = out["totals"]["parts"].as_array().unwrap().iter().map(tokens).sum();
    assert_eq!((parts, &out["window"]["used"]), (tokens(&out["totals"]), &out["totals"]["tokens"]));
    assert_eq!(out["window"]["size"], 100);
}

#[test]
fn markdown_hides_values() {
    let ran = project()
        .args(["explain", "greet", "-i", "who=Ada", "--env", "PLACE=home", "--format", "markdown"])
        .any_stdout()
        .run();
    assert!(ran.stdout.contains("Greet ‹input:who› at ‹env:PLACE›.\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Ada"), "{}", ran.stdout);
    assert!(ran.stdout.contains("| ○ | chain | `app/voice` |"), "{}", ran.stdout);
}

#[test]
fn a_context_window_needs_the_plan() {
    for question in [["--show", "inputs"], ["--format", "events"]] {
        let ran = project()
            .args(["explain", "greet", "-i", "who=Ada", "--context-window", "100"])
            .args(question)
            .any_stderr()
            .status(2)
            .run();
        assert!(ran.stderr.contains("--context-window is for the plan only"), "{}", ran.stderr);
    }
}
