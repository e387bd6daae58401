//! `--rev`, and places where a repository may be.

use super::{RULES, knowledge, story};
use crate::repo::Repo;
use crate::support::Test;

fn rules(text: &str) -> String {
    knowledge("Rules", text)
}

/// `main` and `topic` diverge at `v1`, with one edit each.
fn parted(repo: &Repo) {
    repo.branch("topic").write(RULES, rules("Topic.\n")).commit("topic");
    repo.switch("main")
        .write(".ai/directives/deploy.md", super::directive("deploy", &["app/rules"], "Main."))
        .commit("m");
    repo.switch("topic");
}

#[test]
fn two_dots_compare_tips_and_three_dots_the_branch() {
    let cases = [
        ("main..topic", "app/rules\ndirective deploy\n"),
        ("main...topic", "app/rules\n"),
        ("main...", "app/rules\n"),
        ("..main", "app/rules\ndirective deploy\n"),
        ("topic...main", "directive deploy\n"),
        ("main", "app/rules\ndirective deploy\n"),
    ];
    for (range, names) in cases {
        let Some(test) = story(parted) else { return };
        test.args(["deploy", "--rev", range, "--format", "name-only"]).status(1).stdout(names).run();
    }
}

#[test]
fn a_range_to_the_index_shows_staged_edits() {
    let Some(test) = story(|repo| {
        repo.write(RULES, rules("Staged.\n")).add().write(RULES, rules("On disk.\n"));
    }) else {
        return;
    };
    let ran = test.args(["deploy", "--rev", "HEAD..:", "--format", "patch"]).status(1).any_stdout().run();
    assert!(ran.stdout.contains("\n+Staged.\n"), "{}", ran.stdout);
}

/// A test in a folder that `make` creates from the repository in the folder `repo`.
fn elsewhere(make: impl FnOnce(&std::path::Path, &Repo)) -> Option<Test> {
    let test = crate::repo::git_is_there().then(Test::new)?;
    Some(test.with(|root| {
        std::fs::remove_dir_all(root.join("project")).unwrap();
        let repo = Repo::init(&root.join("repo"));
        super::plain(&repo).commit("one").tag("v1").write(RULES, rules("Two.\n")).commit("two").tag("v2");
        make(root, &repo);
    }))
}

#[test]
fn revisions_are_read_in_a_worktree_a_submodule_a_subfolder_and_a_bare_repository() {
    let worktree = elsewhere(|root, repo| {
        repo.worktree(&root.join("project"), "v1");
    });
    let submodule = elsewhere(|root, repo| {
        let outer = Repo::init(&root.join("outer"));
        outer.commit("empty").submodule("inner", repo);
        std::os::unix::fs::symlink(root.join("outer/inner"), root.join("project")).unwrap();
    });
    let bare = elsewhere(|root, repo| {
        repo.bare_clone(&root.join("project"));
    });
    let subfolder = elsewhere(|root, _| {
        let outer = Repo::init(&root.join("outer"));
        let at = |path: &str| format!("inner/{path}");
        outer.write(&at(".ai/config/agent/resilience.yaml"), "tool_preload:\n  enabled: false\n");
        outer.write(&at(RULES), rules("One.\n"));
        outer.write(&at(super::DEPLOY), super::directive("deploy", &["app/rules"], "Go.")).commit("one").tag("v1");
        outer.write(&at(RULES), rules("Two.\n")).commit("two").tag("v2");
        std::os::unix::fs::symlink(root.join("outer/inner"), root.join("project")).unwrap();
    });
    for test in [worktree, submodule, bare, subfolder] {
        let Some(test) = test else { return };
        test.args(["diff", "--system", "none", "v1:deploy", "v2:deploy", "--format", "name-only"])
            .status(1)
            .stdout("app/rules\n")
            .run();
    }
}

#[test]
fn a_bare_repository_has_only_revisions() {
    for arguments in
        [["deploy"].as_slice(), &["--all"], &["v1:deploy"], &["v1:deploy", ":deploy"], &["--all", "--rev", "v1..:"]]
    {
        let Some(mut test) = elsewhere(|root, repo| {
            repo.bare_clone(&root.join("project"));
        }) else {
            return;
        };
        test = test.args(["diff", "--system", "none"]);
        for argument in arguments {
            test = test.args([*argument]);
        }
        let ran = test.status(2).any_stderr().run();
        assert!(ran.stderr.contains("has no work tree"), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn a_path_at_a_revision_is_relative_to_the_repository() {
    let Some(test) = elsewhere(|root, _| {
        let outer = Repo::init(&root.join("outer"));
        let at = |path: &str| format!("apps/shop/{path}");
        outer.write(&at(".ai/config/agent/resilience.yaml"), "tool_preload:\n  enabled: false\n");
        outer.write(&at(super::DEPLOY), super::directive("deploy", &[], "Go.")).commit("one");
        outer.write(&at(super::DEPLOY), super::directive("deploy", &[], "Stay."));
        std::os::unix::fs::symlink(root.join("outer/apps"), root.join("project")).unwrap();
    }) else {
        return;
    };
    let path = "HEAD:apps/shop/.ai/directives/deploy.md";
    test.args(["diff", "--system", "none", path, "--format", "name-only"]).status(1).stdout("directive deploy\n").run();
}

#[test]
fn a_path_at_a_revision_ignores_the_working_folder() {
    let Some(test) = story(|repo| {
        repo.write(RULES, rules("Two.\n")).write("src/deep/x", "");
    }) else {
        return;
    };
    test.through(&["env", "-C", "src/deep"])
        .args(["v1:.ai/directives/deploy.md", "--format", "name-only"])
        .status(1)
        .stdout("app/rules\n")
        .run();
}
