//! `diff --all` on real git repositories: the effect of a change on every prompt.

use std::path::Path;

use crate::repo::{Repo, git_is_there};
use crate::support::{Ran, Test};

fn directive(context: &str) -> String {
    format!("```xml\n<directive name=\"n\"><metadata><context>{context}</context></metadata></directive>\n```\nGo.\n")
}

fn knowledge(text: &str) -> String {
    format!("```yaml\nname: Item\n```\n{text}\n")
}

/// At `v1`, two directives share an item and a third has none; at `v2`, the item has two more words; a new directive is
/// staged.
fn history(folder: &Path) {
    let repo = Repo::init(&folder.join("project"));
    let shared = directive("<before>shared</before>");
    repo.write(".ai/directives/a.md", &shared).write(".ai/directives/b.md", &shared);
    repo.write(".ai/directives/alone.md", directive("")).write(".ai/knowledge/shared.md", knowledge("Shared."));
    repo.commit("one").tag("v1");
    repo.write(".ai/knowledge/shared.md", knowledge("Shared by all.")).commit("two").tag("v2");
    repo.write(".ai/directives/new.md", directive("")).add();
}

/// Runs `diff --all` with these arguments; none if git is missing.
fn compare<const N: usize>(arguments: [&str; N], status: i32) -> Option<Ran> {
    git_is_there().then(|| asked(arguments).status(status).any_stdout().any_stderr().run())
}

fn asked<const N: usize>(arguments: [&str; N]) -> Test {
    let test = Test::new().with(history).args(["diff", "--all", "--user-space", "none", "--system", "none"]);
    test.args(arguments)
}

#[test]
fn the_exit_status_says_whether_prompts_differ() {
    for (range, status) in [("v1..v2", 1), ("v1...v2", 1), ("v2..v2", 0), ("v2..HEAD", 0), ("HEAD..:", 1), ("v2", 1)] {
        let Some(ran) = compare(["--rev", range], status) else { return };
        assert_eq!(ran.stderr, "", "{range}");
    }
    // Without a range, HEAD is compared with the working tree: one directive is new.
    compare([], 1);
    compare(["--exit-zero"], 0);
}

#[test]
fn the_growth_limit_names_the_prompts_that_grow() {
    let Some(ran) = compare(["--rev", "v1..v2", "--max-token-growth", "1%"], 1) else { return };
    for id in ["`a`", "`b`"] {
        assert!(ran.stderr.contains(&format!("warning[prompt_grew]: the prompt of {id} grows by more than 1%: by ")));
    }
    let gone = compare(["--rev", "v1..v2", "--max-token-growth", "90%"], 0).unwrap();
    assert_eq!(gone.stderr, "");
    // An added prompt does not count as growth, and a prompt may shrink.
    assert_eq!(compare(["--rev", "HEAD..:", "--max-token-growth", "0%"], 0).unwrap().stderr, "");
    assert_eq!(compare(["--rev", "v2..v1", "--max-token-growth", "0%"], 0).unwrap().stderr, "");
    compare(["--rev", "v1..v2", "--max-token-growth", "1%", "--exit-zero"], 0);
}

#[cfg(unix)]
#[test]
fn a_changed_link_target_affects_prompts_that_use_the_link() {
    if !git_is_there() {
        return;
    }
    let linked = |folder: &Path| {
        let repo = Repo::init(&folder.join("project"));
        repo.write("shared/item.md", knowledge("Shared.")).write("shared/parent.md", directive(""));
        repo.write(".ai/directives/item.md", directive("<before>linked/item</before>"));
        repo.write(".ai/directives/child.md", directive("").replace("name=", "extends=\"linked/parent\" name="));
        repo.write(".ai/directives/alone.md", directive("")).write(".ai/knowledge/other.md", knowledge("Other."));
        for kind in ["directives", "knowledge"] {
            repo.link(&format!(".ai/{kind}/linked"), "../../shared");
        }
        repo.commit("one").tag("v1");
        repo.write("shared/item.md", knowledge("Shared by all.")).commit("two").tag("v2");
        repo.write("shared/parent.md", directive("<after>other</after>")).commit("three").tag("v3");
    };
    for (range, changed) in
        [("v1..v2", "item\n"), ("v2..v3", "child\n"), ("v2", "child\n"), ("v1..v3", "child\nitem\n")]
    {
        let arguments = ["diff", "--all", "--user-space", "none", "--system", "none", "--format", "name-only"];
        let test = Test::new().with(linked).args(arguments).args(["--rev", range]);
        test.status(1).stdout(changed).run();
    }
}

#[test]
fn flags_of_one_side_compare_the_working_tree_with_itself() {
    compare(["--left-model", "small", "--right-model", "big"], 1);
    // New files on disk are on both sides.
    compare(["--left-model", "big", "--right-model", "big"], 0);
    compare(["--left-protocol", "rye-1"], 1);
}

#[test]
fn a_failing_prompt_is_reported_once_and_others_continue() {
    if !git_is_there() {
        return;
    }
    let broken = |folder: &Path| {
        history(folder);
        let repo = Repo::at(&folder.join("project"));
        repo.write(".ai/directives/b.md", "no directive").commit("three").tag("v3");
        repo.write(".ai/knowledge/shared.md", knowledge("Shared.")).commit("four").tag("v4");
    };
    let ran = Test::new()
        .with(broken)
        .args(["diff", "--all", "--user-space", "none", "--system", "none", "--rev", "v3..v4"])
        .status(2)
        .any_stdout()
        .any_stderr()
        .run();
    assert_eq!(ran.stderr.matches("error[").count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains(".ai/directives/b.md"), "{}", ran.stderr);
    assert_ne!(ran.stdout, "");
}

#[test]
fn errors_say_what_cannot_be_done() {
    let Some(ran) = compare(["--rev", "v1..v2", "--format", "patch"], 2) else { return };
    assert!(ran.stderr.contains("--format patch is for one prompt, not for --all"), "{}", ran.stderr);
    let ran = compare(["--rev", "none..v2"], 2).unwrap();
    assert!(ran.stderr.contains("none"), "{}", ran.stderr);
    // No repository.
    Test::new()
        .file("project/.ai/directives/a.md", "x")
        .args(["diff", "--all", "--user-space", "none"])
        .status(2)
        .any_stderr()
        .stdout("")
        .run();
}

/// The folder of the directives goes with the last of them.
#[test]
fn a_change_may_remove_or_add_all_directives() {
    if !git_is_there() {
        return;
    }
    let all = |folder: &Path| {
        let repo = Repo::init(&folder.join("project"));
        repo.write(".ai/knowledge/shared.md", knowledge("Shared.")).commit("none").tag("none");
        repo.write(".ai/directives/a.md", directive("")).commit("one").tag("one");
        repo.git(&["rm", "--quiet", ".ai/directives/a.md"]);
        repo.commit("gone").tag("gone");
    };
    for (range, change) in [("one..gone", "removed"), ("none..one", "added"), ("one", "removed")] {
        let test = Test::new().with(all).env("RYE_SYSTEM_SPACE", "none");
        let ran = test.args(["diff", "--all", "--format", "json", "--rev", range]).status(1).any_stdout().run();
        let changed = &ran.json()["changed"];
        assert_eq!((&changed[0]["id"], &changed[0]["change"]), (&"a".into(), &change.into()), "{range}");
    }
}
