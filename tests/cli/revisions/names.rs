//! Names of revisions, and the messages about unknown ones.

use std::fs;
use std::path::Path;

use rye_render::internals::diagnostic::{Diagnostic, Problem};
use rye_render::internals::read::store::{Range, Repository, Revision};

use super::{Case, DIRECTIVE, named, read, snapshot};
use crate::repo::Repo;
use crate::support::Test;

/// Code, message and help of the error for a revision.
fn refused(folder: &Path, name: &str) -> String {
    let refused = Repository::find(folder).and_then(|repository| repository.snapshot(&named(name)).map(|_| ()));
    sentence(&refused.unwrap_err())
}

fn sentence(error: &Diagnostic) -> String {
    format!("{}: {}; {}", error.code(), error.message(), error.help().unwrap_or_default())
}

#[test]
fn an_unknown_name_is_reported_with_the_closest_one() {
    let Some(case) = Case::new() else { return };
    let repo = case.repo();
    repo.git(&["tag", "file", "v1:.ai/directives/a.md"]);
    let refused = |name| refused(repo.folder(), name);
    assert_eq!(refused("maim"), "unknown_revision: revision `maim` not found in the repository; did you mean `main`?");
    let listed = "`git branch --all` and `git tag` list the names in the repository";
    assert_eq!(
        refused("release"),
        format!("unknown_revision: revision `release` not found in the repository; {listed}")
    );
    let reached = "`main` exists; `git log main` lists its commits";
    assert_eq!(
        refused("main~7"),
        format!("unknown_revision: revision `main~7` not found in the repository; {reached}")
    );
    let id = "0123456789".repeat(4);
    assert_eq!(refused(&id), format!("unknown_revision: revision `{id}` not found in the repository; {listed}"));
    assert!(refused("file").starts_with("revision_without_files: `file` is neither a commit"), "{}", refused("file"));
    for name in
        ["v1..v2", "^v1", "v1 v2", "v1 missing", "a tree 5", "{", "@{", "^{tree}", "HEAD^{/none such}", "\u{1b}[31m"]
    {
        assert!(refused(name).starts_with("unknown_revision: "), "{name}: {}", refused(name));
    }
    for name in ["-x", "--all", "", "v1\nv2", "v1\0"] {
        assert!(refused(name).starts_with("invalid_revision: "), "{name:?}");
    }
}

#[test]
fn an_ambiguous_abbreviation_is_reported_with_its_candidates() {
    let Some(case) = Case::new() else { return };
    let repo = case.repo();
    // Trees of one file each, until two ids share a prefix.
    let blob = repo.id("v1:.ai/directives/a.md");
    let listing: String = (0..1_500).map(|n| format!("100644 blob {blob}\tn{n}\n\n")).collect();
    repo.write("listing", listing);
    let listing = fs::File::open(repo.path("listing")).unwrap();
    let output = repo.command().args(["mktree", "--batch"]).stdin(listing).output().unwrap();
    let mut ids: Vec<_> = String::from_utf8(output.stdout).unwrap().lines().map(str::to_string).collect();
    ids.sort();
    let pair = ids.windows(2).find(|pair| pair[0][..4] == pair[1][..4]).expect("two of 1,500 begin alike");
    let refused = refused(repo.folder(), &pair[0][..4]);
    assert!(refused.starts_with(&format!(
        "ambiguous_revision: `{}` is ambiguous, because several ids begin with it: ",
        &pair[0][..4]
    )));
    assert!(refused.contains(&pair[0][..8]) && refused.contains(&pair[1][..8]), "{refused}");
    assert!(Repository::find(repo.folder()).unwrap().snapshot(&named(&pair[0])).is_ok());
}

