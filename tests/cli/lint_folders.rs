//! `lint` in agents' working folders.

use std::fs;
use std::path::Path;

use crate::support::Test;

const TABS: &str = "- Use tabs.\n- Run the tests before you commit.\n";

/// A folder without `.ai/`.
fn folder() -> Test {
    Test::new().with(|root| fs::remove_dir(root.join("project/.ai")).unwrap())
}

/// A repository whose packages have their own instructions.
fn repository() -> Test {
    folder()
        .file("project/.git/HEAD", "ref: refs/heads/main\n")
        .file("project/AGENTS.md", TABS)
        .file("project/packages/web/AGENTS.md", "- Do not use tabs.\n- Run the tests before you commit.\n")
        .file("project/packages/web/CLAUDE.md", "Measure the pages.\n")
        .file("project/packages/api/AGENTS.md", "Be quick.\n")
}

const OF_WEB: &str = "\
packages/web/AGENTS.md:1:3: warning[RR714] AGENTS.md, which also applies here, says the opposite (for pi, codex, opencode and sf)
packages/web/AGENTS.md:2:3: note[RR712] this guideline is already in AGENTS.md, which also applies here (for pi, codex, opencode and sf)
packages/web/CLAUDE.md:1:1: warning[RR713] this file is not read, because AGENTS.md is in the same folder (for pi, opencode and sf)
";

#[test]
fn a_folder_with_context_files_is_checked() {
    repository().args(["lint", "--format", "concise"]).stdout(OF_WEB).status(1).run();
    // The root of the repository is the project.
    let listed = "AGENTS.md\npackages/api/AGENTS.md\npackages/web/AGENTS.md\npackages/web/CLAUDE.md\n";
    repository().args(["lint", "--show-files"]).stdout(listed).run();
    let summary = ".: 4 instruction files checked\n0 errors, 2 warnings, 1 note\n";
    let ran = repository().args(["lint"]).any_stdout().status(1).run();
    assert!(ran.stdout.ends_with(summary), "{}", ran.stdout);
}

#[test]
fn a_context_file_above_or_below_is_enough() {
    let below = || folder().file("project/a/b/CLAUDE.md", "x\n");
    below().args(["lint", "--show-files"]).stdout("a/b/CLAUDE.md\n").run();
    let skills = folder().file("project/a/.agents/skills/x/SKILL.md", "---\nname: x\ndescription: x\n---\n");
    skills.args(["lint", "--show-files"]).stdout("a/.agents/skills/x/SKILL.md\n").run();
    let nothing = "error[invalid_argument]: no project found\n\
                   help: go to its folder, or name it: rye-render lint FOLDER\n";
    folder().file("project/README.md", "x\n").args(["lint"]).stderr(nothing).status(2).run();
    // Files above the folder apply, so they are read, but they are not checked.
    let above = folder().file("AGENTS.md", TABS).file("project/AGENTS.md", "- Never use tabs.\n");
    let said = "AGENTS.md:1:3: warning[RR714] [ROOT]/AGENTS.md, which also applies here, says the opposite (for pi, claude-code, opencode and sf)\n";
    above.args(["lint", "--format", "concise"]).stdout(said).status(1).run();
    let of_agent = folder().file("home/.sf/agent/AGENTS.md", TABS).file("project/AGENTS.md", "- Never use tabs.\n");
    let said = "AGENTS.md:1:3: warning[RR714] [ROOT]/home/.sf/agent/AGENTS.md, which also applies here, says the opposite (for sf)\n";
    of_agent.args(["lint", "--format", "concise"]).stdout(said).status(1).run();
}

#[test]
fn files_of_one_agent_are_enough() {
    const RULE: &str = ".claude/rules/x.md";
    const COMMAND: &str = ".opencode/command/x.md";
    const SKILL: &str = "tools/.claude/skills/x/SKILL.md";
    let text = "---\nname: x\ndescription: x\n---\nGo.\n";
    let with = |path: &str| folder().file("project/.git/HEAD", "").file(&format!("project/{path}"), text);
    for path in [RULE, COMMAND] {
        with(path).args(["lint", "--show-files"]).stdout(&format!("{path}\n")).run();
    }
    for path in [".codex/config.toml", ".pi/settings.json", SKILL] {
        with(path).args(["lint"]).any_stdout().run();
    }
    with(SKILL).args(["lint", "--show-files", SKILL]).stdout(&format!("{SKILL}\n")).run();
    // Settings above the folder apply to it.
    let above = with(RULE).file("project/src/x.rs", "").args(["lint", "--show-files", "src"]);
    above.stdout("").run();
    // Those above the repository do not: they are the user's.
    let users = folder().file(RULE, text).file("project/.git/HEAD", "").args(["lint"]);
    users.any_stderr().status(2).run();
}

