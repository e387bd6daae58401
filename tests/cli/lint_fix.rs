//! `lint --fix` fixes what it can, and touches nothing else.

use std::fs;

use crate::support::{Ran, Test};

/// A directive with an unused allowance.
const DEPLOY: &str = "```xml\n<directive name=\"deploy\" version=\"1.0.0\">\n  <metadata>\n    <description>Deploy a \
                      service</description>\n    <!-- rye-render: allow RR105 it is known -->\n    <context>\n      \
                      <before>deploy/rules</before>\n    </context>\n  </metadata>\n</directive>\n```\n\nDeploy the \
                      service.\n";

const ALLOWANCE: &str = "    <!-- rye-render: allow RR105 it is known -->\n";

const PATH: &str = "project/.ai/directives/deploy.md";

fn project(deploy: &str) -> Test {
    Test::new()
        .file(PATH, deploy)
        .file("project/.ai/knowledge/deploy/rules.md", "```yaml\nname: rules\ncategory: deploy\n```\n\nRules.\n")
}

fn fixed(test: Test) -> Ran {
    test.args(["lint", "--format", "concise", "--fix"]).stderr("fixed 1 finding in 1 file\n").run()
}

#[test]
fn safe_fixes_are_applied_and_the_rest_is_reported() {
    project(DEPLOY)
        .args(["lint", "--format", "concise"])
        .stdout(".ai/directives/deploy.md:5:28: warning[RR901] this allowance is unused: RR105 finds nothing here\n")
        .status(1)
        .run();
    let ran = fixed(project(DEPLOY));
    let after = ran.read(PATH);
    assert_eq!(after, DEPLOY.replace(ALLOWANCE, ""));
    assert_eq!(ran.list("project/.ai/directives"), ["deploy.md"], "nothing is left behind");
    // A second run changes nothing and prints nothing.
    let again = project(&after).args(["lint", "--format", "concise", "--fix"]).run();
    assert_eq!(again.read(PATH), after);
}

#[test]
fn line_endings_are_kept() {
    for end in ["\r\n", "\r"] {
        let on_disk = |text: &str| text.replace('\n', end);
        let ran = fixed(project(&on_disk(DEPLOY)));
        assert_eq!(ran.read(PATH), on_disk(&DEPLOY.replace(ALLOWANCE, "")));
    }
}

#[test]
fn a_patch_shows_what_would_change() {
    let expected = "--- a/.ai/directives/deploy.md\n+++ b/.ai/directives/deploy.md\n@@ -2,7 +2,6 @@\n <directive \
                    name=\"deploy\" version=\"1.0.0\">\n   <metadata>\n     <description>Deploy a \
                    service</description>\n-    <!-- rye-render: allow RR105 it is known -->\n     <context>\n       \
                    <before>deploy/rules</before>\n     </context>\n";
    for flags in [["lint", "--fix", "--diff"], ["lint", "--diff", "--diff"]] {
        let flags = if flags[1] == flags[2] { vec!["lint", "--diff"] } else { flags.to_vec() };
        let test = flags.into_iter().fold(project(DEPLOY), |test, flag| test.args([flag]));
        let ran = test.stdout(expected).stderr("would fix 1 finding in 1 file\n").status(1).run();
        assert_eq!(ran.read(PATH), DEPLOY, "nothing is written");
    }
    // Without fixes, there is no patch.
    project(&DEPLOY.replace(ALLOWANCE, "")).args(["lint", "--fix", "--diff"]).run();
}

#[test]
fn patch_and_git_apply_the_patch() {
    let text = DEPLOY.replace('\n', "\r\n");
    let patch = project(&text).args(["lint", "--diff"]).any_stdout().any_stderr().status(1).run().stdout;
    for command in [&["patch", "--binary", "-p1"][..], &["git", "apply", "-"]] {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join(".ai/directives")).unwrap();
        let path = folder.path().join(".ai/directives/deploy.md");
        fs::write(&path, &text).unwrap();
        fs::write(folder.path().join("patch"), &patch).unwrap();
        let input = fs::File::open(folder.path().join("patch")).unwrap();
        let mut run = std::process::Command::new(command[0]);
        let Ok(output) = run.args(&command[1..]).current_dir(folder.path()).stdin(input).output() else {
            crate::support::missing(command[0]);
            continue;
        };
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(fs::read_to_string(&path).unwrap(), DEPLOY.replace(ALLOWANCE, "").replace('\n', "\r\n"));
    }
}

#[test]
fn unsafe_fixes_needs_fix() {
    project(DEPLOY).args(["lint", "--unsafe-fixes"]).any_stderr().status(2).run();
    let test = project(DEPLOY).args(["lint", "--format", "concise", "--unsafe-fixes", "--fix"]);
    test.stderr("fixed 1 finding in 1 file\n").run();
}