#[test]
fn a_range_is_two_revisions() {
    let Some(case) = Case::new() else { return };
    let repo = case.repo();
    repo.branch("side").write("b", "b").commit("side").switch("main").write("c", "c").commit("main");
    let repository = Repository::find(repo.folder()).unwrap();
    let base = named(&repo.git(&["rev-parse", "--short=12", "v2"]));
    let range = |typed: &str| repository.range(typed).unwrap();
    assert_eq!(range("v1..side"), Range { left: named("v1"), right: Some(named("side")) });
    assert_eq!(range("main...side"), Range { left: base.clone(), right: Some(named("side")) });
    assert_eq!(range("side..."), Range { left: base.clone(), right: Some(named("HEAD")) });
    assert_eq!(range("v1"), Range { left: named("v1"), right: None });
    assert_eq!(range("HEAD..:"), Range { left: named("HEAD"), right: Some(Revision::Index) });
    assert_eq!(repository.merge_base("main", "side").unwrap(), base);

    let refused = |typed: &str| sentence(&repository.range(typed).unwrap_err());
    assert!(refused("main...sidf").ends_with("did you mean `side`?"));
    assert!(refused("main...:").starts_with("invalid_revision: `:` is not a valid revision: the index has no history"));
    assert!(refused("v1...--output=x").starts_with("invalid_revision"));
    repo.git(&["tag", "files", "v1^{tree}"]);
    repo.git(&["tag", "--annotate", "--message=x", "annotated", "files"]);
    for tree in ["HEAD^{tree}", "files", "annotated"] {
        let no_commit = format!(
            "invalid_revision: `{tree}` is not a valid revision: it names a tree, not a commit, so it has no history"
        );
        assert!(refused(&format!("{tree}...main")).starts_with(&no_commit), "{tree}");
    }
    repo.git(&["switch", "--quiet", "--orphan", "apart"]);
    repo.commit("apart");
    let apart = "no_merge_base: `main` and `apart` have no commit in common; compare them directly: main..apart";
    assert_eq!(refused("main...apart"), apart);
}

#[test]
fn a_partial_clone_is_reported_and_fetches_nothing() {
    let Some(case) = Case::new() else { return };
    let repo = case.repo();
    let shallow = repo.clone_with(&case.path("shallow"), &["--depth=1"]);
    for name in ["HEAD~1", &repo.id("v1")] {
        let start = format!("revision_not_here: `{name}` is not in this clone, which is shallow");
        assert!(refused(shallow.folder(), name).starts_with(&start), "{}", refused(shallow.folder(), name));
    }
    assert_eq!(read(&*snapshot(shallow.folder(), "HEAD").store("", false), DIRECTIVE), "two");

    let partial = repo.clone_with(&case.path("partial"), &["--filter=blob:none", "--no-checkout"]);
    let old = snapshot(partial.folder(), "v1").store("", false);
    assert_eq!(read(&*old, DIRECTIVE), "ObjectNotHere { is_partial: true }");
    assert!(old.exists(DIRECTIVE) && old.identity(DIRECTIVE).is_some());
    let without_trees = repo.clone_with(&case.path("treeless"), &["--filter=tree:0", "--no-checkout"]);
    assert!(
        refused(without_trees.folder(), "v1").starts_with("object_not_here: its content is not in this partial clone")
    );
    for clone in [partial, without_trees] {
        let there = clone
            .command()
            .env("GIT_NO_LAZY_FETCH", "1")
            .args(["cat-file", "-e", &repo.id("v1:.ai/directives/a.md")])
            .status();
        assert!(!there.unwrap().success(), "it was fetched");
    }
}

