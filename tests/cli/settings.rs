//! Settings of a project, and protocols of its own.

use crate::support::Test;

/// A project with the directive `x`, and nothing in the system tier.
fn test() -> Test {
    Test::new()
        .file("project/.ai/directives/x.md", "```xml\n<directive name=\"x\"/>\n```\nHello.\n")
        .env("RYE_SYSTEM_SPACE", "none")
}

#[test]
fn the_settings_define_protocols() {
    test()
        .file("project/.rye-render.yaml", "protocols:\n  - name: bare\n    extends: rye-3\n    parts: [body]\n")
        .args(["render", "x", "--protocol", "bare", "--format", "plain"])
        .stdout("Hello.")
        .run();
}

#[test]
fn a_protocol_file_beats_the_settings() {
    test()
        .file("project/.rye-render.yaml", "protocols:\n  - name: bare\n    parts: [body]\n")
        .file("project/bare.yaml", "name: bare\nparts: [name, close]\njoiner: \"\"\n")
        .args(["render", "x", "--protocol-file", "bare.yaml", "--protocol", "bare", "--format", "plain"])
        .stdout("<directive name=\"x\"></directive>")
        .run();
}

#[test]
fn an_unknown_protocol_names_the_nearest() {
    test()
        .args(["render", "x", "--protocol", "rye3"])
        .stderr(
            "error[unknown_protocol]: there is no protocol `rye3`; known: rye-1, rye-2, rye-3\n\
             help: did you mean `rye-3`?\n",
        )
        .status(2)
        .run();
}

#[test]
fn a_misspelt_setting_is_a_warning() {
    let ran = test()
        .file("project/.rye-render.yaml", "protocls: []\n")
        .args(["render", "x", "--format", "plain"])
        .any_stdout()
        .any_stderr()
        .run();
    assert!(ran.stderr.starts_with("warning[unknown_setting]: there is no setting `protocls`"), "{}", ran.stderr);
    test()
        .file("project/.rye-render.yaml", "protocls: []\n")
        .args(["render", "x", "--format", "events"])
        .any_stdout()
        .run();
}
