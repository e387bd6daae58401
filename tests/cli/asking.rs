//! `explain`: where lines come from, where they end up, and why items are included.

use serde_json::{Value, json};

use crate::support::Test;

const GREET: &str = "\
# Greet

```xml
<directive name=\"greet\" version=\"1.0.0\">
  <metadata>
    <context>
      <before>rules</before>
    </context>
  </metadata>
  <inputs><input name=\"who\" default=\"world\"/></inputs>
</directive>
```

Greet {input:who}.
";

/// A directive that declares one item, and an item that nothing declares.
fn project() -> Test {
    Test::new()
        .file("project/.ai/directives/greet.md", GREET)
        .file("project/.ai/knowledge/rules.md", "```yaml\nname: Rules\n```\n\nBe brief.\nBe kind.\n")
        .file("project/.ai/knowledge/tone.md", "```yaml\nname: Tone\n```\n\nBe calm.\n")
        .env("COLUMNS", "80")
        .args(["explain", "greet", "--system", "none"])
}

#[test]
fn every_line_has_its_origin_in_the_margin() {
    project()
        .args(["--blame"])
        .stdout(
            "\
━━ user message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 6 lines
── rules in <before>
project …/rules.md:5             1 │ Be brief.
project …/rules.md:6             2 │ Be kind.
protocol                         3 │
── directive greet
3 pieces                         4 │ <directive name=\"greet\">
protocol                           ├ <directive name=\"┤
project …/greet.md:4               ├ greet┤
protocol                           └ \">┤
3 pieces                         5 │ Greet world.
project …/greet.md:14              ├ Greet ┤
input who, project …/greet.md:10   ├ world┤
project …/greet.md:14              └ .┤
protocol                         6 │ </directive>
· no newline at the end
",
        )
        .run();
}

#[test]
fn selected_lines_are_shown_without_the_others() {
    let kind = "\
━━ user message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1 of 6 lines
── rules in <before>
project …/rules.md:6 2 │ Be kind.
";
    project().args(["--grep", "^Be k"]).stdout(kind).run();
    project().args(["--blame", "--line", "user:2", "--line", "2-2"]).stdout(kind).run();
    project().args(["--line", "1-3", "--grep", "kind", "--role", "user"]).stdout(kind).run();
    project().args(["--grep", "cruel"]).stdout("No line matches.\n").run();
    project().args(["--blame", "--role", "system"]).stdout("There is no system message.\n").run();
}

#[test]
fn an_invalid_line_is_refused() {
    let refused = |flag: &'static str, typed: &'static str, what: &str, help: &str| {
        let stderr = format!("error[invalid_argument]: {what}\nhelp: {help}\n");
        project().args([flag, typed]).status(2).stderr(&stderr).run();
    };
    refused(
        "--line",
        "0",
        "--line 0: not a line of a message",
        "write 12, 12-20, system:12 or user:12-20; the first line is 1",
    );
    refused("--line", "7", "--line 7: no such line", "user has 6 lines");
    refused(
        "--grep",
        "a(",
        "--grep a(: not a valid regular expression: unclosed group, at character 2",
        "escape a literal character with \\: \\( \\[ \\* \\?",
    );
    refused("--role", "user", "--role requires --blame", "add --blame, or leave --role out");
}

#[test]
fn from_shows_where_a_line_ends_up() {
    let kind = "\
project .ai/knowledge/rules.md:6
│ Be kind.

It appears in 1 line of the messages.
━━ user message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1 of 6 lines
── rules in <before>
project …/rules.md:6 2 │ Be kind.
";
    for typed in [
        ".ai/knowledge/rules.md:6",
        "./.ai/knowledge/rules.md:6",
        "../project/.ai/knowledge/rules.md:6",
        "[ROOT]/project/.ai/knowledge/rules.md:6",
        "project .ai/knowledge/rules.md:6",
        "project …/rules.md:6",
    ] {
        project().args(["--from", typed]).stdout(kind).run();
    }
    project()
        .args(["--from", ".ai/directives/greet.md:10"])
        .stdout(
            "\
project .ai/directives/greet.md:10
│   <inputs><input name=\"who\" default=\"world\"/></inputs>

It appears in 1 line of the messages.
━━ user message ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1 of 6 lines
── directive greet
3 pieces                         5 │ Greet world.
project …/greet.md:14              ├ Greet ┤
input who, project …/greet.md:10   ├ world┤
project …/greet.md:14              └ .┤

It also does this:
  it declares the input `who`, project .ai/directives/greet.md:10
",
        )
        .run();
}

#[test]
fn from_says_why_a_line_is_not_in_the_prompt() {
    project()
        .args(["--from", ".ai/knowledge/tone.md:5"])
        .stdout(
            "\
project .ai/knowledge/tone.md:5
│ Be calm.

It appears in no message.
  nothing in this prompt requests knowledge tone: to include it, list tone in
    <system>, <before> or <after> in a directive in the chain, or fetch it with
    a hook
",
        )
        .run();
}

