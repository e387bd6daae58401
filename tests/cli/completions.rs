//! The completions that shells receive. `.ci/check_completions.py` checks in terminals how the shells use them.

use crate::support::Test;

const DEPLOY: &str = r#"# Deploy
```xml
<directive name="deploy" version="1.0.0">
  <metadata>
    <description>Roll out</description>
    <hooks><hook id="own" event="thread_started"><action primary="load" item_type="knowledge" item_id="rules"/></hook></hooks>
  </metadata>
  <inputs>
    <input name="target" required="true">The environment</input>
    <input name="version">The version</input>
  </inputs>
</directive>
```
"#;

/// Completes the last of these words in a project.
fn asked<const N: usize>(words: [&str; N]) -> Test {
    let project = Test::new()
        .file("project/.ai/directives/deploy.md", DEPLOY)
        .file("project/.ai/directives/team/release.md", DEPLOY)
        .file("project/.ai/knowledge/rules.md", "Rules.\n")
        .file("project/.ai/tools/rollout.py", "x = 1\n")
        .file("other/.ai/directives/elsewhere.md", &DEPLOY.replace("target", "region"));
    of(project, "zsh", words)
}

fn of<const N: usize>(project: Test, shell: &str, words: [&str; N]) -> Test {
    let index = N.to_string();
    project.env("RYE_RENDER_COMPLETE", shell).args(["--", &index, "rye-render"]).args(words)
}

/// The candidates without their descriptions.
fn values<const N: usize>(words: [&str; N]) -> Vec<String> {
    let ran = asked(words).any_stdout().run();
    let mut lines = ran.stdout.lines();
    assert_eq!(lines.next(), Some("values"), "{}", ran.stdout);
    lines.map(|line| line.split('\t').next().unwrap_or_default().to_string()).collect()
}

#[test]
fn ids_show_their_tier_and_inputs_their_description() {
    asked(["render", "d"]).stdout("values\ndeploy\tproject\n").run();
    asked(["render", "deploy", "-i", ""])
        .stdout("values\ntarget=\trequired; The environment\nversion=\tThe version\n")
        .run();
    asked(["chain", "--why", "deploy", "ru"]).stdout("values\nrules\tknowledge, project\n").run();
    asked(["chain", "--why", "deploy", "ro"]).stdout("values\nrollout\ttool, project\n").run();
    asked(["chain", "--why", "ru"]).stdout("values\n").run();
}

#[test]
fn agents_complete_with_their_releases() {
    assert_eq!(values(["render", "--agent", ""]), ["pi", "codex", "claude-code", "opencode", "sf"]);
    let releases = values(["diff", "--left-agent", "codex@0.16"]);
    assert_eq!(releases, ["codex@0.169.0", "codex@0.166.0", "codex@0.160.0"]);
    assert_eq!(values(["lint", "--agent", "codex"])[..2], ["codex", "codex@0.169.0"]);
    assert_eq!(values(["list", "--agent", "pi,co"]), ["pi,codex"]);
}

#[test]
fn earlier_flags_on_the_line_apply() {
    assert_eq!(values(["render", "--project", "../other", "e"]), ["elsewhere"]);
    assert_eq!(values(["render", "--input=target=x", "--project=../other", "elsewhere", "-i", "r"]), ["region="]);
    assert_eq!(values(["render", "deploy", "-i", "target=x", "--input", ""]), ["version="]);
    let sides = ["diff", "HEAD:deploy", "../other/.ai/directives/elsewhere.md"];
    assert_eq!(values([sides[0], sides[1], sides[2], "--left-input", "t"]), ["target="]);
    assert_eq!(values([sides[0], sides[1], sides[2], "--right-input", "r"]), ["region="]);
    assert_eq!(values(["explain", "deploy", "--without-hook", "own"]), ["own"]);
    assert_eq!(values(["render", "--system", "none", "--user-space", "none", ""]), ["deploy", "team/release"]);
    assert_eq!(values(["render", "../other/.ai/directives/elsewhere.md", "-i", ""]), ["region=", "version="]);
}

#[test]
fn values_of_flags_are_offered() {
    assert_eq!(values(["render", "deploy", "--with-context", ""]), ["system=", "before=", "after="]);
    assert_eq!(values(["render", "deploy", "--with-context", "after=ru"]), ["after=rules"]);
    assert_eq!(values(["lint", "--select", "RR001,suppress_b"]), ["RR001,suppress_base_name"]);
    assert_eq!(
        values(["render", "deploy", "--protocol=rye-"]),
        ["--protocol=rye-1", "--protocol=rye-2", "--protocol=rye-3", "--protocol=rye-4"]
    );
    assert_eq!(values(["list", "know"]), ["knowledge"]);
    assert_eq!(values(["schema", "lock"]), ["lock-check"]);
    assert_eq!(values(["chain", "--tier", "pro"]), ["project"]);
    assert_eq!(values(["comp"]), ["completions"]);
}

#[test]
fn protocols_from_the_settings_are_offered() {
    let settings = "protocols:\n  - name: ours\n    extends: rye-3\n";
    let project = Test::new().file("project/.ai/config/rye-render.yaml", settings);
    of(project, "fish", ["render", "--protocol", "o"]).stdout("values\nours\t\n").run();
}

