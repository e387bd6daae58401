//! `lock`: the digests of all prompts in one file.

use crate::support::Test;

/// Two directives, one of which shows an input and variables, and a hook that shows the project's folder.
fn project() -> Test {
    let deploy = "```xml\n<directive name=\"deploy\" version=\"1.0.0\">\n  <metadata>\n    <context>\n      \
                  <before>rules</before>\n    </context>\n    <permissions>\n      <execute><tool>*</tool></execute>\n    \
                  </permissions>\n  </metadata>\n  <inputs>\n    <input name=\"target\" required=\"true\">Where</input>\n  \
                  </inputs>\n</directive>\n```\n\nDeploy to {input:target} as {env:TEAM}, {env:SHIFT:day}.\n";
    let hook = "context_hooks:\n  - id: where\n    event: thread_started\n    action:\n      \
                primary: fetch\n      item_type: knowledge\n      item_id: where\n";
    Test::new()
        .file("project/.ai/directives/deploy.md", deploy)
        .file("project/.ai/directives/ping.md", "```xml\n<directive name=\"ping\"/>\n```\nPing.\n")
        .file("project/.ai/knowledge/rules.md", "```yaml\nname: rules\n```\nNever on a Friday.\n")
        .file("project/.ai/knowledge/where.md", "Folder: ${project_path}\n")
        .file("project/.ai/config/agent/hook_conditions.yaml", hook)
        .env("RYE_SYSTEM_SPACE", "none")
}

/// The file that `lock` writes.
fn locked(test: Test) -> String {
    test.args(["lock"]).stdout("2 prompts in rye-render.lock\n").run().read("project/rye-render.lock")
}

#[test]
fn the_lock_has_one_line_per_prompt() {
    let text = locked(project());
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "rye-render.lock/1");
    assert_eq!(lines[2..7], ["protocol rye-3", "tokenizer chars4", "tiers project", "flags", ""]);
    let ids: Vec<_> = lines[7..].iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(ids, ["deploy", "ping"]);
    assert!(text.ends_with('\n') && !text.ends_with("\n\n"));
}

#[test]
fn digests_are_those_of_the_prompts() {
    let text = locked(project());
    let rendered = project().args(["render", "ping", "--format", "json"]).any_stdout().run().json();
    let tokens: u64 = rendered["messages"].as_array().unwrap().iter().map(|m| m["tokens"].as_u64().unwrap()).sum();
    // The text of the hook contains the folder's path, which the lock replaces with a word.
    let [prompt] = rendered["messages"].as_array().unwrap().as_slice() else { panic!("one message") };
    assert!(prompt["text"].as_str().unwrap().contains("Folder: "));
    assert!(!text.contains(rendered["sha256"].as_str().unwrap()));
    let without = |test: Test| test.file("project/.ai/knowledge/where.md", "Folder: hidden\n");
    let rendered = without(project()).args(["render", "ping", "--format", "json"]).any_stdout().run().json();
    let expected = format!("ping {tokens} {} - -", rendered["sha256"].as_str().unwrap());
    let line = locked(without(project())).lines().last().unwrap().to_string();
    let digest = |line: &str| line.split(' ').nth(2).unwrap().to_string();
    assert_eq!(digest(&line), digest(&expected));
    assert!(line.ends_with(" - -"), "it grants no tool: {line}");
}

#[test]
fn the_lock_is_the_same_on_every_machine() {
    let here = locked(project());
    let elsewhere = project()
        .env("TEAM", "blue")
        .env("SHIFT", "night")
        .env("TZ", "Asia/Tokyo")
        .env("LC_ALL", "C")
        .env("USER_SPACE", "[ROOT]/home")
        .file("home/.ai/directives/mine.md", "```xml\n<directive name=\"mine\"/>\n```\nMine.\n")
        .file("home/.ai/knowledge/rules.md", "```yaml\nname: rules\n```\nWhenever I like.\n");
    // `SHIFT` has a default, and is set on only one machine.
    let elsewhere = locked(elsewhere);
    assert_eq!(here, elsewhere);
    assert!(!here.contains("mine"));
}