#[test]
fn an_invalid_position_is_refused() {
    let refused = |typed: &'static str, what: &str, help: &str| {
        let stderr = format!("error[invalid_argument]: {what}\nhelp: {help}\n");
        project().file("elsewhere/x.md", "x\n").args(["--from", typed]).status(2).stderr(&stderr).run();
    };
    let tiers = "name a file in a tier: project ([ROOT]/project)";
    refused(".ai/knowledge/rules.md:9", "`project .ai/knowledge/rules.md` has no line 9", "its last line is 6");
    refused(
        ".ai/knowledge/rulse.md:6",
        "--from .ai/knowledge/rulse.md: no such file",
        "did you mean `.ai/knowledge/rules.md`?",
    );
    refused("../elsewhere/x.md", "--from ../elsewhere/x.md: it is in no tier, so no prompt can use it", tiers);
    refused("../elsewhere", "--from ../elsewhere: that is a folder", tiers);
}

#[cfg(unix)]
#[test]
fn a_file_is_found_through_links() {
    let linked = project().with(|root| {
        std::fs::rename(root.join("project/.ai"), root.join("real")).unwrap();
        std::os::unix::fs::symlink("../real", root.join("project/.ai")).unwrap();
        std::os::unix::fs::symlink("project", root.join("link")).unwrap();
    });
    let ran = linked.args(["--from", "../real/knowledge/rules.md:6"]).any_stdout().run();
    assert!(ran.stdout.starts_with("project .ai/knowledge/rules.md:6\n"), "{}", ran.stdout);
}

#[test]
fn from_accepts_a_directive_outside_every_tier() {
    let alone = Test::new().file("elsewhere/alone.md", "```xml\n<directive name=\"a\"/>\n```\n\nAll alone.\n");
    let arguments = ["explain", "../elsewhere/alone.md", "--system", "none", "--from", "../elsewhere/alone.md:5"];
    let ran = alone.args(arguments).any_stdout().run();
    assert!(ran.stdout.contains("│ All alone.\n\nIt appears in 1 line"), "{}", ran.stdout);
}

#[test]
fn why_shows_the_path_to_an_item() {
    project()
        .args(["--why", "rules"])
        .stdout(
            "\
rules in <before>                                                       included
  greet, the requested directive, project .ai/directives/greet.md:1
  → greet declares it in <before>, project .ai/directives/greet.md:7
  → its text, project .ai/knowledge/rules.md:5-6
  → user message, lines 1-2
",
        )
        .run();
}

#[test]
fn why_accepts_an_unused_item() {
    project()
        .args(["--why", "tone"])
        .stdout(
            "\
Nothing in this prompt requests it.
  knowledge tone, project .ai/knowledge/tone.md:1
    to include it, list tone in <system>, <before> or <after> in a directive in
    the chain, or fetch it with a hook
",
        )
        .run();
    project()
        .args(["--why", "rulse"])
        .status(2)
        .stderr(
            "error[invalid_argument]: --why rulse: nothing has that name in this prompt or in any tier\n\
             help: did you mean `rules`?\n",
        )
        .run();
}

/// The answer under this key in the JSON; no other answer may be present.
fn answer(arguments: [&str; 2], name: &str) -> Value {
    let ran = project().args(arguments).args(["--format", "json"]).any_stdout().run();
    let mut json = ran.json();
    for other in ["blame", "from", "why"] {
        assert_eq!(json.get(other).is_some(), other == name, "{other}");
    }
    json[name].take()
}

#[test]
fn answers_are_available_as_json() {
    let lines = answer(["--grep", "."], "blame");
    let lines = lines.as_array().unwrap();
    let texts: Vec<_> = lines.iter().map(|line| line["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["Be brief.", "Be kind.", "<directive name=\"greet\">", "Greet world.", "</directive>"]);
    let world = &lines[3];
    assert_eq!(
        [&world["message"], &world["role"], &world["line"], &world["at"]],
        [&json!(0), &json!("user"), &json!(5), &json!(45)]
    );
    assert_eq!(world["segments"][1]["text"], "world");
    assert_eq!(world["segments"][1]["origin"]["source"]["line"], 10);
    assert_eq!(world["segments"][3], json!({"at": 57, "text": "\n", "layer": 1, "origin": {"kind": "protocol"}}));

    let from = answer(["--from", ".ai/directives/greet.md:10"], "from");
    assert_eq!(
        from["landings"],
        json!([{"message": 0, "role": "user", "line": 5, "at": 51, "text": "world", "layer": 1, "how": "default"}])
    );
    assert_eq!([&from["source"]["line"], &from["reasons"][0]["code"]], [&json!(10), &json!("metadata")]);

    let why = answer(["--why", "rules"], "why");
    assert_eq!([&why["item"], &why["decisions"][0]["outcome"]], [&json!("rules"), &json!("included")]);
    let path: Vec<_> =
        why["decisions"][0]["path"].as_array().unwrap().iter().map(|step| &step["source"]["line"]).collect();
    assert_eq!(path, [&json!(1), &json!(7), &json!(5), &Value::Null]);
}