#[test]
fn paths_are_left_to_the_shell() {
    asked(["lint", ""]).stdout("files\n").run();
    asked(["render", "./.ai"]).stdout("files\n").run();
    asked(["render", "--project", ""]).stdout("folders\n").run();
    asked(["explain", "--agent", "codex", ""]).stdout("folders\n").run();
    asked(["explain", "deploy", "--from", ""]).stdout("files\n").run();
}

#[test]
fn skills_and_files_of_a_folder_are_offered() {
    let skill = "---\nname: review\ndescription: Reviews a change.\n---\n";
    let folder =
        Test::plain().file("project/AGENTS.md", "Be kind.\n").file("project/.sf/skills/review/SKILL.md", skill);
    let ran = of(folder, "fish", ["explain", "--protocol", "sf", "--why", ""]).any_stdout().run();
    assert!(ran.stdout.contains("\nreview\tskill\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("project/AGENTS.md\tcontext\n"), "{}", ran.stdout);
}

#[test]
fn bash_gets_the_part_after_a_word_break() {
    let ask = |line: &str, parts: &[&str]| {
        let mut test = Test::new().file("project/.ai/knowledge/a rule.md", "Rules.\n");
        test = test.env("RYE_RENDER_COMPLETE", "bash").args(["--", &(parts.len() - 1).to_string(), line]);
        for part in parts {
            test = test.args([*part]);
        }
        test.any_stdout().run().stdout
    };
    assert_eq!(
        ask(
            "rye-render render x --with-context after=a",
            &["rye-render", "render", "x", "--with-context", "after", "=", "a"]
        ),
        "values\na\\ rule\n"
    );
    assert_eq!(ask("rye-render list --protocol=s", &["rye-render", "list", "--protocol", "=", "s"]), "values\nsf\n");
}

#[cfg(unix)]
#[test]
fn names_with_control_characters_are_left_out() {
    let hostile = |root: &std::path::Path| {
        for name in ["x\ny", "x\u{1b}[2J", "x\u{202e}y", "x\ty", "xy"] {
            std::fs::write(root.join(format!("project/.ai/directives/{name}.md")), DEPLOY).unwrap();
        }
    };
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let project =
            Test::new().file("project/.ai/directives/x.md", &DEPLOY.replace("target", "a\u{1b}]0;b")).with(hostile);
        let test = match shell {
            "bash" => project.env("RYE_RENDER_COMPLETE", shell).args([
                "--",
                "2",
                "rye-render render x",
                "rye-render",
                "render",
                "x",
            ]),
            _ => of(project, shell, ["render", "x"]),
        };
        let ran = test.any_stdout().run();
        let values: Vec<_> = ran.stdout.lines().map(|line| line.split('\t').next().unwrap_or_default()).collect();
        assert_eq!(values, ["values", "x", "xy"], "{shell}");
    }
}

#[test]
fn completion_never_fails() {
    let ask = |words: &[&str]| {
        let mut test = Test::new()
            .file("project/.ai/config/rye-render.yaml", "nonsense: [\n")
            .file("project/.ai/directives/broken.md", "<directive")
            .file("project/.ai/config/agent/hooks.yaml", "hooks: 7\n")
            .env("RYE_RENDER_COMPLETE", "fish");
        for word in words {
            test = test.args([*word]);
        }
        test.any_stdout().run().stdout
    };
    for words in [&[][..], &["--"], &["--", "x"], &["--", "9", "rye-render"], &["--", "0", "rye-render"], &["--", "1"]]
    {
        assert_eq!(ask(words), "", "{words:?}");
    }
    for words in [
        &["--", "2", "rye-render", "nope", ""][..],
        &["--", "4", "rye-render", "render", "broken", "-i", ""],
        &["--", "4", "rye-render", "render", "../../../x", "-i", ""],
        &["--", "4", "rye-render", "render", "--project", "/nowhere", "x"],
        &["--", "4", "rye-render", "render", "--max-item-size", "x", "x"],
        &["--", "3", "rye-render", "render", "--without-hook", ""],
        &["--", "2", "rye-render", "render", "../x/"],
    ] {
        let answer = ask(words);
        assert!(["values\n", "files\n"].iter().any(|kind| answer.starts_with(kind)), "{words:?}: {answer}");
    }
    assert_eq!(ask(&["--", "2", "rye-render", "render", "br"]), "values\nbroken\tproject\n");
}

#[test]
fn checked_in_scripts_are_current() {
    for (shell, file) in [
        ("bash", "rye-render.bash"),
        ("zsh", "_rye-render"),
        ("fish", "rye-render.fish"),
        ("powershell", "rye-render.ps1"),
        ("elvish", "rye-render.elv"),
    ] {
        let path = format!("{}/completions/{file}", env!("CARGO_MANIFEST_DIR"));
        let script = std::fs::read_to_string(path).unwrap();
        assert!(script.contains(&format!("rye-render completions {shell}")) && script.contains("RYE_RENDER_COMPLETE"));
        Test::plain().args(["completions", shell]).stdout(&script).run();
    }
}
