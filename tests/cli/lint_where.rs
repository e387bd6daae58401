//! Which files `lint` checks.

use std::fs;
use std::path::Path;

use crate::repo::{Repo, git_is_there};
use crate::support::Test;

/// A directive without a block, which is an error.
const BROKEN: &str = "No block.\n";

fn directive(name: &str, extends: &str) -> String {
    format!("```xml\n<directive name=\"{name}\"{extends}/>\n```\nHello.\n")
}

fn test() -> Test {
    Test::new()
        .file("project/.ai/directives/base.md", &directive("base", ""))
        .file("project/.ai/directives/leaf.md", &directive("leaf", " extends=\"base\""))
        .file("project/.ai/directives/old/broken.md", BROKEN)
        .file("project/README.md", "Words.\n")
        .env("RYE_SYSTEM_SPACE", "none")
}

/// Expects these files to be checked.
fn shows<const N: usize>(test: Test, arguments: [&str; N], files: &[&str]) {
    let expected: String = files.iter().map(|file| format!("{file}\n")).collect();
    test.args(["lint", "--show-files"]).args(arguments).stdout(&expected).run();
}

const BASE: &str = ".ai/directives/base.md";
const LEAF: &str = ".ai/directives/leaf.md";
const OLD: &str = ".ai/directives/old/broken.md";

#[test]
fn a_named_file_is_checked_with_what_it_affects() {
    shows(test(), [], &[BASE, LEAF, OLD]);
    shows(test(), [BASE], &[BASE, LEAF]);
    shows(test(), [LEAF], &[LEAF]);
    shows(test(), [".ai/directives/old"], &[OLD]);
    shows(test(), ["[ROOT]/project/.ai/directives/old/"], &[OLD]);
    shows(test(), ["."], &[BASE, LEAF, OLD]);
    shows(test(), [".."], &[BASE, LEAF, OLD]);
    // A list of changed files may include files that are not items.
    shows(test(), ["README.md"], &[]);
    shows(test(), ["README.md", LEAF], &[LEAF]);
    // Problems in files that are not checked are not reported.
    test().args(["lint", "--select", "RR001", LEAF]).any_stdout().run();
    test().args(["lint", "--select", "RR001", OLD]).any_stdout().status(1).run();
}

#[test]
fn a_missing_path_is_an_error() {
    test()
        .args(["lint", LEAF, "none.md"])
        .stderr(
            "error[unreadable]: cannot be read: No such file or directory\n  --> none.md\n\
             help: check that it exists and that you have permission to read it\n",
        )
        .status(2)
        .run();
}

#[test]
fn excluded_files_are_skipped_unless_named() {
    shows(test(), ["--exclude", "old/"], &[BASE, LEAF]);
    shows(test(), ["--exclude", "old/", OLD], &[OLD]);
    shows(test(), ["--exclude", "old/", "--force-exclude", OLD], &[]);
    shows(test(), ["--exclude", "old/", ".ai/directives/old"], &[]);
    shows(test(), ["--exclude", "leaf.md", BASE], &[BASE]);
    let settings = || test().file("project/.ai/config/rye-render.yaml", "lint: {exclude: [old/]}\n");
    let config = ".ai/config/rye-render.yaml";
    shows(settings(), [], &[config, BASE, LEAF]);
    shows(settings(), ["--exclude", "base.md"], &[config, LEAF]);
    test()
        .args(["lint", "--exclude", "["])
        .stderr("error[invalid_argument]: --exclude [: not a valid pattern: unclosed character class; missing ']'\n")
        .status(2)
        .run();
}