#[test]
fn missing_empty_and_broken_repositories_are_reported() {
    let Some(case) = Case::new() else { return };
    let none = case.path("none");
    fs::create_dir(&none).unwrap();
    if Repository::find(&none).is_ok() {
        return crate::announce("not run: temporary folders are in a repository");
    }
    let start = format!("no_repository: `{}` is not in a git repository", none.display());
    assert!(refused(&none, "HEAD").starts_with(&start), "{}", refused(&none, "HEAD"));
    assert!(refused(&none.join("deeper/still"), "HEAD").starts_with(&start));
    let empty = Repo::init(&case.path("empty"));
    assert!(refused(empty.folder(), "HEAD").starts_with("no_commit_yet: "));
    assert!(refused(empty.folder(), "main").starts_with("unknown_revision: "));
    assert_eq!(read(&*snapshot(empty.folder(), ":").store("", false), DIRECTIVE), "NotFound");

    let broken = case.repo();
    let id = broken.id("v1:.ai/directives/a.md");
    let object = broken.path(&format!(".git/objects/{}/{}", &id[..2], &id[2..]));
    fs::remove_file(&object).unwrap();
    let store = snapshot(broken.folder(), "v1").store("", false);
    assert_eq!(read(&*store, DIRECTIVE), "ObjectNotHere { is_partial: false }");
    fs::write(&object, "no object").unwrap();
    assert!(!read(&*store, DIRECTIVE).contains("no object"), "a corrupt object is not read");
    assert!(matches!(Repository::find(&none).unwrap_err().problem, Problem::NoRepository { .. }));
}

/// A project in a repository, with a committed directive.
fn project(root: &Path) -> Repo {
    let repo = Repo::init(&root.join("project"));
    repo.write(".ai/directives/a.md", "```xml\n<directive name=\"a\" version=\"1.0.0\"></directive>\n```\nText.\n");
    repo.commit("one");
    repo
}

fn test() -> Test {
    Test::new().with(|root| {
        project(root);
    })
}

#[test]
fn a_missing_git_is_reported() {
    test()
        .env("PATH", "/nowhere")
        .args(["diff", "a"])
        .status(2)
        .stderr(
            "error[git_missing]: git not found; it is needed to read revisions\n\
             help: install git, or add the absolute path of its folder to PATH\n",
        )
        .run();
}

#[test]
fn a_repository_with_a_different_owner_is_refused_with_gits_advice() {
    if Case::new().is_none() {
        return;
    }
    let test = test().with(|root| {
        let _ = std::process::Command::new("chown").arg("-R").arg("12345").arg(root.join("project")).status();
    });
    let mut owned = true;
    let test = test.with(|root| {
        let output = Repo::at(&root.join("project")).command().arg("status").output().unwrap();
        owned = output.status.success();
    });
    if owned {
        return crate::announce("not run: this user cannot change the owner of a repository");
    }
    let ran = test.args(["diff", "a"]).status(2).any_stderr().run();
    assert!(
        ran.stderr.starts_with("error[repository_refused]: git refuses the repository: detected dubious ownership"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("if you trust it: git config --global --add safe.directory"), "{}", ran.stderr);
}

#[test]
fn the_environment_can_name_the_repository() {
    if Case::new().is_none() {
        return;
    }
    // The project's `.git` has a different name, as in a git hook or for the settings of a home folder.
    test()
        .with(|root| fs::rename(root.join("project/.git"), root.join("elsewhere.git")).unwrap())
        .env("GIT_DIR", "../elsewhere.git")
        .env("GIT_WORK_TREE", ".")
        .args(["diff", "HEAD:a", ":a", "--format", "name-only"])
        .any_stdout()
        .run();
    test().args(["diff", "HEAD:a", ":a"]).env("GIT_DIR", "/nowhere").status(2).any_stderr().run();
}

#[test]
fn a_repository_named_from_another_folder_has_no_work_tree_there() {
    if Case::new().is_none() {
        return;
    }
    for (folder, git_dir, project) in [("..", "project/.git", "project"), (".ai", "../.git", "..")] {
        let ran = test()
            .through(&["sh", "-c", "cd \"$0\" && exec \"$@\"", folder])
            .args(["diff", "a", "--project", project])
            .env("GIT_DIR", git_dir)
            .status(2)
            .any_stderr()
            .run();
        assert!(ran.stderr.starts_with("error[work_tree_elsewhere]"), "{}", ran.stderr);
    }
    // Exported files have no `.git`, so git uses whatever surrounds them.
    test()
        .with(|root| fs::rename(root.join("project/.git"), root.join("home/.git")).unwrap())
        .env("GIT_DIR", "../home/.git")
        .args(["diff", "a", "--format", "name-only"])
        .run();
}
