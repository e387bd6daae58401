//! Allowances, and `lint --add-allow`.

use crate::support::Test;

/// A directive that suppresses an item by its short name; `{}` marks the line before the suppression.
const DEPLOY: &str = "```xml\n<directive name=\"deploy\" version=\"1.0.0\">\n  <metadata>\n    <description>Deploy a \
                      service</description>\n    <context>\n      <before>deploy/rules</before>\n{}      \
                      <suppress>rules</suppress>\n    </context>\n  </metadata>\n</directive>\n```\n\nDeploy the \
                      service.\n";

const PATH: &str = "project/.ai/directives/deploy.md";

const ALLOWANCE: &str = "      <!-- rye-render: allow RR105 the hook comes later -->\n";

fn project(deploy: &str) -> Test {
    Test::new()
        .file(PATH, deploy)
        .file("project/.ai/knowledge/deploy/rules.md", "```yaml\nname: rules\ncategory: deploy\n```\n\nRules.\n")
}

/// The codes of the findings.
fn codes(stdout: &str) -> Vec<&str> {
    stdout.lines().filter_map(|line| Some(line.split_once('[')?.1.split_once(']')?.0)).collect()
}

#[test]
fn an_allowed_finding_is_not_reported() {
    let ran = project(&DEPLOY.replace("{}", "")).args(["lint", "--format", "concise"]).any_stdout().status(1).run();
    assert_eq!(codes(&ran.stdout), ["RR105"]);
    project(&DEPLOY.replace("{}", ALLOWANCE)).args(["lint", "--format", "concise"]).run();
}

#[test]
fn an_allow_comment_does_not_change_the_prompt() {
    let rendered = |deploy: &str| {
        let ran = project(deploy).args(["render", "deploy", "--format", "plain"]).any_stdout().any_stderr().run();
        ran.stdout
    };
    assert_eq!(rendered(&DEPLOY.replace("{}", "")), rendered(&DEPLOY.replace("{}", ALLOWANCE)));
}

#[test]
fn an_allow_comment_without_a_reason_allows_nothing() {
    let text = DEPLOY.replace("{}", "      <!-- rye-render: allow RR105 -->\n");
    let ran = project(&text).args(["lint", "--format", "concise"]).any_stdout().status(1).run();
    assert_eq!(codes(&ran.stdout), ["RR902", "RR105"]);
    assert!(ran.stdout.contains("warning[RR902] this allowance gives no reason\n"), "{}", ran.stdout);
}

#[test]
fn add_allow_writes_comments_next_to_findings() {
    let ran = project(&DEPLOY.replace("{}", ""))
        .args(["lint", "--format", "concise", "--add-allow", "the hook comes later"])
        .stderr("allowed 1 finding in 1 file\n")
        .run();
    assert_eq!(ran.read(PATH), DEPLOY.replace("{}", ALLOWANCE));
}

#[test]
fn a_patch_shows_the_comments_to_add() {
    let text = DEPLOY.replace("{}", "");
    let ran = project(&text)
        .args(["lint", "--add-allow", "the hook comes later", "--diff"])
        .any_stdout()
        .stderr("would allow 1 finding in 1 file\n")
        .status(1)
        .run();
    assert!(ran.stdout.contains(&format!("\n+{ALLOWANCE}")), "{}", ran.stdout);
    assert_eq!(ran.read(PATH), text);
}

#[test]
fn a_setting_is_printed_where_no_comment_is_valid() {
    let ran = Test::new()
        .file("project/.ai/directives/broken.md", "Text.\n")
        .args(["lint", "--format", "concise", "--add-allow", "it is old"])
        .any_stdout()
        .any_stderr()
        .status(1)
        .run();
    assert_eq!(codes(&ran.stdout), ["RR001"]);
    let expected = "1 finding cannot be allowed by a comment; add these lines to .ai/config/rye-render.yaml instead:\n\
                    lint:\n  paths:\n    - {files: [\".ai/directives/broken.md\"], ignore: [RR001]}\n";
    assert_eq!(ran.stderr, expected);
    assert_eq!(ran.read("project/.ai/directives/broken.md"), "Text.\n");
}

#[test]
fn a_signed_file_is_not_changed() {
    let text = format!("<!-- rye:signed:x -->\n{}", DEPLOY.replace("{}", ""));
    let ran = project(&text)
        .args(["lint", "--format", "concise", "--add-allow", "the hook comes later", "--fix"])
        .any_stdout()
        .any_stderr()
        .status(1)
        .run();
    assert_eq!(ran.read(PATH), text);
    assert!(codes(&ran.stdout).contains(&"RR105"));
}

#[test]
fn a_reason_that_ends_a_comment_is_refused() {
    let ran = project(&DEPLOY.replace("{}", "")).args(["lint", "--add-allow", "so -- so"]).any_stderr().status(2).run();
    assert!(ran.stderr.starts_with("error[invalid_argument]: the reason contains `--`"), "{}", ran.stderr);
    assert_eq!(ran.read(PATH), DEPLOY.replace("{}", ""));
}

/// Otherwise a wrong allowance could go unnoticed.
#[test]
fn findings_about_allow_comments_cannot_be_allowed() {
    let text = DEPLOY.replace("{}", "      <!-- rye-render: allow RR105 -->\n");
    let settings = "lint: {paths: [{files: [deploy.md], ignore: [RR902, RR105], rules: {RR901: off}}]}\n";
    let of = |settings: &str| project(&text).file("project/.ai/config/rye-render.yaml", settings);
    let ran = of(settings).args(["lint", "--format", "concise"]).any_stdout().status(1).run();
    assert_eq!(codes(&ran.stdout), ["RR902"]);
    let ran = of(&settings.replace("[RR902, RR105]", "[ALL]")).args(["lint", "--format", "concise"]);
    assert_eq!(codes(&ran.any_stdout().status(1).run().stdout), ["RR902"]);
    let ran = of("").args(["lint", "--add-allow", "it is old"]).any_stdout().any_stderr().status(1).run();
    assert!(!ran.stderr.contains("ignore: [RR902]"), "{}", ran.stderr);
    assert!(ran.stderr.contains("1 finding about allowances must be fixed by hand"), "{}", ran.stderr);
}
