//! The program as git's external diff, difftool and textconv.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::repo::{Repo, git_is_there};
use crate::support::{PROGRAM, Test};

/// What `docs/git.md` says to configure, except for `FLAGS`.
const ATTRIBUTES: &str = "**/.ai/directives/**/*.md diff=rye";
const COMMANDS: [(&str, &str); 3] = [
    ("diff.rye.command", "rye-render diff --git-external"),
    ("difftool.rye.cmd", "rye-render diff --stands-for=\"$MERGED\" -- \"$LOCAL\" \"$REMOTE\""),
    ("diff.rye.textconv", "rye-render render --git-textconv"),
];

/// Adds flags that exclude the system tier and select an exact format.
const FLAGS: [(&str, &str); 2] =
    [(" diff ", " diff --system none --format patch "), (" render ", " render --system none ")];

/// A repository, deleted on drop.
struct Case {
    _folder: TempDir,
    repo: Repo,
}

/// A repository with two directives in one commit and the given git settings, which name this program.
fn case(settings: &[&str]) -> Case {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let repo = Repo::init(&folder.path().join("repo"));
    repo.write(".gitattributes", format!("{ATTRIBUTES}\n"));
    for (key, command) in COMMANDS.into_iter().filter(|(key, _)| settings.contains(key)) {
        let command = FLAGS.iter().fold(command.to_string(), |command, (from, to)| command.replace(from, to));
        repo.git(&["config", key, &command]);
    }
    write(&repo, "deploy", "Deploy now.");
    write(&repo, "web/shop", "Sell.");
    repo.commit("one");
    Case { _folder: folder, repo }
}

fn external() -> Case {
    case(&["diff.rye.command"])
}

fn directive(name: &str, body: &str) -> String {
    format!("```xml\n<directive name=\"{name}\"/>\n```\n\n{body}\n")
}

fn write(repo: &Repo, id: &str, body: &str) {
    repo.write(&format!(".ai/directives/{id}.md"), directive("d", body));
}

