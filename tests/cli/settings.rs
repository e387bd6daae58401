//! Settings and the protocols that they define.

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
        .file(
            "project/.ai/config/rye-render.yaml",
            "protocols:\n  - name: bare\n    extends: rye-3\n    parts: [body]\n",
        )
        .args(["render", "x", "--protocol", "bare", "--format", "plain"])
        .stdout("Hello.")
        .run();
}

#[test]
fn a_protocol_file_overrides_the_settings() {
    test()
        .file("project/.ai/config/rye-render.yaml", "protocols:\n  - name: bare\n    parts: [body]\n")
        .file("project/bare.yaml", "name: bare\nparts: [name, close]\njoiner: \"\"\n")
        .args(["render", "x", "--protocol-file", "bare.yaml", "--protocol", "bare", "--format", "plain"])
        .stdout("<directive name=\"x\"></directive>")
        .run();
}

#[test]
fn an_unknown_protocol_is_reported_with_the_nearest() {
    test()
        .args(["render", "x", "--protocol", "rye3"])
        .stderr(
            "error[unknown_protocol]: unknown protocol `rye3`; known: rye-1, rye-2, rye-3, rye-4, sf\n\
             help: did you mean `rye-3`?\n",
        )
        .status(2)
        .run();
}

#[test]
fn a_misspelt_setting_is_an_error_with_its_line() {
    let error = "\
error[unknown_setting]: unknown setting `protocls`; known: protocol, protocols, agents, examples, lint
 --> project .ai/config/rye-render.yaml:2:1
  |
2 | protocls: []
  | ^^^^^^^^
  |
  = help: did you mean `protocols`?
";
    test()
        .file("project/.ai/config/rye-render.yaml", "# settings\nprotocls: []\n")
        .args(["render", "x", "--format", "plain"])
        .stderr(error)
        .status(2)
        .run();
}

#[test]
fn settings_of_all_tiers_apply_and_the_project_wins() {
    let defined = "protocols:\n  - {name: bare, parts: [body]}\n";
    let plain = |test: Test, prompt: &str| drop(test.stdout(prompt).run());
    let both = || {
        test()
            .args(["render", "x", "--format", "plain"])
            .file("home/.ai/config/rye-render.yaml", &format!("protocol: rye-1\n{defined}"))
            .file("project/.ai/config/rye-render.yaml", "protocol: bare\n")
    };
    plain(both(), "Hello.");
    // A flag overrides the settings.
    plain(both().args(["--protocol", "rye-3"]), "<directive name=\"x\">\nHello.\n</directive>");
    // A definition in the project overrides one in a lower tier.
    let own = "protocol: bare\nprotocols:\n  - {name: bare, extends: bare, parts: [body, close], joiner: \"!\"}\n";
    plain(both().file("project/.ai/config/rye-render.yaml", own), "Hello.!</directive>");
}

#[test]
fn an_unknown_protocol_in_the_settings_is_an_error_with_its_line() {
    test()
        .file("project/.ai/config/rye-render.yaml", "protocol: rye3\n")
        .args(["render", "x"])
        .stderr(
            "error[unknown_protocol]: unknown protocol `rye3`; known: rye-1, rye-2, rye-3, rye-4\n \
             --> project .ai/config/rye-render.yaml:1:11\n  |\n1 | protocol: rye3\n  |           ^^^^\n  |\n  \
             = help: did you mean `rye-3`?\n",
        )
        .status(2)
        .run();
}

#[test]
fn the_protocol_in_the_settings_determines_the_embedded_bundle() {
    let tiers = |settings: &str| {
        Test::new()
            .file("project/.ai/directives/x.md", "```xml\n<directive name=\"x\"/>\n```\nHello.\n")
            .file("project/.ai/config/rye-render.yaml", settings)
            .args(["render", "x", "--format", "plain"])
            .any_stdout()
            .run()
            .stdout
    };
    let named = Test::new()
        .file("project/.ai/directives/x.md", "```xml\n<directive name=\"x\"/>\n```\nHello.\n")
        .args(["render", "x", "--format", "plain", "--protocol", "rye-1"])
        .any_stdout()
        .run();
    assert_eq!(tiers("protocol: rye-1\n"), named.stdout);
    assert_ne!(tiers("{}"), named.stdout);
}

#[test]
fn settings_at_their_former_path_give_a_warning() {
    test()
        .file("project/.rye-render.yaml", "protocol: bare\n")
        .args(["render", "x", "--format", "plain"])
        .stdout("<directive name=\"x\">\nHello.\n</directive>")
        .stderr(
            "warning[settings_moved]: this file is ignored: settings are read from .ai/config/rye-render.yaml\n  \
             --> project .rye-render.yaml\nhelp: move its content there, and delete this file\n",
        )
        .run();
}

/// The user-wide file has the lowest precedence, and `--show-settings` shows its path.
#[test]
fn user_wide_settings_apply_to_every_project() {
    let config = "home/.config/rye-render/config.yaml";
    let plain = ["render", "x", "--format", "plain", "--protocol", "bare"];
    let bare = "protocols:\n  - name: bare\n    extends: rye-3\n    parts: [body]\nlint: {fail_on: error}\n";
    let with_config = || test().file(config, bare);
    with_config().args(plain).stdout("Hello.").run();
    test()
        .file("xdg/rye-render/config.yaml", bare)
        .env("XDG_CONFIG_HOME", "[ROOT]/xdg")
        .args(plain)
        .stdout("Hello.")
        .run();
    with_config().args(plain).args(["--user-space", "none"]).any_stderr().status(2).run();

    let shown = with_config().args(["lint", "--show-settings"]).any_stdout().run().stdout;
    let line = shown.lines().find(|line| line.starts_with("lint.fail_on ")).expect("it is set");
    assert!(line.ends_with("  [ROOT]/home/.config/rye-render/config.yaml:5"), "{line}");
    let project = with_config().file("project/.ai/config/rye-render.yaml", "lint: {fail_on: note}\n");
    let shown = project.args(["lint", "--show-settings"]).any_stdout().run().stdout;
    assert!(shown.contains("project .ai/config/rye-render.yaml:1"), "{shown}");

    let wrong = test().file(config, "protocl: rye-1\n").args(["render", "x"]).any_stderr().status(2).run();
    assert!(wrong.stderr.contains("[ROOT]/home/.config/rye-render/config.yaml:1:1"), "{}", wrong.stderr);
}
