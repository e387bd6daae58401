//! How a directive is named, and which value wins if a tier, an input or a variable is given twice.

use crate::support::Test;

const GREETING: &str = "```xml\n<directive name=\"x\"><inputs><input name=\"who\" type=\"string\"/></inputs></directive>\n```\n\
                        {input:who|nobody} in {env:PLACE:nowhere}\n";

fn prompt(line: &str) -> String {
    format!("<directive name=\"x\">\n{line}\n</directive>")
}

/// A project with the directive `app/x`, and nothing in the system tier.
fn test() -> Test {
    Test::new().file("project/.ai/directives/app/x.md", GREETING).env("RYE_SYSTEM_SPACE", "none")
}

#[test]
fn an_id_and_a_file_give_the_same_prompt() {
    let expected = prompt("nobody in nowhere");
    for name in
        ["app/x", ".ai/directives/app/x.md", "./.ai/directives/app/x.md", "[ROOT]/project/.ai/directives/app/x.md"]
    {
        test().args(["render", name, "--format", "plain"]).stdout(&expected).run();
    }
}

#[test]
fn a_file_in_another_project_gets_its_id_and_tiers_from_there() {
    let ran = test()
        .file("other/.ai/directives/y.md", "```xml\n<directive name=\"y\" extends=\"base\"/>\n```\nY\n")
        .file("other/.ai/directives/base.md", "```xml\n<directive name=\"base\"/>\n```\n")
        .args(["render", "../other/.ai/directives/y.md", "--format", "json"])
        .any_stdout()
        .run();
    let document = ran.json();
    assert_eq!(document["directive"]["id"], "y");
    assert_eq!(document["directive"]["source"]["path"], ".ai/directives/y.md");
    assert_eq!(document["chain"][0]["id"], "base");
}

#[test]
fn the_id_of_a_file_outside_a_tier_is_its_stem() {
    let ran = test().file("project/notes/draft.md", GREETING).args(["render", "notes/draft.md", "--format", "json"]);
    let document = ran.any_stdout().run().json();
    assert_eq!(document["directive"]["id"], "draft");
    assert_eq!(document["directive"]["source"]["path"], "notes/draft.md");
}

#[test]
fn a_flag_overrides_a_file_and_the_environment() {
    test()
        .file("project/in.yaml", "who: file\n")
        .file("project/.env", "# where\nexport PLACE='a file'\n")
        .env("PLACE", "the process")
        .args(["render", "app/x", "--inputs", "in.yaml", "--env-file", ".env", "--format", "plain"])
        .stdout(&prompt("file in a file"))
        .run();
    test()
        .env("PLACE", "the process")
        .args(["render", "app/x", "--inputs", "-", "-i", "who=flag", "--env", "PLACE=a flag", "--format", "plain"])
        .stdin("{\"who\": \"stdin\"}")
        .stdout(&prompt("flag in a flag"))
        .run();
    test()
        .env("PLACE", "the process")
        .args(["render", "app/x", "--input-json", "who=[1, 2.50, null]", "--no-env", "--format", "plain"])
        .stdout(&prompt("[1, 2.5, None] in nowhere"))
        .run();
}

#[test]
fn an_id_cannot_leave_its_folder() {
    test()
        .args(["render", "app/../x", "--format", "json"])
        .stderr(concat!(
            r#"{"error":{"code":"invalid_id","message":"`app/../x` is not a valid item id: one of its parts is `.` or `..`","#,
            r#""help":"write the path below the folder for its kind, without the extension: `project/deploy/rules`","#,
            r#""source":null}}"#,
            "\n"
        ))
        .status(2)
        .run();
}