/// What git prints with this program on its search path; git must succeed.
fn git_in(repo: &Repo, folder: &str, arguments: &[&str]) -> String {
    let own = Path::new(PROGRAM).parent().expect("it is in a folder");
    let others = std::env::var_os("PATH").unwrap_or_default();
    let paths = [own.to_path_buf()].into_iter().chain(std::env::split_paths(&others));
    let path: OsString = std::env::join_paths(paths).expect("plain names");
    let mut command = repo.command();
    let output = command.env("PATH", path).current_dir(repo.path(folder)).args(arguments).output().expect("git starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "git {}: {said}", arguments.join(" "));
    String::from_utf8(output.stdout).expect("git prints text")
}

fn git(repo: &Repo, arguments: &[&str]) -> String {
    git_in(repo, "", arguments)
}

/// The difference between two prompts of one line each.
fn changed(id: &str, old: &str, new: &str) -> String {
    format!(
        "--- a/{id}/user\n+++ b/{id}/user\n@@ -1,3 +1,3 @@\n <directive name=\"d\">\n-{old}\n+{new}\n </directive>\n\
         \\ No newline at end of file\n"
    )
}

fn added(id: &str, body: &str) -> String {
    format!(
        "--- /dev/null\n+++ b/{id}/user\n@@ -0,0 +1,3 @@\n+<directive name=\"d\">\n+{body}\n+</directive>\n\
         \\ No newline at end of file\n"
    )
}

#[test]
fn every_git_command_shows_prompts() {
    if !git_is_there() {
        return;
    }
    let Case { repo, _folder } = external();
    write(&repo, "deploy", "Deploy later.");
    let expected = changed("deploy", "Deploy now.", "Deploy later.");
    assert_eq!(git(&repo, &["diff"]), expected);
    repo.add();
    assert_eq!(git(&repo, &["diff"]), "");
    assert_eq!(git(&repo, &["diff", "--cached"]), expected);
    repo.commit("two");
    assert_eq!(git(&repo, &["diff", "HEAD~1", "HEAD"]), expected);
    assert_eq!(git(&repo, &["log", "-p", "--ext-diff", "-1", "--format="]), expected);
    assert_eq!(git(&repo, &["show", "--ext-diff", "--format="]), expected);
    let whole = git(&repo, &["log", "-p", "--ext-diff", "--format=%s", "--", ".ai"]);
    let first = [added("deploy", "Deploy now."), added("web/shop", "Sell.")].concat();
    assert_eq!(whole, format!("two\n\n{expected}one\n\n{first}"));
}

#[test]
fn it_works_from_any_folder() {
    if !git_is_there() {
        return;
    }
    let Case { repo, _folder } = external();
    write(&repo, "web/shop", "Sell more.");
    let expected = changed("web/shop", "Sell.", "Sell more.");
    assert_eq!(git_in(&repo, ".ai/directives", &["diff"]), expected);
    assert_eq!(git_in(&repo, ".ai/directives", &["diff", "--relative"]), expected);
    assert_eq!(git_in(&repo, "", &["diff", "--relative"]), expected);
    // A project in a subfolder of a repository.
    repo.write("services/a/.ai/directives/deploy.md", directive("d", "One.")).commit("two");
    repo.write("services/a/.ai/directives/deploy.md", directive("d", "Two."));
    assert_eq!(git(&repo, &["diff", "--", "services"]), changed("deploy", "One.", "Two."));
    let below = git_in(&repo, "services/a", &["diff", "--relative", "--", ".ai"]);
    assert_eq!(below, changed("deploy", "One.", "Two."));
}

#[test]
fn files_are_added_deleted_and_renamed() {
    if !git_is_there() {
        return;
    }
    let Case { repo, _folder } = external();
    write(&repo, "a b/c\u{e9}\nd", "New.");
    repo.remove(".ai/directives/web/shop.md").add();
    let gone = added("web/shop", "Sell.").replace("-0,0 +1,3", "-1,3 +0,0").replace("\n+", "\n-");
    let gone = gone.replace("--- /dev/null\n-++ b/web/shop/user", "--- a/web/shop/user\n+++ /dev/null");
    for quote in ["core.quotepath=true", "core.quotepath=false"] {
        let shown = git(&repo, &["-c", quote, "diff", "--cached", "--no-renames"]);
        assert!(shown.ends_with(&gone), "{shown}\n{gone}");
        assert!(shown.starts_with("--- /dev/null\n") && shown.contains("\n+New.\n"), "{shown}");
    }
    let Case { repo, _folder } = external();
    repo.git(&["mv", ".ai/directives/deploy.md", ".ai/directives/roll out.md"]);
    assert_eq!(
        git(&repo, &["diff", "--cached", "-M"]),
        "",
        "the prompts are the same; only what git itself reports differs"
    );
    repo.git(&["config", "diff.rye.command", "rye-render diff --system none --format stat --git-external"]);
    repo.git(&["update-index", "--chmod=+x", ".ai/directives/roll out.md"]);
    let shown = git(&repo, &["diff", "--cached", "-M"]);
    let head: Vec<_> = shown.lines().take(5).collect();
    let expected = [
        ".ai/directives/roll out.md",
        "mode 100644 → 100755",
        "similarity index 100%",
        "rename from .ai/directives/deploy.md",
        "rename to .ai/directives/roll out.md",
    ];
    assert_eq!(head, expected);
}

#[test]
fn all_other_files_are_read_from_the_working_tree() {
    if !git_is_there() {
        return;
    }
    let Case { repo, _folder } = external();
    let knowing = |body: &str| {
        let context = "<metadata><context><before>rules</before></context></metadata>";
        format!("```xml\n<directive name=\"d\">{context}</directive>\n```\n\n{body}\n")
    };
    let rules = |text: &str| format!("```yaml\nname: rules\n```\n{text}\n");
    repo.write(".ai/directives/deploy.md", knowing("One."))
        .write(".ai/knowledge/rules.md", rules("Old."))
        .commit("two");
    repo.write(".ai/directives/deploy.md", knowing("Two.")).write(".ai/knowledge/rules.md", rules("New."));
    let shown = git(&repo, &["diff", "--", ".ai/directives"]);
    assert!(shown.contains("\n-One.\n+Two.\n") && shown.contains("New.") && !shown.contains("Old."), "{shown}");
}

#[test]
fn a_file_without_a_prompt_is_shown_as_a_file() {
    if !git_is_there() {
        return;
    }
    let Case { repo, _folder } = external();
    repo.write(".gitattributes", "*.md diff=rye\n*.bin diff=rye\n").write("notes.md", "a\nb").commit("two");
    repo.write("notes.md", "a\nc\n").write(".ai/directives/deploy.md", "No block.\n").write("x.bin", b"\xff\n").add();
    #[cfg(unix)]
    repo.remove(".ai/directives/web/shop.md").link(".ai/directives/web/shop.md", "../deploy.md").add();
    let shown = git(&repo, &["diff", "--cached", "--no-renames"]);
    let why = "rye-render: showing the file itself, since it has no prompt:";
    let notes = format!(
        "{why} it is not a file below .ai/directives/\n--- a/notes.md\n+++ b/notes.md\n@@ -1,2 +1,2 @@\n a\n-b\n\
         \\ No newline at end of file\n+c\n"
    );
    assert!(shown.contains(&notes), "{shown}");
    assert!(shown.contains(&format!("{why} project .ai/directives/deploy.md:1: no xml block")), "{shown}");
    assert!(shown.contains("\n-Deploy now.\n") && shown.contains("\n+No block.\n"), "{shown}");
    assert!(shown.contains("Binary files /dev/null and b/x.bin differ\n"), "{shown}");
    if cfg!(unix) {
        assert!(shown.contains(&format!("{why} it is not a regular file\n")) && shown.contains("\n+../deploy.md\n"));
    }
}

#[test]
fn a_file_in_conflict_is_named() {
    if !git_is_there() {
        return;
    }
    let Case { repo, _folder } = external();
    repo.branch("other");
    write(&repo, "deploy", "Theirs.");
    repo.commit("theirs").switch("main");
    write(&repo, "deploy", "Ours.");
    repo.commit("ours");
    let merged = repo.command().args(["merge", "--quiet", "other"]).output().expect("git starts");
    assert!(!merged.status.success(), "both changed one line");
    let shown = git(&repo, &["diff", "--cached"]);
    assert!(shown.contains(".ai/directives/deploy.md: unmerged, not compared\n"), "{shown}");
}

#[test]
fn the_difftool_shows_prompts() {
    if !git_is_there() {
        return;
    }
    let Case { repo, _folder } = case(&["difftool.rye.cmd"]);
    write(&repo, "web/shop", "Sell more.");
    write(&repo, "new one", "New.");
    repo.add();
    let shown = git(&repo, &["difftool", "--no-prompt", "--tool=rye", "--cached"]);
    let new = "--- /dev/null\n+++ \"b/new one/user\"\n";
    assert!(shown.contains(new) || shown.contains("+++ b/new one/user"), "{shown}");
    assert!(shown.ends_with(&changed("web/shop", "Sell.", "Sell more.")), "{shown}");
    let below = git_in(&repo, ".ai", &["difftool", "--no-prompt", "--tool=rye", "--cached", "--", "directives/web"]);
    assert_eq!(below, changed("web/shop", "Sell.", "Sell more."));
}

#[test]
fn textconv_gives_git_the_messages() {
    if !git_is_there() {
        return;
    }
    let Case { repo, _folder } = case(&["diff.rye.textconv"]);
    // The hook shows which directive is rendered, because git passes only the last part of the file's path.
    let hook = "context_hooks:\n  - id: which\n    event: thread_started\n    action:\n      primary: fetch\n      \
                item_type: knowledge\n      item_id: which\n";
    repo.write(".ai/config/agent/hook_conditions.yaml", hook);
    repo.write(".ai/knowledge/which.md", "```yaml\nname: which\n```\nThis is ${directive}.\n");
    write(&repo, "web/shop", "Sell more, {input:what?}.");
    repo.commit("two");
    let arguments = ["--format=", "-U9", "--", ".ai/directives"];
    let shown = git(&repo, &[&["show", "--textconv"], &arguments[..]].concat());
    assert!(shown.contains("\n This is web/shop.\n"), "{shown}");
    assert!(shown.contains("\n-Sell.\n+Sell more, .\n </directive>\n"), "{shown}");
    assert_eq!(git(&repo, &[&["log", "-p", "-1"], &arguments[..]].concat()), shown);
    write(&repo, "web/shop", "Sell less.");
    let shown = git(&repo, &["diff"]);
    assert!(shown.contains("\n-Sell more, .\n+Sell less.\n"), "{shown}");
    assert!(git(&repo, &["grep", "--textconv", "-h", "Sell"]).contains("Sell less."));
    // It must exit with 0, or git stops at this file.
    repo.write(".ai/directives/web/shop.md", "No block.\n");
    let shown = git(&repo, &["diff"]);
    assert!(shown.contains("\n+rye-render: showing the file itself, since it has no prompt: project "), "{shown}");
    assert!(shown.contains("\n+No block.\n"), "{shown}");
}

/// Git passes the committed version as a temporary file, and the one in the work tree by its path.
#[test]
fn both_sides_of_a_textconv_have_the_same_id() {
    if !git_is_there() {
        return;
    }
    let Case { repo, _folder } = case(&["diff.rye.textconv"]);
    let hook = "context_hooks:\n  - id: which\n    event: thread_started\n    action:\n      \
                primary: fetch\n      item_type: knowledge\n      item_id: which\n";
    for project in ["", "services/a/"] {
        repo.write(&format!("{project}.ai/config/agent/hook_conditions.yaml"), hook)
            .write(&format!("{project}.ai/knowledge/which.md"), "This is ${directive}.\n");
    }
    // A second directive with this name, and a project in a subfolder.
    let paths = [".ai/directives/shop/deploy.md", "services/a/.ai/directives/web/sell.md"];
    for path in paths {
        repo.write(path, directive("d", "One."));
    }
    repo.commit("two");
    for path in paths {
        repo.write(path, directive("d", "Two."));
    }
    let lines = |folder: &str, path: &str| {
        let shown = git_in(&repo, folder, &["diff", "-U9", "--", path]);
        let lines: Vec<_> = shown.lines().skip(5).map(str::to_string).collect();
        (lines.iter().filter(|line| line.starts_with(['-', '+'])).cloned().collect::<Vec<_>>(), shown)
    };
    for (folder, path, id) in
        [("", paths[0], "deploy"), ("", paths[1], "sell"), ("services/a", ".ai/directives/web/sell.md", "web/sell")]
    {
        let (differing, shown) = lines(folder, path);
        assert_eq!(differing, ["-One.", "+Two."], "{shown}");
        assert!(shown.contains(&format!("\n This is {id}.\n")), "{shown}");
    }
}

#[test]
fn a_comparison_without_git_has_the_status_of_diff() {
    let test = || {
        Test::new()
            .file("project/.ai/directives/deploy.md", &directive("d", "Now."))
            .file("old", &directive("d", "Now."))
            .file("new", &directive("d", "Later."))
            .env("RYE_SYSTEM_SPACE", "none")
            .args(["diff", "--format", "patch", "--stands-for", ".ai/directives/deploy.md"])
    };
    let expected = changed("deploy", "Now.", "Later.");
    test().args(["../old", "../new"]).stdout(&expected).status(1).run();
    test().args(["--exit-zero", "../old", "../new"]).stdout(&expected).run();
    test().args(["../old", "../old"]).run();
    let ran = test().args(["../old", "../none"]).any_stderr().status(2).run();
    assert!(ran.stderr.contains("cannot be read: No such file or directory"), "{}", ran.stderr);
    assert!(ran.stderr.contains("../none"), "{}", ran.stderr);
}

/// The same rules apply as in any other comparison.
#[test]
fn a_comparison_for_git_hides_values() {
    let test = || {
        Test::new()
            .file("project/.ai/directives/deploy.md", &directive("d", "Now."))
            .file("old", &directive("d", "To {env:TOKEN}."))
            .file("new", &directive("d", "To {env:TOKEN}, and again to {env:TOKEN}, and once more to {env:TOKEN}."))
            .env("RYE_SYSTEM_SPACE", "none")
            .env("TOKEN", "s3cret")
            .args(["diff", "--stands-for", ".ai/directives/deploy.md", "../old", "../new"])
    };
    let published = test().args(["--format", "markdown"]).any_stdout().status(1).run().stdout;
    assert!(published.contains("‹env:TOKEN›") && !published.contains("s3cret"), "{published}");
    let refused = test().args(["--format", "json", "--side-by-side"]).any_stderr().status(2).run().stderr;
    assert!(refused.contains("--side-by-side requires --format text"), "{refused}");
    let grown = test().args(["--format", "patch", "--max-token-growth", "1%"]).any_stdout().any_stderr();
    let grown = grown.status(1).run().stderr;
    assert!(grown.contains("[prompt_grew]"), "{grown}");
    test().args(["--format", "patch", "--max-token-growth", "900%"]).any_stdout().run();
}

#[test]
fn the_number_of_context_lines_can_be_set() {
    Test::new()
        .file("project/old", "a\nb\n")
        .file("project/new", "a\nc\n")
        .args(["diff", "-U", "18446744073709551615", "--format", "patch", "--stands-for", "notes", "old", "new"])
        .stdout(
            "rye-render: showing the file itself, since it has no prompt: it is not a file below .ai/directives/\n--- a/notes\n\
             +++ b/notes\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
        )
        .status(1)
        .run();
}

#[cfg(unix)]
#[test]
fn a_file_over_the_limit_is_not_read() {
    for arguments in [["render", "--git-textconv", "/dev/zero"], ["render", "--git-textconv", "/dev/fd/99"]] {
        Test::new().args(arguments).any_stderr().status(2).run();
    }
    let test = Test::new().args(["diff", "--stands-for", "x.md", "/dev/zero", "/dev/null"]);
    let ran = test.any_stderr().status(2).run();
    assert!(ran.stderr.contains("error[too_large]"), "{}", ran.stderr);
}

#[test]
fn a_path_may_look_like_a_flag() {
    if !git_is_there() {
        return;
    }
    let Case { repo, _folder } = case(&["difftool.rye.cmd", "diff.rye.textconv"]);
    let path = "--output=canary.txt/.ai/directives/x.md";
    repo.write(path, directive("d", "One.")).commit("two").write(path, directive("d", "Two."));
    let shown = git(&repo, &["difftool", "--no-prompt", "--tool=rye"]);
    assert_eq!(shown, changed("x", "One.", "Two."));
    let shown = git(&repo, &["diff"]);
    assert!(shown.contains("\n-One.\n+Two.\n"), "{shown}");
    assert!(!repo.path("canary.txt").exists());
}

/// In the text format, each file starts with a heading and ends with a blank line.
#[test]
fn each_file_is_separated_from_the_next() {
    if !git_is_there() {
        return;
    }
    let Case { repo, _folder } = external();
    repo.git(&["config", "diff.rye.command", "rye-render diff --system none --git-external"]);
    write(&repo, "deploy", "Deploy later.");
    write(&repo, "web/shop", "Sell more.");
    let shown = git(&repo, &["diff"]);
    assert!(shown.starts_with(".ai/directives/deploy.md\n"), "{shown}");
    assert!(shown.contains("\n\n.ai/directives/web/shop.md\n") && shown.ends_with("\n\n"), "{shown}");
}

#[test]
fn arguments_that_git_does_not_pass_are_refused() {
    let ran = Test::new().args(["diff", "--git-external", "a.md", "old", "new"]).any_stderr().status(2).run();
    assert!(ran.stderr.contains("git passes seven or nine arguments, but there are 3"), "{}", ran.stderr);
    // A path may look like a flag.
    let ran = Test::new().file("project/old", "a\n").file("project/new", "b\n").args([
        "diff",
        "--git-external",
        "--all",
        "old",
        "1234567",
        "100644",
        "new",
        "0000000",
        "100644",
    ]);
    assert!(ran.any_stdout().run().stdout.contains("--- a/--all\n+++ b/--all\n"));
}

#[test]
fn the_documented_lines_are_the_tested_ones() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/git.md");
    let text = fs::read_to_string(path).expect("the document exists");
    assert!(text.contains(&format!("echo '{ATTRIBUTES}' >> .gitattributes\n")));
    for (key, command) in COMMANDS {
        assert!(text.contains(&format!("git config {key} '{command}'\n")), "{key}");
    }
}