#[test]
fn formats_for_programs_get_no_messages() {
    let ran = project(DEPLOY).args(["lint", "--format", "json", "--fix"]).any_stdout().run();
    assert_eq!(ran.read(PATH), DEPLOY.replace(ALLOWANCE, ""));
}

/// Editors use this for unsaved text.
#[test]
fn standard_input_is_fixed_on_standard_output() {
    let path = ".ai/directives/deploy.md";
    let piped = |text: &str| project("On disk.\n").stdin(text).args(["lint", "--fix", "--stdin-filename", path]);
    let fixed = DEPLOY.replace(ALLOWANCE, "");
    let ran = piped(DEPLOY).stdout(&fixed).any_stderr().run();
    assert!(ran.stderr.contains("fixed 1 finding in 1 file") && !ran.stderr.contains("left_alone"), "{}", ran.stderr);
    assert_eq!(ran.read(PATH), "On disk.\n");
    // Text without fixes is written back unchanged, and its findings are reported.
    piped(&fixed).stdout(&fixed).any_stderr().run();
    let ran = piped("No block.\n").stdout("No block.\n").any_stderr().status(1).run();
    assert!(ran.stderr.contains("error[RR001]"), "{}", ran.stderr);
    // Text that is not an item is written back too.
    let other = project(DEPLOY).stdin("Words.\n").args(["lint", "--fix", "--stdin-filename", "README.md"]);
    other.stdout("Words.\n").any_stderr().run();
    let report = piped("No block.\n").args(["-o", "report"]).stdout("No block.\n").status(1).run();
    assert!(report.read("project/report").contains("error[RR001]"));
    // A patch applies to the text on standard input.
    let ran = piped(DEPLOY).args(["--diff"]).any_stdout().any_stderr().status(1).run();
    assert!(ran.stdout.starts_with("--- a/.ai/directives/deploy.md"), "{}", ran.stdout);
}

/// A signed directive with a suppression that could be fixed.
fn signed() -> Test {
    let suppresses =
        DEPLOY.replace(ALLOWANCE, "").replace("    </context>", "      <suppress>rules</suppress>\n    </context>");
    let line = format!("<!-- rye:signed:2026-04-06T04:31:43Z:{}:x:{} -->\n", "0".repeat(64), "0".repeat(16));
    project(DEPLOY).file("project/.ai/directives/signed/deploy.md", &format!("{line}{suppresses}"))
}

/// Programs read only the report, so nothing else is printed.
#[test]
fn json_lists_applied_and_skipped_fixes() {
    let fixes = |flags: &[&str]| {
        let test = signed().args(["lint", "--select", "RR901,RR105", "--format", "json"]).any_stdout();
        let status = i32::from(!flags.contains(&"--unsafe-fixes"));
        flags.iter().fold(test, |test, flag| test.args([flag])).status(status).run().json()
    };
    let fixed = |path: &str| {
        serde_json::json!({"project": null, "path": path, "fixed": 1, "allowed": 0, "left": 0, "reason": null,
            "message": null, "help": null})
    };
    let [plain, signed] = [".ai/directives/deploy.md", ".ai/directives/signed/deploy.md"];
    let left = serde_json::json!({"project": null, "path": signed, "fixed": 0, "allowed": 0, "left": 1,
        "reason": "signed", "message": "not changed: its signature would become invalid",
        "help": "add --unsafe-fixes, and sign it again"});
    assert_eq!(fixes(&["--fix"])["fixes"], serde_json::json!([fixed(plain), left]));
    assert_eq!(fixes(&["--fix", "--unsafe-fixes"])["fixes"], serde_json::json!([fixed(plain), fixed(signed)]));
    let alone = fixes(&[]);
    assert!(alone["fixes"].is_null());
    assert_eq!((&alone["summary"]["fixable"], &alone["summary"]["fixable_unsafe"]), (&1.into(), &1.into()));
}

#[test]
fn text_does_not_offer_fixes_in_signed_files() {
    let text = |test: Test| test.args(["lint", "--select", "RR901,RR105"]).any_stdout().any_stderr().status(1).run();
    let before = text(signed()).stdout;
    assert!(before.ends_with("; 1 can be fixed with --fix, 1 in signed files with --unsafe-fixes\n"), "{before}");
    let after = text(signed().args(["--color", "never"])).stdout;
    assert_eq!(after, before, "the same bytes each time");
    let ran = signed().args(["lint", "--select", "RR901,RR105", "--fix"]).any_stdout().any_stderr().status(1).run();
    assert!(ran.stdout.ends_with("; 1 in signed files can be fixed with --fix --unsafe-fixes\n"), "{}", ran.stdout);
}

