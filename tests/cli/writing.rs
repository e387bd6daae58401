//! Where results are written.

use std::io::Read;
use std::process::Stdio;

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
fn a_closed_pipe_ends_the_program_quietly() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("long.md");
    std::fs::write(&path, format!("{DIRECTIVE}{}", "word ".repeat(100_000))).expect("a new file");
    let mut child = program(folder.path())
        .args(["render", "--system", "none", "--format", "plain"])
        .arg(&path)
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut first = [0; 10];
    child.stdout.take().expect("it is piped").read_exact(&mut first).expect("the first bytes");
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(&first, b"<directive");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()));
}