#[test]
fn the_user_tier_is_included_if_named() {
    let test = project().file("home/.ai/directives/mine.md", "```xml\n<directive name=\"mine\"/>\n```\nMine.\n");
    let ran = test.args(["lock", "--user-space", "../home"]).stdout("3 prompts in rye-render.lock\n").run();
    let text = ran.read("project/rye-render.lock");
    assert!(text.contains("\ntiers project user\n") && text.contains("\nmine "), "{text}");
}

#[test]
fn unchanged_prompts_are_not_reported() {
    let text = locked(project());
    project()
        .file("project/rye-render.lock", &text)
        .args(["lock", "--check"])
        .stdout(&format!("2 prompts unchanged{:>61}\n", "rye-render.lock"))
        .run();
}

#[test]
fn each_changed_prompt_is_listed() {
    let text = locked(project());
    let ran = project()
        .file("project/rye-render.lock", &text.replace("ping ", "old "))
        .file(
            "project/.ai/knowledge/rules.md",
            "```yaml\nname: rules\n```\nNever on a Friday, and never on a holiday either.\n",
        )
        .args(["lock", "--check"])
        .any_stdout()
        .status(1)
        .run();
    let firsts: Vec<_> = ran.stdout.lines().filter_map(|line| Some(line.split_once("  ")?.0)).collect();
    let expected = ["3 differences from the lock (2 prompts)", "changed", "", "gone", "new", ""];
    assert_eq!(firsts[..6], expected, "{}", ran.stdout);
    assert!(
        ran.stdout.contains("\n         messages; directive: project .ai/directives/deploy.md\n"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("\ngone     old "), "{}", ran.stdout);
    assert!(ran.stdout.contains("rye-render diff --all --rev REV"), "{}", ran.stdout);
    // 31 more characters are seven or eight more tokens.
    assert!(ran.stdout.contains("tokens  +8\n") || ran.stdout.contains("tokens  +7\n"), "{}", ran.stdout);
}

#[test]
fn programs_read_json() {
    let text = locked(project());
    let ran = project()
        .file("project/rye-render.lock", &text.replace("ping ", "old "))
        .args(["lock", "--check", "--format", "json"])
        .any_stdout()
        .status(1)
        .run();
    let json = ran.json();
    assert_eq!(json["format"], "rye-render.lock-check/1");
    assert_eq!((&json["file"], &json["prompts"]), (&"rye-render.lock".into(), &2.into()));
    let [old, ping] = json["differences"].as_array().unwrap().as_slice() else { panic!("{json}") };
    assert_eq!((&old["id"], &old["change"], &old["source"]), (&"old".into(), &"gone".into(), &().into()));
    assert_eq!((&ping["change"], &ping["source"]["tier"]), (&"new".into(), &"project".into()));
    assert_eq!(old["before"], ping["after"]);
}

#[test]
fn a_failed_directive_leaves_the_lock_unchanged() {
    let text = locked(project());
    let broken = |test: Test| {
        test.file("project/rye-render.lock", &text)
            .file("project/.ai/directives/bad.md", "No block.\n")
            .file("project/.ai/directives/deploy.md", "No block.\n")
            .file("project/.ai/directives/ping.md", "```xml\n<directive name=\"ping\"/>\n```\nPong.\n")
            .any_stderr()
            .status(2)
    };
    let ran = broken(project()).args(["lock"]).run();
    assert_eq!(ran.read("project/rye-render.lock"), text);
    assert_eq!(ran.stderr.matches("error[no_xml_block]").count(), 2, "{}", ran.stderr);
    // The other directives are still compared.
    let ran = broken(project()).args(["lock", "--check"]).any_stdout().run();
    assert!(ran.stdout.starts_with("1 difference from the lock (2 prompts); 2 directives cannot be rendered"));
    assert!(ran.stdout.contains("changed  ping ") && !ran.stdout.contains("changed  deploy"), "{}", ran.stdout);
    for id in ["bad", "deploy"] {
        assert!(ran.stdout.contains(&format!("\nfailed   {id} ")), "{}", ran.stdout);
    }
}

#[test]
fn a_lock_that_cannot_be_compared_is_an_error() {
    let text = locked(project());
    project()
        .args(["lock", "--check"])
        .stderr("error[invalid_argument]: lock file rye-render.lock not found\nhelp: write it with `rye-render lock`\n")
        .status(2)
        .run();
    let stderr = |ran: crate::support::Ran| ran.stderr;
    let checked = |text: &str, flags: &[&str]| {
        let test = project().file("project/rye-render.lock", text).args(["lock", "--check"]);
        let test = flags.iter().fold(test, |test, flag| test.args([*flag]));
        stderr(test.any_stderr().status(2).run())
    };
    let newer = checked(&text.replace("lock/1", "lock/2"), &[]);
    assert!(newer.starts_with("error[invalid_lock]: the lock has the format rye-render.lock/2"), "{newer}");
    let merged = checked(&text.replace("ping ", "<<<<<<< HEAD\nping "), &[]);
    assert!(
        merged.contains("this line is an unresolved merge conflict") && merged.contains("rye-render.lock:9:1"),
        "{merged}"
    );
    let huge = checked(&(text.clone() + &format!("z 18446744073709551615 {:0>64} 1 {0:0>64}\n", 1)), &[]);
    assert!(huge.starts_with("error[invalid_lock]: ") && huge.contains("rye-render.lock:10:1"), "{huge}");
    let other = checked(&text, &["--protocol", "rye-2"]);
    assert!(other.contains("written with --protocol rye-3 --tokenizer chars4"), "{other}");
    let model = checked(&text, &["--model", "sonnet"]);
    assert!(model.contains("--model sonnet"), "{model}");
    let shell = checked(&text.replace("\nflags\n", "\nflags \"--model it's; touch PWN\"\n"), &[]);
    assert!(shell.contains(r"--model 'it'\''s; touch PWN'"), "{shell}");
    let variable = checked(&text, &["--env", "A=1"]);
    assert!(variable.contains("a lock holds names of variables"), "{variable}");
}

#[test]
fn only_lock_files_are_overwritten() {
    let ran = project().args(["lock", "--file", "prompts.lock"]).stdout("2 prompts in prompts.lock\n").run();
    let text = ran.read("project/prompts.lock");
    project().args(["lock", "--file", "-"]).stdout(&text).run();
    project().args(["lock", "--check", "--file", "-"]).stdin(&text).any_stdout().run();
    let ran = project().file("project/notes", "Mine.\n").args(["lock", "--file", "notes"]).any_stderr().status(2).run();
    assert!(ran.stderr.contains("notes is not a prompt lock and is not overwritten"), "{}", ran.stderr);
    assert_eq!(ran.read("project/notes"), "Mine.\n");
    let ran = project().args(["lock", "--file", "nowhere/x.lock"]).any_stderr().status(2).run();
    assert!(ran.stderr.contains("choose another place with --file"), "{}", ran.stderr);
}

/// A lock is committed, so it must not contain hidden inputs.
#[test]
fn hidden_inputs_are_not_written_down() {
    for input in ["token=s3cret", "other=s3cret"] {
        let ran = project().args(["lock", "--input", input, "--redact", "inputs"]).any_stderr().status(2).run();
        assert!(ran.stderr.contains("a lock holds its inputs") && !ran.stderr.contains("s3cret"));
        assert_eq!(ran.list("project").iter().filter(|path| path.ends_with(".lock")).count(), 0);
    }
    project().args(["lock", "--redact", "inputs"]).any_stdout().run();
}

#[test]
fn a_lock_needs_a_project() {
    let ran = project().args(["lock", "--project", ".", "--without-tier", "project"]).any_stderr().status(2).run();
    assert!(ran.stderr.contains("no project found"), "{}", ran.stderr);
}

/// A different bundle changes prompts, and is named as the reason.
#[test]
fn different_tiers_are_a_difference() {
    let base = "```xml\n<directive name=\"base\"/>\n```\nBase.\n";
    let test = || project().file("bundles/std/.ai/directives/base.md", base);
    let ran = test().args(["lock", "--system", "../bundles/std"]).stdout("3 prompts in rye-render.lock\n").run();
    let text = ran.read("project/rye-render.lock");
    let ran = test().file("project/rye-render.lock", &text).args(["lock", "--check"]).any_stdout().status(1).run();
    assert!(ran.stdout.contains("\ntiers project, system:std → project\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("the tiers differ"), "{}", ran.stdout);
    let test = test().file("bundles/std/.ai/directives/base.md", &base.replace("Base", "Basis"));
    let ran = test
        .file("project/rye-render.lock", &text)
        .args(["lock", "--check", "--system", "../bundles/std"])
        .any_stdout()
        .status(1)
        .run();
    assert!(ran.stdout.contains("messages; directive: system:std .ai/directives/base.md"), "{}", ran.stdout);
}

#[test]
fn examples_in_the_settings_are_used_as_inputs() {
    let settings = "examples:\n  deploy: {target: staging}\n  '*': {target: nowhere, other: 1}\n";
    let rendered = |test: Test| {
        let ran = test.args(["render", "--all", "-o", "out"]).run();
        ran.read("project/out/deploy.json")
    };
    let with = rendered(project().file("project/.ai/config/rye-render.yaml", settings));
    assert!(
        with.contains("Deploy to ") && with.contains(r#""name":"target","value":"staging","from":"file""#),
        "{with}"
    );
    let locks = [project(), project().file("project/.ai/config/rye-render.yaml", settings)].map(locked);
    let [placeholders, examples] = locks.each_ref().map(|text| text.lines().collect::<Vec<_>>());
    assert_ne!(placeholders[7], examples[7]);
    assert_eq!(placeholders[8], examples[8], "`ping` takes no input");
    // An example for an unknown directive is probably misspelt.
    let misspelt = settings.replace("  deploy:", "  deplo:");
    let ran =
        project().file("project/.ai/config/rye-render.yaml", &misspelt).args(["lock"]).any_stdout().any_stderr().run();
    let warning = "warning[unused_example]: the example inputs for `deplo` match no directive\n";
    assert!(ran.stderr.starts_with(warning) && ran.stderr.contains("did you mean `deploy`?"), "{}", ran.stderr);
    // A flag overrides the examples.
    let flag = project().file("project/.ai/config/rye-render.yaml", settings).args(["lock", "-i", "target=eu"]);
    let text = flag.any_stdout().run().read("project/rye-render.lock");
    assert!(text.contains("\nflags \"--input-json target=\\\"eu\\\"\"\n"), "{text}");
    let wrong = "error[invalid_setting]: the examples for `deploy` are a str, not a map of names to values\n";
    let ran = project()
        .file("project/.ai/config/rye-render.yaml", "examples:\n  deploy: staging\n")
        .args(["lock"])
        .any_stderr()
        .status(2)
        .run();
    assert!(ran.stderr.starts_with(wrong) && ran.stderr.contains(".ai/config/rye-render.yaml:2:11"), "{}", ran.stderr);
}

/// The folder of the directives may be gone with the last of them.
#[test]
fn a_lock_of_directives_is_checked_although_there_are_none() {
    let lock = locked(project());
    let test = Test::new().file("project/.ai/knowledge/rules.md", "Be careful.\n").env("RYE_SYSTEM_SPACE", "none");
    let ran = test.file("project/rye-render.lock", &lock).args(["lock", "--check"]).status(1).any_stdout().run();
    for gone in ["gone     deploy", "gone     ping"] {
        assert!(ran.stdout.contains(gone), "{}", ran.stdout);
    }
}
