//! The exit status of `lint`: 1 for findings, 2 for failures, never the wrong one.

use crate::support::Test;

/// A project with an error.
fn broken() -> Test {
    Test::new().file("project/.ai/directives/broken.md", "Nothing but words.\n").any_stdout().any_stderr()
}

#[test]
fn an_invalid_item_is_a_finding() {
    for format in ["text", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit", "rdjson"] {
        broken().args(["lint", "--format", format]).status(1).run();
        broken().args(["lint", "--format", format, "--fail-on", "off"]).status(0).run();
        Test::new().args(["lint", "--format", format]).any_stdout().status(0).run();
    }
    let bytes = |path: &str, bytes: &'static [u8]| {
        let path = path.to_string();
        broken().with(move |root| std::fs::write(root.join(path), bytes).expect("a new file"))
    };
    bytes("project/.ai/directives/bytes.md", b"\xff\xfe\x00```xml").args(["lint"]).status(1).run();
    broken().file("project/.ai/config/agent/hooks.yaml", "hooks: {").args(["lint"]).status(1).run();
    broken().file("project/.ai/directives/deep.md", &"<a>".repeat(10_000)).args(["lint"]).status(1).run();
}

#[test]
fn a_failure_is_an_error_even_with_findings() {
    for arguments in [
        ["--select", "nothing"],
        ["--fail-on", "loud"],
        ["--format", "paper"],
        ["--exclude", "["],
        ["--protocol", "rye-9"],
        ["--baseline", "missing.json"],
        ["--explain", "RR000"],
        ["--project", "nowhere"],
        ["--", "missing.md"],
    ] {
        broken().args(["lint"]).args(arguments).status(2).run();
    }
    let settings = "lint: {rules: {RR001: loud}}\n";
    broken().file("project/.ai/config/rye-render.yaml", settings).args(["lint", "--fail-on", "off"]).status(2).run();
}