#[test]
fn a_project_with_both_checks_directives() {
    let both = || Test::new().file("project/AGENTS.md", "x\u{200b}\n");
    let note = "note[folder_of_agents]: agents that read [ROOT]/project/AGENTS.md also work in this folder: `rye-render agents` shows what they are told, and `lint --agent NAME` checks it\n";
    let checked = ".ai/directives/x.md\n";
    let directive = "```xml\n<directive name=\"x\" version=\"1\"><metadata><description>X</description></metadata></directive>\n```\nGo.\n";
    let with = || both().file("project/.ai/directives/x.md", directive);
    let folded = |test: Test| {
        let ran = test.any_stderr().stdout(checked).run();
        assert_eq!(ran.stderr.split_whitespace().collect::<String>(), note.split_whitespace().collect::<String>());
    };
    folded(with().args(["lint", "--show-files"]));
    folded(with().args(["lint", "--show-files", "."]));
    // A file of an agent that is named is checked.
    with()
        .args(["lint", "--show-files", ".ai/directives/x.md", "AGENTS.md"])
        .stdout(&format!("{checked}AGENTS.md\n"))
        .run();
    let said = "AGENTS.md:1:2: warning[RR611] U+200B cannot be seen\n";
    with().args(["lint", "--format", "concise", "AGENTS.md"]).stdout(said).status(1).run();
    let piped = with().args(["lint", "--format", "concise", "--stdin-filename", "AGENTS.md"]).stdin("x\u{200b}\n");
    piped.stdout(said).status(1).run();
    with().args(["lint", "--show-files", "--protocol", "rye-3"]).stdout(checked).run();
    with().args(["lint", "--show-files", "--protocol", "sf"]).stdout("AGENTS.md\n").run();
    with().args(["lint", "--protocol", "sf", "--format", "concise"]).stdout(said).status(1).run();
    let wrong = "error[invalid_argument]: --project is for directives, but this is an agent's working folder\n\
                 help: leave it out, and go to the folder or name a path in it\n";
    with().args(["lint", "--protocol", "sf", "--project", "."]).stderr(wrong).status(2).run();
}

#[test]
fn paths_are_checked_with_what_they_can_affect() {
    let listed = |words: &[&str]| {
        let test = words.iter().fold(repository().args(["lint", "--show-files"]), |test, word| test.args([*word]));
        test.any_stdout().run().stdout
    };
    assert_eq!(listed(&["packages/api/AGENTS.md"]), "packages/api/AGENTS.md\n");
    assert_eq!(listed(&["packages/web/AGENTS.md"]), "packages/web/AGENTS.md\npackages/web/CLAUDE.md\n");
    assert_eq!(listed(&["AGENTS.md"]).lines().count(), 4);
    assert_eq!(listed(&["packages/web"]).lines().count(), 2);
    // So is a file that only an import names.
    let imported = || repository().file("project/CLAUDE.md", "@docs/a.md\n").file("project/docs/a.md", "@gone.md\n");
    imported().args(["lint", "--show-files", "docs/a.md"]).stdout("docs/a.md\n").run();
    let said = "docs/a.md:1:1: warning[RR718] claude-code does not import `gone.md`: the file does not exist\n";
    imported().args(["lint", "--format", "concise", "docs/a.md"]).stdout(said).status(1).run();
    // A file that no agent reads is skipped.
    let readme = repository().file("project/README.md", "x\n");
    readme
        .args(["lint", "--show-files", "packages/api/AGENTS.md", "README.md"])
        .stdout("packages/api/AGENTS.md\n")
        .run();
    let readme = repository().file("project/README.md", "x\n");
    readme.args(["lint", "--show-files", "--protocol", "sf", "README.md"]).run();
    let alone = repository().file("project/README.md", "x\n").args(["lint", "README.md"]);
    alone.stdout(".: 0 instruction files checked\n0 errors, 0 warnings\n").run();
    let skill = |name: &str| format!("---\nname: {name}\ndescription: x\n---\n");
    let skills = || {
        repository()
            .file("project/.sf/skills/deploy/SKILL.md", &skill("deploy"))
            .file("project/.agents/skills/deploy/SKILL.md", &skill("deploy"))
            .file("project/.agents/skills/Test/SKILL.md", &skill("Test"))
    };
    let said = ".agents/skills/deploy/SKILL.md:2:7: warning[RR709] the skill is left out, because .sf/skills/deploy/SKILL.md has the same name, `deploy` (for sf)\n";
    let words = ["lint", "--format", "concise", ".sf/skills/deploy/SKILL.md"];
    skills().args(words).stdout(said).status(1).run();
    let words = ["lint", "--format", "concise", ".agents/skills/Test/SKILL.md"];
    let said = ".agents/skills/Test/SKILL.md:2:7: warning[RR703] the skill's name `Test` has characters other than `a` to `z`, digits and hyphens (for pi and sf)\n";
    skills().args(words).stdout(said).status(1).run();
}

