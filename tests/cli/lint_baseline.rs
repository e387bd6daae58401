//! `lint --baseline`: an old project adopts the linter.

use crate::support::Test;

const DEPLOY: &str = "```xml\n<directive name=\"deploy\" version=\"1.0.0\">\n  <metadata>\n    <description>Deploy a \
                      service</description>\n    <context>\n      <before>deploy/rules</before>\n      \
                      <suppress>rules</suppress>\n    </context>\n  </metadata>\n</directive>\n```\n\nDeploy the \
                      service.\n";

const PATH: &str = "project/.ai/directives/deploy.md";

const BASELINE: &str = "{\n  \"format\": \"rye-render.lint-baseline/1\",\n  \"findings\": [\n    {\"file\": \
                        \".ai/directives/deploy.md\", \"rule\": \"RR105\", \"line\": \"<suppress>rules</suppress>\"}\n  \
                        ]\n}\n";

fn project(deploy: &str) -> Test {
    Test::new()
        .file(PATH, deploy)
        .file("project/.ai/knowledge/deploy/rules.md", "```yaml\nname: rules\ncategory: deploy\n```\n\nRules.\n")
}

#[test]
fn listed_findings_are_ignored() {
    let ran = project(DEPLOY)
        .args(["lint", "--format", "concise", "--baseline", "known.json", "--update-baseline"])
        .stderr("1 finding in known.json\n")
        .run();
    assert_eq!(ran.read("project/known.json"), BASELINE);
    // Added lines above it make no difference.
    let moved = DEPLOY.replace("    <context>", "\n\n    <context>");
    project(&moved)
        .file("project/known.json", BASELINE)
        .args(["lint", "--format", "concise", "--baseline", "known.json"])
        .run();
}

#[test]
fn new_findings_are_reported() {
    let twice = DEPLOY.replace("    </context>", "      <suppress>rules</suppress>\n    </context>");
    let ran = project(&twice)
        .file("project/known.json", BASELINE)
        .args(["lint", "--format", "concise", "--baseline", "known.json"])
        .any_stdout()
        .status(1)
        .run();
    assert_eq!(ran.stdout.matches("RR105").count(), 1, "{}", ran.stdout);
}

#[test]
fn fixed_findings_are_removed_from_the_baseline() {
    let clean = DEPLOY.replace("      <suppress>rules</suppress>\n", "");
    project(&clean)
        .file("project/known.json", BASELINE)
        .args(["lint", "--format", "concise", "--baseline", "known.json"])
        .stderr("1 finding in known.json no longer occurs; update it with --update-baseline\n")
        .run();
    let ran = project(&clean)
        .file("project/known.json", BASELINE)
        .args(["lint", "--format", "concise", "--baseline", "known.json", "--update-baseline"])
        .stderr("0 findings in known.json\n")
        .run();
    assert!(ran.read("project/known.json").ends_with("\"findings\": []\n}\n"));
}

#[test]
fn an_invalid_baseline_is_an_error_and_is_kept() {
    let broken = BASELINE.replace("\"RR105\"", "\"RR999\"");
    for flags in [&["--baseline", "known.json"][..], &["--baseline", "known.json", "--update-baseline"]] {
        let test = project(DEPLOY).file("project/known.json", &broken).args(["lint", "--format", "concise"]);
        let test = flags.iter().fold(test, |test, flag| test.args([flag]));
        let ran = test.any_stderr().status(2).run();
        let expected = "error[invalid_argument]: this is not a `lint` baseline: unknown rule `RR999`\n";
        assert!(ran.stderr.starts_with(expected), "{}", ran.stderr);
        assert!(ran.stderr.contains("known.json:4:"), "{}", ran.stderr);
        assert_eq!(ran.read("project/known.json"), broken);
    }
    let ran = project(DEPLOY).args(["lint", "--baseline", "absent.json"]).any_stderr().status(2).run();
    assert!(ran.stderr.contains("baseline absent.json not found"), "{}", ran.stderr);
    project(DEPLOY).args(["lint", "--update-baseline"]).any_stderr().status(2).run();
}