#[cfg(unix)]
mod unix {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::Path;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn modes_and_links_are_kept() {
        let test = Test::new()
            .file("project/.ai/kept/deploy.md", DEPLOY)
            .file("project/.ai/knowledge/deploy/rules.md", "```yaml\nname: rules\ncategory: deploy\n```\n\nRules.\n")
            .with(|root| {
                fs::set_permissions(root.join("project/.ai/kept/deploy.md"), Permissions::from_mode(0o750)).unwrap();
                fs::create_dir(root.join("project/.ai/directives")).unwrap();
                symlink("../kept/deploy.md", root.join(PATH)).unwrap();
            });
        let mut root = None;
        let test = test.with(|path| root = Some(path.to_path_buf()));
        let ran = fixed(test);
        let root = root.unwrap();
        assert_eq!(ran.read("project/.ai/kept/deploy.md"), DEPLOY.replace(ALLOWANCE, ""));
        assert_eq!(mode(&root.join("project/.ai/kept/deploy.md")), 0o750);
        assert!(root.join(PATH).is_symlink());
    }

    #[test]
    fn a_link_that_leaves_the_project_is_never_written_through() {
        let outside = |root: &Path| {
            fs::write(root.join("outside.md"), DEPLOY).unwrap();
            fs::create_dir_all(root.join("project/.ai/directives")).unwrap();
            symlink(root.join("outside.md"), root.join(PATH)).unwrap();
        };
        let test = Test::new()
            .file("project/.ai/knowledge/deploy/rules.md", "```yaml\nname: rules\ncategory: deploy\n```\n\nRules.\n")
            .with(outside);
        let ran = test
            .args(["lint", "--format", "concise", "--fix", "--follow-links"])
            .any_stdout()
            .any_stderr()
            .status(1)
            .run();
        assert!(
            ran.stderr.contains("warning[left_alone]: not changed: a link leads out of the project"),
            "{}",
            ran.stderr
        );
        assert_eq!(ran.read("outside.md"), DEPLOY);
        assert!(ran.stdout.contains("warning[RR901]"), "what is left is reported: {}", ran.stdout);
    }

    #[test]
    fn a_read_only_file_gives_a_warning() {
        let test = project(DEPLOY).with(|root| {
            fs::set_permissions(root.join(PATH), Permissions::from_mode(0o444)).unwrap();
        });
        let ran = test.args(["lint", "--format", "concise", "--fix"]).any_stdout().any_stderr().status(1).run();
        assert!(ran.stderr.starts_with("warning[left_alone]"), "nothing was fixed: {}", ran.stderr);
        assert!(ran.stdout.contains("warning[RR901]"), "{}", ran.stdout);

        assert!(!ran.stderr.contains("fixed") && !ran.stdout.contains("can be fixed"), "{}", ran.stdout);

        let read_only = || {
            project(DEPLOY).with(|root| {
                fs::set_permissions(root.join(PATH), Permissions::from_mode(0o444)).unwrap();
            })
        };
        // A fix that cannot be applied is not offered either.
        let ran = read_only().args(["lint", "--fix"]).any_stdout().any_stderr().status(1).run();
        assert!(!ran.stdout.contains("can be fixed"), "{}", ran.stdout);
        let ran = read_only().args(["lint", "--diff"]).any_stderr().stdout("").run();
        assert!(ran.stderr.starts_with("warning[left_alone]") && !ran.stderr.contains("would fix"), "{}", ran.stderr);

        let test = read_only();
        let json = test.args(["lint", "--format", "json", "--fix"]).any_stdout().status(1).run().json();
        let left = &json["fixes"][0];
        assert_eq!((&left["fixed"], &left["left"], &left["reason"]), (&0.into(), &1.into(), &"read_only".into()));

        let mut folder = None;
        let test = project(DEPLOY).with(|root| folder = Some(root.join("project/.ai/directives")));
        let folder = folder.unwrap();
        fs::set_permissions(&folder, Permissions::from_mode(0o555)).unwrap();
        if fs::write(folder.join("probe"), "").is_ok() {
            fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
            crate::announce("not run: this user may write everywhere");
            return;
        }
        let ran = test.args(["lint", "--format", "concise", "--fix"]).any_stdout().any_stderr().status(2).run();
        fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
        assert!(ran.stderr.contains("error[not_written]"), "{}", ran.stderr);
        assert!(ran.stdout.contains("warning[RR901]"), "{}", ran.stdout);
    }
}