#[test]
fn ignored_files_are_read_but_not_checked() {
    let test = || {
        repository()
            .file("project/.gitignore", "/packages/web/\nAGENTS.md\n!/packages/**/AGENTS.md\n")
            .file("project/packages/api/AGENTS.md", "Never use tabs.\n")
            .file("project/node_modules/x/AGENTS.md", "x\u{200b}\n")
    };
    test().args(["lint", "--show-files"]).stdout("packages/api/AGENTS.md\n").run();
    let said = "packages/api/AGENTS.md:1:1: warning[RR714] AGENTS.md, which also applies here, says the opposite (for pi, codex, claude-code, opencode and sf)\n";
    test().args(["lint", "--format", "concise"]).stdout(said).status(1).run();
    // A named file is checked, unless --force-exclude is given.
    let words = ["lint", "--show-files", "packages/web/AGENTS.md"];
    test().args(words).stdout("packages/web/AGENTS.md\n").run();
    test().args(words).args(["--force-exclude"]).run();
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_reported_where_they_lead() {
    use std::os::unix::fs::symlink;
    let link = |root: &Path| {
        symlink("AGENTS.md", root.join("project/packages/api/CLAUDE.md")).unwrap();
        fs::write(root.join("outside.md"), "x\u{200b}\n").unwrap();
        fs::create_dir_all(root.join("project/packages/cli")).unwrap();
        symlink(root.join("outside.md"), root.join("project/packages/cli/AGENTS.md")).unwrap();
    };
    repository().with(link).args(["lint", "--format", "concise"]).stdout(OF_WEB).status(1).run();
}

#[test]
fn fixes_change_nothing_else() {
    let text = "\u{feff}Be quick.\r\nBe kind.\u{200b}\r";
    let test = || repository().with(move |root| fs::write(root.join("project/packages/api/AGENTS.md"), text).unwrap());
    let words = ["lint", "--fix", "--select", "RR021,RR611", "--format", "concise"];
    let said = "packages/api/AGENTS.md:2:9: warning[RR611] U+200B cannot be seen\n";
    let ran = test().args(words).stdout(said).stderr("fixed 1 finding in 1 file\n").status(1).run();
    assert_eq!(ran.bytes("project/packages/api/AGENTS.md"), "Be quick.\r\nBe kind.\u{200b}\r".as_bytes());
    assert_eq!(ran.read("project/packages/web/CLAUDE.md"), "Measure the pages.\n");
    let ran = test().args(["lint", "--diff"]).any_stdout().any_stderr().status(1).run();
    assert!(ran.stdout.starts_with("--- a/packages/api/AGENTS.md\n"), "{}", ran.stdout);
}

#[test]
fn unsaved_text_is_checked_at_its_path() {
    let words = ["lint", "--format", "concise", "--stdin-filename"];
    let said = "packages/api/AGENTS.md:1:1: warning[RR714] AGENTS.md, which also applies here, says the opposite (for pi, codex, claude-code, opencode and sf)\n";
    repository().args(words).args(["packages/api/AGENTS.md"]).stdin("Don't use tabs\n").stdout(said).status(1).run();
    // Neither the file nor its folder needs to exist.
    let said = "packages/cli/AGENTS.md:1:1: warning[RR714] AGENTS.md, which also applies here, says the opposite (for pi, codex, claude-code, opencode and sf)\n";
    repository().args(words).args(["packages/cli/AGENTS.md"]).stdin("Don't use tabs\n").stdout(said).status(1).run();
    let said = ".sf/skills/x.md:1:1: warning[RR706] the skill has no description, so the agent never learns about it (for sf)\n";
    let skills = repository().file("project/.sf/skills/y.md", "---\nname: skills\ndescription: y\n---\n");
    skills.args(words).args([".sf/skills/x.md"]).stdin("x\n").stdout(said).status(1).run();
}

#[test]
fn comments_and_settings_allow_findings() {
    let allow = "<!-- rye-render: allow RR714 the pages are written by a tool -->\n";
    let allowed = repository().file("project/packages/web/AGENTS.md", &format!("{allow}- Do not use tabs.\n"));
    let rest = OF_WEB.lines().last().unwrap().to_string() + "\n";
    allowed.args(["lint", "--format", "concise"]).stdout(&rest).status(1).run();
    // An unused allowance is reported.
    let unused = repository().file("project/packages/api/AGENTS.md", allow);
    let said = "packages/api/AGENTS.md:1:24: warning[RR901] this allowance of RR714 is not needed\n";
    let ran = unused.args(["lint", "--format", "concise", "packages/api"]).any_stdout().status(1).run();
    assert!(ran.stdout.contains("RR901"), "{said}{}", ran.stdout);
    // An agent's working folder has its own settings file.
    let open = repository().file("project/AGENTS.md", "Be kind.\n<!-- rye-render: allow RR714 it is known\n");
    let ran = open.args(["lint", "AGENTS.md"]).any_stdout().status(1).run();
    assert!(ran.stdout.contains("help: allow it for the path in .sf/rye-render.yaml\n"), "{}", ran.stdout);
    let settings =
        "lint:\n  paths:\n    - {files: [packages/web/], ignore: [folders]}\n  options: {context_tokens: 5}\n";
    let test = repository().file("project/.sf/rye-render.yaml", settings);
    let said = "AGENTS.md:1:1: warning[RR711] this file adds 12 tokens to every prompt; the limit is 5 (for pi, codex, claude-code, opencode and sf)\n";
    test.args(["lint", "--format", "concise"]).stdout(said).status(1).run();
    // The user's settings apply too. An invalid setting is an error with its position.
    let user = repository().file("home/.ai/config/rye-render.yaml", "lint: {ignore: [folders]}\n");
    user.args(["lint", "--format", "concise"]).run();
    let wrong = repository().file("project/.sf/rye-render.yaml", "lint: {ignore: [RR799]}\n");
    let ran = wrong.args(["lint"]).any_stderr().status(2).run();
    assert!(ran.stderr.contains("--> project .sf/rye-render.yaml:1:17"), "{}", ran.stderr);
}

#[test]
fn other_flags_work_as_for_directives() {
    let baseline = |test: Test| test.args(["lint", "--format", "concise", "--baseline", "b.json", "--update-baseline"]);
    let ran = baseline(repository()).stderr("3 findings in b.json\n").run();
    let kept = ran.read("project/b.json");
    assert!(kept.contains("packages/web/AGENTS.md"), "{kept}");
    let again =
        repository().file("project/b.json", &kept).args(["lint", "--format", "concise", "--baseline", "b.json"]);
    again.run();
    let ran = repository().args(["lint", "--format", "json"]).any_stdout().status(1).run();
    let found = &ran.json()["findings"][0];
    assert_eq!((&found["group"], &found["source"]["path"]), (&"folders".into(), &"packages/web/AGENTS.md".into()));
    assert_eq!(ran.json()["summary"]["checked"]["instructions"], 4);
    for format in ["jsonl", "sarif", "github", "gitlab", "junit", "rdjson"] {
        let ran = repository().args(["lint", "--format", format]).any_stdout().status(1).run();
        assert!(
            ran.stdout.contains("RR714") && ran.stdout.contains("packages/web/AGENTS.md"),
            "{format}: {}",
            ran.stdout
        );
    }
    let ran = repository().args(["lint", "--statistics"]).any_stdout().status(1).run();
    assert!(ran.stdout.contains("RR713"), "{}", ran.stdout);
    // The model receives the whole file, so no comment is added.
    let ran = repository().args(["lint", "--add-allow", "it is meant"]).any_stdout().any_stderr().status(1).run();
    assert!(ran.stderr.contains("these lines to .sf/rye-render.yaml instead:"), "{}", ran.stderr);
    assert_eq!(ran.read("project/AGENTS.md"), TABS);
}

/// Every `.md` file directly in a skills folder is a skill, whatever its name.
#[test]
fn a_named_skill_is_checked_once() {
    let called_so = || folder().file("project/.sf/skills/AGENTS.md", "---\nname: other\ndescription: x\n---\nx\n");
    let said = "\
.sf/skills/AGENTS.md:2:7: warning[RR701] the skill's name is `other`, but its folder is `skills` (for sf)
";
    called_so().args(["lint", "--format", "concise"]).stdout(said).status(1).run();
    called_so().args(["lint", ".sf/skills/AGENTS.md", "--format", "concise"]).stdout(said).status(1).run();
}

#[test]
fn line_ends_are_not_shown() {
    let test = || {
        let test = folder().file("project/.git/HEAD", "").file("project/CLAUDE.md", "Be kind.\n");
        test.file("project/.claude/rules/a.md", "---\r\na: 1\r\nglobs: a/**\r\n---\r\nBe quick.\r\n").any_stdout()
    };
    let excerpt = "2 | / a: 1\n3 | | globs: a/**\n";
    let args = ["lint", "--agent", "claude-code", "--select", "RR720", "--color", "never"];
    let shown = test().args(args).status(1).run().stdout;
    assert!(shown.contains(excerpt) && shown.contains("write `paths` (with --fix)"), "{shown}");
    let shown = test().args(["render", "--agent", "claude-code", "--format", "plain"]).any_stderr().run().stderr;
    assert!(shown.contains(excerpt), "{shown}");
}

#[test]
fn rules_and_imports_of_agents_are_fixed() {
    let path = |name: &str| format!("project/.claude/rules/{name}.md");
    let rule = |key: &str| format!("---\n{key}\n---\nBe quick.\n");
    let test = |keys: [&str; 3], import: &str| {
        let test =
            folder().file("project/.git/HEAD", "ref: refs/heads/main\n").file("project/docs/style.md", "Be kind.\n");
        let names = ["key", "dot", "ends"].into_iter().zip(keys);
        let test = names.fold(test, |test, (name, key)| test.file(&path(name), &rule(key)));
        test.file("project/CLAUDE.md", import).args(["lint", "--agent", "claude-code", "--format", "concise", "--fix"])
    };
    let (before, after) =
        (["globs: docs/**", "paths: [./docs/**]", "applyTo: a\r"], ["paths: docs/**", "paths: [/docs/**]"]);
    let ran = test(before, "@Docs/Style.md\n").status(1).any_stdout().stderr("fixed 4 findings in 4 files\n").run();
    assert_eq!(ran.read("project/CLAUDE.md"), "@docs/style.md\n");
    assert_eq!(["key", "dot"].map(|name| ran.read(&path(name))), after.map(rule));
    // The end of the line stays.
    assert_eq!(ran.read(&path("ends")), rule("paths: a\r"));
    let [key, dot] = after;
    test([key, dot, "paths: docs/*"], "@docs/style.md\n").any_stdout().run();
}

/// `CLAUDE.md` is often a link to `AGENTS.md`.
#[cfg(unix)]
#[test]
fn an_import_behind_a_link_is_lost_where_others_read_the_file() {
    let linked = folder().file("project/AGENTS.md", "See @docs.md\n").file("project/docs.md", "Use tabs.\n");
    let linked = linked.with(|root| std::os::unix::fs::symlink("AGENTS.md", root.join("project/CLAUDE.md")).unwrap());
    let said = "AGENTS.md:1:5: warning[RR718] `@docs.md` is not imported here: it is sent as it stands (for pi)\n";
    linked.args(["lint", "--agent", "claude-code,pi", "--format", "concise"]).stdout(said).status(1).run();
}

#[test]
fn a_private_file_that_hides_another_is_called_so() {
    let said = |ignore: &str| {
        let test = folder().file("project/.git/HEAD", "ref: refs/heads/main\n").file("project/AGENTS.md", "Ours.\n");
        let test = test.file("project/CLAUDE.md", "Mine.\n").file("project/.gitignore", ignore);
        test.args(["lint", "--agent", "claude-code"]).any_stdout().status(1).run().stdout
    };
    let private = "note: this file is read instead; git ignores it, so others may not have it\n";
    assert!(said("CLAUDE.md\n").contains(private));
    assert!(!said("").contains(private));
}

#[test]
fn a_skill_above_the_size_limit_is_reported_once() {
    let skill = format!("---\nname: long\ndescription: It is long.\n---\n{}", "x\n".repeat(1000));
    for (path, code) in [(".claude", "error[RR004]"), (".sf", "warning[RR708]")] {
        let path = format!("{path}/skills/long/SKILL.md");
        let ran = folder().file(&format!("project/{path}"), &skill).args([
            "lint",
            "--format",
            "concise",
            "--max-item-size",
            "1000",
        ]);
        let ran = ran.any_stdout().status(1).run();
        assert!(ran.stdout.starts_with(&format!("{path}:1:1: {code} ")), "{}", ran.stdout);
        assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
    }
}
