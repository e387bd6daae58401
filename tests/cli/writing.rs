//! Where results are written.

use std::io::Read;
use std::process::Stdio;

use serde_json::json;

use crate::support::{Test, program};

const DIRECTIVE: &str = "```xml\n<directive name=\"x\"/>\n```\nHello.\n";

/// A project with the directive `x`, and nothing in the system tier.
fn test() -> Test {
    Test::new().file("project/.ai/directives/x.md", DIRECTIVE).env("RYE_SYSTEM_SPACE", "none")
}

/// Prompt Rendering, "The directive prompt": name, body, closing tag.
const PROMPT: &str = "<directive name=\"x\">\nHello.\n</directive>";

#[test]
fn plain_is_the_exact_bytes() {
    test().args(["render", "x", "--format", "plain"]).stdout(PROMPT).run();
}

#[test]
fn a_file_has_the_same_content_as_standard_output() {
    let ran = test().args(["render", "x", "--format", "plain", "-o", "out.txt"]).run();
    assert_eq!(ran.read("project/out.txt"), PROMPT);
    assert_eq!(ran.list("project"), [".ai", "out.txt"]);
}

#[test]
fn an_error_leaves_the_file_unchanged() {
    let ran = test()
        .file("project/out.txt", "before")
        .args(["render", "absent", "-o", "out.txt"])
        .any_stderr()
        .status(2)
        .run();
    assert_eq!(ran.read("project/out.txt"), "before");
}

#[test]
fn a_pinned_digest_must_match() {
    let pinned = "0".repeat(64);
    let ran = test().args(["render", "x", "--format", "json", "--expect-sha256", &pinned]).any_stderr().status(2).run();
    assert!(ran.stderr.contains("digest_mismatch"), "{}", ran.stderr);
    let ran = test().args(["render", "x", "--format", "json"]).any_stdout().run();
    let document = ran.json();
    let actual = document["sha256"].as_str().expect("a digest");
    test().args(["render", "x", "--format", "plain", "--expect-sha256", actual]).stdout(PROMPT).run();
}

#[test]
fn all_writes_the_prompts_that_render() {
    let ran = test()
        .file("project/.ai/directives/app/asks.md", "```xml\n<directive name=\"asks\"><inputs><input name=\"who\" type=\"string\" required=\"true\"/></inputs></directive>\n```\nHello {input:who}.\n")
        .file("project/.ai/directives/broken.md", "no block\n")
        .args(["render", "--all", "-o", "out"])
        .any_stderr()
        .status(2)
        .run();
    assert_eq!(ran.list("project/out"), ["app", "x.json"]);
    assert!(ran.stderr.contains("no_xml_block"), "{}", ran.stderr);
    assert!(ran.stderr.contains(".ai/directives/broken.md"), "{}", ran.stderr);
    let asks: serde_json::Value = serde_json::from_str(&ran.read("project/out/app/asks.json")).expect("JSON");
    assert_eq!(asks["messages"][0]["text"], "<directive name=\"asks\">\nHello {input:who}.\n</directive>");
    assert_eq!(asks["inputs"][0]["from"], "placeholder");
}

#[test]
fn all_writes_a_line_for_each_directive() {
    let ran = test()
        .file(
            "project/.ai/directives/app/absent.md",
            "```xml\n<directive name=\"absent\" extends=\"app/none\"/>\n```\n",
        )
        .file("project/.ai/directives/broken.md", "no block\n")
        .args(["render", "--all", "--format", "jsonl"])
        .any_stdout()
        .any_stderr()
        .status(2)
        .run();
    let lines: Vec<serde_json::Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let shown = |it: &serde_json::Value| json!([it["directive"]["id"], it["error"]["code"], it["format"]]);
    let expected = [
        json!(["app/absent", "parent_not_found", null]),
        json!(["broken", "no_xml_block", null]),
        json!(["x", null, "rye-render.prompt/1"]),
    ];
    assert_eq!(lines.iter().map(shown).collect::<Vec<_>>(), expected);
    assert_eq!(lines[1]["directive"]["source"]["path"], ".ai/directives/broken.md");
    let error: serde_json::Value = serde_json::from_str(&ran.stderr).expect("one object");
    assert_eq!(error["error"], lines[0]["error"]);

    let alone = test().args(["render", "x", "--format", "json"]).any_stdout().run().stdout;
    assert_eq!(ran.stdout.lines().last(), alone.strip_suffix('\n'));
    let ran = test().args(["render", "--all", "--format", "jsonl", "-o", "out.jsonl"]).run();
    assert_eq!(ran.read("project/out.jsonl"), alone);
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("project");
    std::fs::create_dir_all(project.join(".ai/directives")).expect("a new folder");
    let text = format!("{DIRECTIVE}{}", "word ".repeat(100_000));
    std::fs::write(project.join(".ai/directives/x.md"), text).expect("a new file");
    for (what, format, beginning) in [("x", "plain", b"<directive"), ("--all", "jsonl", br#"{"format":"#)] {
        let mut child = program(folder.path())
            .args(["render", "--system", "none", what, "--format", format])
            .current_dir(&project)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut first = [0; 10];
        child.stdout.take().expect("it is piped").read_exact(&mut first).expect("the first bytes");
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(&first, beginning);
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()));
    }
}