#[test]
fn standard_input_replaces_a_file() {
    let piped = |text: &str, path: &str| {
        test().stdin(text).args(["lint", "--select", "RR001", "--format", "concise", "--stdin-filename", path])
    };
    piped(&directive("leaf", ""), LEAF).any_stdout().run();
    let ran = piped(BROKEN, LEAF).any_stdout().status(1).run();
    assert!(ran.stdout.starts_with(".ai/directives/leaf.md:1:1: error[RR001]"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("old/broken.md"), "{}", ran.stdout);
    // The file need not exist yet, and a fixed text replaces a broken file.
    piped(BROKEN, ".ai/directives/new/one.md").any_stdout().status(1).run();
    piped(&directive("broken", ""), OLD).any_stdout().run();
    piped(BROKEN, "README.md").any_stdout().run();
    shows(test().stdin(&directive("base", "")), ["--stdin-filename", BASE], &[BASE, LEAF]);
    shows(test().stdin(BROKEN), ["--stdin-filename", OLD, "--exclude", "old/", "--force-exclude"], &[]);
    piped(BROKEN, LEAF)
        .args([BASE])
        .stderr(
            "error[invalid_argument]: --stdin-filename is the only file to check\n\
             help: leave out the paths, or --stdin-filename\n",
        )
        .status(2)
        .run();
}

#[test]
fn the_project_is_found_from_the_paths() {
    let apart = || {
        Test::new()
            .file("work/a/.ai/directives/x.md", &directive("x", ""))
            .file("work/b/.ai/directives/y.md", &directive("y", ""))
            .with(|root| fs::remove_dir(root.join("project/.ai")).unwrap())
            .env("RYE_SYSTEM_SPACE", "none")
            .args(["lint", "--show-files"])
    };
    apart().args(["../work/a/.ai/directives/x.md"]).stdout("[ROOT]/work/a/.ai/directives/x.md\n").run();
    apart().args(["../work/b"]).stdout("[ROOT]/work/b/.ai/directives/y.md\n").run();
    apart()
        .args(["../work/a/.ai", "../work/b/.ai/directives/y.md", "--project", "../work/a"])
        .stdout("[ROOT]/work/a/.ai/directives/x.md\n")
        .stderr(
            "warning[other_project]: ../work/b/.ai/directives/y.md is skipped, because it is in a different project\n\
             help: check it with --project [ROOT]/work/b\n",
        )
        .run();
    apart()
        .stderr(
            "error[invalid_argument]: no project found\n\
             help: go to its folder, or name it: rye-render lint FOLDER\n",
        )
        .status(2)
        .run();
}

/// A project with two more below it; the second one has an error.
fn repository() -> Test {
    test()
        .file("project/services/shop/.ai/directives/x.md", &directive("x", ""))
        .file("project/services/web/.ai/directives/y.md", BROKEN)
        .file("project/services/web/README.md", "Words.\n")
}

const SHOP: &str = "services/shop/.ai/directives/x.md";
const WEB: &str = "services/web/.ai/directives/y.md";

/// In a repository with several projects, a pre-commit hook gets files of all of them.
#[test]
fn files_of_several_projects_are_checked_together() {
    let shows = |arguments: &[&str], files: &[&str]| {
        let test = repository().args(["lint", "--show-files"]);
        let test = arguments.iter().fold(test, |test, argument| test.args([argument]));
        test.stdout(&files.iter().map(|file| format!("{file}\n")).collect::<String>()).run();
    };
    // Files are listed in the order of projects, not of arguments.
    shows(&[WEB, SHOP], &[SHOP, WEB]);
    shows(&[WEB, LEAF, SHOP], &[LEAF, SHOP, WEB]);
    shows(&[WEB, "services/web/README.md", "README.md"], &[WEB]);
    shows(&["services/web/README.md", LEAF], &[LEAF]);
    // A folder includes everything in it.
    shows(&["services"], &[SHOP, WEB]);
    shows(&["services/web"], &[WEB]);
    shows(&["."], &[BASE, LEAF, OLD, SHOP, WEB]);
    shows(&[".", "--exclude", "services/web/", "--exclude", "old/"], &[BASE, LEAF, SHOP]);
    shows(&["services/web/.ai", LEAF], &[LEAF, WEB]);
    // Without a path, only the current project is checked.
    shows(&[], &[BASE, LEAF, OLD]);
}

#[test]
fn hidden_and_ignored_projects_are_skipped() {
    let ignored = || repository().file("project/.gitignore", "/services/web/\n");
    ignored().args(["lint", "--show-files", "services"]).stdout(&format!("{SHOP}\n")).run();
    ignored().args(["lint", "--show-files", "services/web"]).stdout(&format!("{WEB}\n")).run();
    let hidden = test().file("project/services/.cache/.ai/directives/x.md", BROKEN);
    hidden.args(["lint", "--show-files", "services"]).run();
    // The user's tier is not a project.
    let all = repository().file("home/.ai/directives/mine.md", BROKEN).args(["lint", "--show-files", ".."]);
    let files = [BASE, LEAF, OLD, SHOP, WEB].map(|file| format!("{file}\n")).concat();
    all.stdout(&files).run();
}

#[test]
fn several_projects_share_one_report() {
    let lint = |arguments: &[&str]| {
        let test = repository().args(["lint", "--select", "RR001", "services/web", "services/shop", LEAF]);
        arguments.iter().fold(test, |test, argument| test.args([argument]))
    };
    let message = "no xml block: a directive needs a line ```xml, a <directive> element, and a line ```";
    let concise = format!("{WEB}:1:1: error[RR001] {message}\n");
    lint(&["--format", "concise"]).stdout(&concise).status(1).run();
    let text = lint(&[]).any_stdout().status(1).run().stdout;
    let end = "\n3 projects: 3 directives, 0 knowledge items, 0 hooks checked\n1 error, 0 warnings\n";
    assert!(text.ends_with(end), "{text}");
    let json = lint(&["--format", "json"]).any_stdout().status(1).run().json();
    assert_eq!(json["findings"].as_array().map(Vec::len), Some(1));
    assert_eq!(json["findings"][0]["project"], "services/web");
    assert_eq!(json["findings"][0]["source"]["path"], ".ai/directives/y.md");
    assert_eq!(json["summary"]["checked"]["directives"], 3);
    let sarif = lint(&["--format", "sarif"]).any_stdout().status(1).run().json();
    assert_eq!(sarif["runs"].as_array().map(Vec::len), Some(1));
    // A report about one project does not name it.
    let one = repository().args(["lint", "--format", "json", "services/web"]).any_stdout().status(1).run().json();
    assert!(one["findings"][0]["project"].is_null());
}

/// Each project has its own settings; one that cannot be checked does not hide findings in the others.
#[test]
fn the_worst_project_decides_the_exit_status() {
    let settings = |shop: &str, web: &str| {
        repository()
            .file("project/services/shop/.ai/config/rye-render.yaml", shop)
            .file("project/services/web/.ai/config/rye-render.yaml", web)
            .args(["lint", "--select", "RR001", "--format", "concise", "services"])
            .any_stdout()
    };
    settings("", "lint: {fail_on: off}\n").run();
    settings("lint: {fail_on: off}\n", "").status(1).run();
    let ran = settings("lint: {fail_on: loud}\n", "").any_stderr().status(2).run();
    assert!(ran.stderr.starts_with("error[invalid_setting]: `fail_on` is `loud`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("\n  --> services/shop/.ai/config/rye-render.yaml:1"), "{}", ran.stderr);
    assert!(ran.stdout.starts_with(WEB), "{}", ran.stdout);
    // An invalid flag is reported once.
    repository()
        .args(["lint", "--exclude", "[", "services"])
        .stderr("error[invalid_argument]: --exclude [: not a valid pattern: unclosed character class; missing ']'\n")
        .status(2)
        .run();
}

#[test]
fn several_projects_are_fixed_together() {
    let allowance = "  <!-- rye-render: allow RR105 it is known -->\n";
    let text = |allowance: &str| {
        format!("```xml\n<directive name=\"x\">\n{allowance}  <metadata/>\n</directive>\n```\nHello.\n")
    };
    let apart = || {
        Test::new()
            .file("project/a/.ai/directives/x.md", &text(allowance))
            .file("project/b/.ai/directives/x.md", &text(allowance))
            .env("RYE_SYSTEM_SPACE", "none")
            .args(["lint", "--select", "RR901,RR105", "--format", "json", "a", "b"])
    };
    let patch = apart().args(["--diff"]).any_stdout().status(1).run().stdout;
    for folder in ["a", "b"] {
        let name = format!("--- a/{folder}/.ai/directives/x.md\n+++ b/{folder}/.ai/directives/x.md\n");
        assert_eq!(patch.matches(&name).count(), 1, "{patch}");
    }
    let ran = apart().args(["--fix"]).any_stdout().run();
    let fixed = |folder: &str| (ran.read(&format!("project/{folder}/.ai/directives/x.md")), text(""));
    for (after, expected) in ["a", "b"].map(fixed) {
        assert_eq!(after, expected);
    }
    let fixes = ran.json()["fixes"].clone();
    assert_eq!((&fixes[0]["project"], &fixes[1]["project"]), (&"a".into(), &"b".into()));
    assert_eq!((&fixes[0]["fixed"], &fixes[1]["fixed"]), (&1.into(), &1.into()));
}

#[test]
fn flags_for_one_project_are_refused_for_several() {
    for flags in [&["--baseline", "known.json"][..], &["--show-settings"]] {
        let test = flags.iter().fold(repository().args(["lint", "services", "."]), |test, flag| test.args([flag]));
        let ran = test.any_stderr().status(2).run();
        let said = ran.stderr.replace("\n      ", " ");
        let expected = format!(
            "{} is for one project, and the paths are in 3 projects: ., services/shop, services/web\n\
             help: run it once per project, with --project\n",
            flags[0]
        );
        assert!(said.ends_with(&expected), "{said}");
    }
}

/// Paths in other projects are skipped with a warning.
#[test]
fn only_the_named_project_is_checked() {
    let warned = |path: &str, other: &str| {
        format!(
            "warning[other_project]: {path} is skipped, because it is in a different project\n\
             help: check it with --project [ROOT]/project/{other}\n"
        )
    };
    let shop =
        || repository().args(["lint", "--show-files", "--project", "services/shop"]).stdout(&format!("{SHOP}\n"));
    shop().args([SHOP, "services/web"]).stderr(&warned("services/web", "services/web")).run();
    repository()
        .args(["lint", "--show-files", SHOP, WEB])
        .env("RYE_PROJECT", "services/shop")
        .stdout(&format!("{SHOP}\n"))
        .any_stderr()
        .run();
    let top = repository().args(["lint", "--show-files", "--project", ".", "services"]);
    let both = ["services/shop", "services/web"].map(|folder| warned(folder, folder)).concat();
    top.stderr(&both).run();
}

/// An old problem elsewhere does not block a commit; a run over the whole project finds it.
#[test]
fn a_missing_item_does_not_affect_other_files() {
    let laws = "```yaml\nname: laws\n```\nNever on a Friday.\n";
    let hooks = "hooks:\n  - id: h\n    event: thread_started\n    action: {primary: fetch, item_type: knowledge, item_id: none}\n";
    let deploy = "```xml\n<directive name=\"deploy\"><metadata><context><before>rules</before></context></metadata>\
                  </directive>\n```\nGo.\n";
    let missing = || {
        test()
            .file("project/.ai/directives/deploy.md", deploy)
            .file("project/.ai/knowledge/laws.md", laws)
            .file("project/.ai/config/agent/hooks.yaml", hooks)
            .args(["lint", "--select", "RR1", "--format", "concise"])
    };
    missing().args([".ai/knowledge/laws.md"]).any_stdout().run();
    missing().args([LEAF]).any_stdout().run();
    let ran = missing().any_stdout().status(1).run();
    assert!(ran.stdout.contains(".ai/directives/deploy.md:2:"), "{}", ran.stdout);
}

#[test]
fn settings_on_standard_input_apply() {
    let config = ".ai/config/rye-render.yaml";
    let piped = |text: &str| test().stdin(text).args(["lint", "--stdin-filename", config]);
    piped("lint: {slect: [RR001]}\n").any_stdout().any_stderr().status(2).run();
    piped("lint: {select: [RR001], exclude: [old/]}\n").any_stdout().run();
    piped("lint: {select: [RR001]}\n").any_stdout().status(1).run();
    // The text on standard input replaces the invalid settings on disk.
    let shown = piped("lint: {fail_on: note}\n").file(&format!("project/{config}"), "lint: {fail_on: nothing}\n");
    let ran = shown.args(["--show-settings"]).any_stdout().run();
    assert!(ran.stdout.contains("note"), "{}", ran.stdout);
}

/// Compares the files that git would track below a folder with those that are checked.
fn compare(top: &Path, project: &str, repo: &Repo) {
    let prefix = if project.is_empty() { String::new() } else { format!("{project}/") };
    let tracked = repo.git(&["ls-files", "--cached", "--others", "--exclude-standard", "--", &format!("{prefix}.ai")]);
    let mut expected: Vec<&str> = tracked.lines().filter_map(|path| path.strip_prefix(prefix.as_str())).collect();
    expected.retain(|path| path.ends_with(".md"));
    expected.sort_unstable();
    let home = top.join("home");
    let mut program = crate::support::program(&home);
    program.args(["lint", "--show-files"]).env("RYE_SYSTEM_SPACE", "none").current_dir(repo.path(project));
    let output = program.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(), expected);
}

#[test]
fn ignored_files_are_not_reported() {
    if !git_is_there() {
        return;
    }
    let files =
        ["a.md", "b.md", "old/a.md", "old/keep.md", "old/deep/a.md", "new/{x}.md", "new/[y].md", "tmp/a.md", "Ä.md"];
    for patterns in [
        "old/\n",
        "old/\n!old/keep.md\n",
        "old/*\n!old/keep.md\n",
        "*.md\n!keep.md\n",
        "/a.md\n",
        ".ai/directives/a.md\n",
        ".ai/*/old\n",
        "**/deep\n",
        ".ai/**/a.md\n",
        "{a,b}.md\n",
        "new/{x}.md\n{x}.md\n",
        "# a.md\n\n  \nb.md  \n",
        "\\[y\\].md\n",
        "[ab].md\n",
        "[!ab].md\n",
        "?.md\n",
        ".ai\n",
        ".ai/directives/\n",
        "*\n!.ai/\n!.ai/**\n",
        "a.md/\n",
        "\u{feff}a.md\n",
        "a.md\r\n",
        "[a.md\n",
        "a\\\n",
    ] {
        for inner in ["", "!a.md\n", "deep\n"] {
            let folder = tempfile::tempdir().unwrap();
            fs::create_dir(folder.path().join("home")).unwrap();
            for project in ["", "sub/project"] {
                let repo = Repo::init(&folder.path().join(format!("repo-{}", project.len())));
                let below =
                    |path: &str| if project.is_empty() { path.to_string() } else { format!("{project}/{path}") };
                for file in files {
                    repo.write(&below(&format!(".ai/directives/{file}")), directive("x", ""));
                }
                repo.write(".gitignore", patterns);
                repo.write(&below(".ai/directives/old/.gitignore"), inner);
                println!("{patterns:?} {inner:?} {project}");
                repo.git(&["config", "core.quotePath", "false"]);
                compare(folder.path(), project, &repo);
                // Tracked files are not skipped, even if they are ignored.
                repo.git(&["add", "--force", &below(".ai/directives/a.md"), &below(".ai/directives/old/deep/a.md")]);
                compare(folder.path(), project, &repo);
            }
        }
    }
}

#[test]
fn ignored_files_are_still_items() {
    let ignored = || test().file("project/.gitignore", "base.md\nold/\n");
    shows(ignored(), [], &[LEAF]);
    // The chain is complete, and a named file is checked.
    ignored().args(["lint", "--select", "RR1"]).any_stdout().run();
    shows(ignored(), [BASE], &[BASE, LEAF]);
    shows(ignored(), [BASE, "--force-exclude"], &[]);
}

/// A project whose directive is ignored by a file next to it, in a repository that tracks both.
fn tracked_and_ignored(root: &Path) -> Repo {
    let repo = Repo::init(&root.join("project"));
    repo.write(".ai/directives/evil.md", BROKEN).write(".ai/directives/.gitignore", "evil.md\nother.md\n");
    repo.write(".ai/directives/other.md", BROKEN);
    repo.git(&["add", "--force", ".ai/directives/evil.md", ".ai/directives/.gitignore"]);
    repo
}

/// After a rename, only the new path can be passed to `lint`.
#[test]
fn files_that_refer_to_a_deleted_item_are_checked() {
    if !git_is_there() {
        return;
    }
    let places = |id: &str| {
        format!(
            "```xml\n<directive name=\"{id}\" version=\"1.0.0\"><metadata><description>D</description>\
             <context><before>rules/{id}</before></context></metadata></directive>\n```\n\nDo it.\n"
        )
    };
    let renamed = |root: &Path| {
        let repo = Repo::init(&root.join("project"));
        repo.write(".ai/knowledge/rules/one.md", "```yaml\nname: one\n```\n\nText.\n");
        repo.write(".ai/directives/one.md", places("one")).write(".ai/directives/other.md", places("other"));
        repo.add().commit("one");
        repo.git(&["mv", ".ai/knowledge/rules/one.md", ".ai/knowledge/rules/two.md"]);
    };
    let test = Test::new().env("RYE_SYSTEM_SPACE", "none").with(renamed);
    let ran = test.args(["lint", "--format", "concise", ".ai/knowledge/rules/two.md"]).any_stdout().status(1).run();
    let found: Vec<&str> = ran.stdout.lines().filter_map(|line| line.split_once(": ")).map(|(at, _)| at).collect();
    assert!(found.iter().any(|at| at.starts_with(".ai/directives/one.md:")), "{}", ran.stdout);
    assert!(!found.iter().any(|at| at.starts_with(".ai/directives/other.md:")), "{}", ran.stdout);
}

#[test]
fn tracked_files_are_checked_even_if_ignored() {
    if !git_is_there() {
        return;
    }
    let evil = ".ai/directives/evil.md";
    let tracked = || Test::new().env("RYE_SYSTEM_SPACE", "none").with(|root| drop(tracked_and_ignored(root)));
    shows(tracked(), [], &[evil]);
    let ran = tracked().args(["lint", "--format", "concise"]).any_stdout().status(1).run();
    assert!(ran.stdout.starts_with(&format!("{evil}:1:1: error[RR001]")), "{}", ran.stdout);
    // A pre-commit hook uses --force-exclude, which must not skip it.
    shows(tracked(), ["--force-exclude", evil], &[evil]);
}

/// Git tracks the file under the path of the link's target.
#[cfg(unix)]
#[test]
fn a_link_does_not_hide_tracked_files() {
    if !git_is_there() {
        return;
    }
    let linked = Test::new().env("RYE_SYSTEM_SPACE", "none").with(|root| {
        let repo = Repo::init(&root.join("project"));
        repo.write("data/evil.md", BROKEN).write("data/.gitignore", "evil.md\n").link(".ai/directives", "../data");
        repo.git(&["add", "--force", "data/evil.md", ".ai/directives"]);
    });
    shows(linked, [], &[".ai/directives/evil.md"]);
}

#[test]
fn a_warning_says_that_nothing_is_checked() {
    let said = |files: usize| {
        let all = if files == 1 {
            "the only file in the project is".to_string()
        } else {
            format!("all {files} files in the project are")
        };
        format!(
            "warning[nothing_checked]: {all} excluded or ignored, so nothing was checked\n\
             help: look at `exclude`, `--exclude` and the .gitignore files, or name the files\n"
        )
    };
    test().args(["lint", "--exclude", "*"]).any_stdout().stderr(&said(3)).run();
    let ignored = Test::new().env("RYE_SYSTEM_SPACE", "none").file("project/.ai/directives/a.md", BROKEN);
    ignored.file("project/.gitignore", "*\n").args(["lint"]).any_stdout().stderr(&said(1)).run();
    // There is no warning for named files, or in a project without files.
    test().args(["lint", "--force-exclude", "--exclude", "*", LEAF]).any_stdout().run();
    Test::new().env("RYE_SYSTEM_SPACE", "none").file("project/.ai/x", "").args(["lint"]).any_stdout().run();
}

/// If git fails, the tracked files are unknown, which does not mean that there are none.
#[test]
fn a_warning_says_that_git_fails() {
    if !git_is_there() {
        return;
    }
    let ignores = || test().file("project/.gitignore", "old/\n");
    let refused = ignores().with(|root| {
        let elsewhere = root.join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        Repo::init(&root.join("project")).git(&["config", "core.worktree", elsewhere.to_str().unwrap()]);
    });
    let ran = refused.args(["lint", "--show-files"]).any_stdout().any_stderr().run();
    assert_eq!(ran.stdout, format!("{BASE}\n{LEAF}\n"));
    let start =
        "warning[not_asked_of_git]: git could not list the ignored files that it tracks, so they were skipped: ";
    assert!(ran.stderr.starts_with(start), "{}", ran.stderr);
    // A folder that is not a repository tracks nothing, so there is no warning.
    ignores().file("project/.git", "gitdir: nowhere\n").args(["lint", "--select", "RR1"]).any_stdout().run();
}
