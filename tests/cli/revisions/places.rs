//! Where a project may be: a subfolder, a worktree, a submodule, a bare repository, the index.

use std::fs;

use rye_render::internals::read::store::Repository;

use super::{Case, DIRECTIVE, read, snapshot, store};
use crate::repo::Repo;

#[test]
fn a_revision_is_read_instead_of_the_disk() {
    let Some(case) = Case::new() else { return };
    let repo = case.repo();
    repo.write(DIRECTIVE, "three").write(".ai/directives/new.md", "new");
    for (revision, text) in
        [("v1", "one"), ("v2", "two"), ("HEAD", "two"), ("HEAD~1", "one"), ("main", "two"), (":", "two")]
    {
        let store = store(repo.folder(), revision);
        assert_eq!(read(&*store, DIRECTIVE), text, "{revision}");
        assert_eq!(read(&*store, ".ai/directives/new.md"), "NotFound");
        assert_eq!(store.revision("").as_deref(), Some(revision));
        assert!(store.exists(DIRECTIVE) && store.exists(".ai") && !store.exists(".ai/x"));
    }
    let id = repo.id("v1:.ai/directives/a.md");
    let one = store(repo.folder(), "v1");
    assert_eq!(one.identity(DIRECTIVE).unwrap().to_string(), id);
    assert_eq!(one.identity(".ai/directives"), None);
    // By full and short ids, the id of a tree, and an annotated tag.
    repo.git(&["tag", "--annotate", "--message=x", "annotated", "v1"]);
    for revision in [repo.id("v1"), repo.id("v1")[..10].to_string(), repo.id("v1^{tree}"), "annotated".to_string()] {
        assert_eq!(read(&*store(repo.folder(), &revision), DIRECTIVE), "one");
    }
}

#[test]
fn equal_files_have_one_identity_on_both_sides() {
    let Some(case) = Case::new() else { return };
    let repo = case.repo();
    repo.write(".ai/knowledge/k.md", "same").commit("three").write(DIRECTIVE, "four").commit("four");
    let repository = Repository::find(repo.folder()).unwrap();
    let [left, right] =
        ["HEAD~1", "HEAD"].map(|name| repository.snapshot(&super::named(name)).unwrap().store("", false));
    let same = |path| left.identity(path).is_some() && left.identity(path) == right.identity(path);
    assert!(same(".ai/knowledge/k.md") && !same(DIRECTIVE) && !same(".ai/none"));

    let ids: Vec<_> = [(&left, DIRECTIVE), (&right, DIRECTIVE), (&left, ".ai/knowledge/k.md")]
        .map(|(store, path)| store.identity(path).unwrap())
        .repeat(500);
    let mut texts = Vec::new();
    repository.read_many(&ids, 10, |index, bytes| texts.push((index, super::text_or_error(bytes)))).unwrap();
    let expected: Vec<_> = ["two", "four", "same"].repeat(500).into_iter().map(str::to_string).enumerate().collect();
    assert_eq!(texts, expected);
    let mut refused = Vec::new();
    repository.read_many(&ids[1..2], 3, |_, bytes| refused.push(super::text_or_error(bytes))).unwrap();
    assert_eq!(refused, ["TooLarge(Some(4))"]);
}

#[test]
fn the_index_contains_what_is_staged() {
    let Some(case) = Case::new() else { return };
    let repo = case.repo();
    repo.write(DIRECTIVE, "staged").write(".ai/directives/sub/b.md", "b").write("c.md", "c").add();
    repo.write(DIRECTIVE, "on disk");
    let staged = store(repo.folder(), ":");
    assert_eq!(read(&*staged, DIRECTIVE), "staged");
    let names: Vec<_> =
        staged.list(".ai/directives").unwrap().into_iter().map(|entry| (entry.name, entry.is_folder)).collect();
    assert_eq!(names, [("a.md".to_string(), false), ("sub".to_string(), true)]);
    // `git add --intent-to-add` stages nothing yet.
    repo.write(".ai/directives/intended.md", "x").git(&["add", "--intent-to-add", ".ai/directives/intended.md"]);
    assert_eq!(read(&*store(repo.folder(), ":"), ".ai/directives/intended.md"), "NotFound");
    // A subfolder has the same index.
    assert_eq!(read(&*snapshot(&repo.path(".ai/directives"), ":").store("", false), "c.md"), "c");

    // A file with merge conflicts cannot be read.
    repo.git(&["reset", "--quiet", "--hard"]);
    repo.branch("other").write(DIRECTIVE, "theirs").commit("theirs");
    repo.switch("main").write(DIRECTIVE, "ours").commit("ours");
    assert!(!repo.command().args(["merge", "--quiet", "other"]).output().unwrap().status.success());
    assert_eq!(read(&*store(repo.folder(), ":"), DIRECTIVE), "FileUnmerged");
}

#[test]
fn a_project_in_a_subfolder_is_that_folder_of_the_tree() {
    let Some(case) = Case::new() else { return };
    let repo = case.repo();
    repo.write("sub/deep/.ai/directives/a.md", "deep").commit("three");
    let project = repo.path("sub/deep");
    let snapshot = snapshot(&project, "HEAD");
    assert_eq!(snapshot.within(&project).as_deref(), Some("sub/deep"));
    assert_eq!(snapshot.within(&repo.path("sub/./deep/x")).as_deref(), Some("sub/deep/x"));
    assert_eq!(snapshot.within(repo.folder()).as_deref(), Some(""));
    assert_eq!(snapshot.within(&case.path("elsewhere")), None);
    assert!(snapshot.holds_tier("sub/deep") && snapshot.holds_tier("") && !snapshot.holds_tier("sub"));
    assert_eq!(read(&*snapshot.store("sub/deep", false), DIRECTIVE), "deep");
    // A missing project, at a revision or on disk, is empty.
    let before = self::snapshot(&project, "v1").store("sub/deep", false);
    assert_eq!((read(&*before, DIRECTIVE), before.list(".ai").unwrap().len()), ("NotFound".to_string(), 0));
    fs::remove_dir_all(repo.path("sub")).unwrap();
    assert_eq!(read(&*self::snapshot(&project, "HEAD").store("sub/deep", false), DIRECTIVE), "deep");
}

#[test]
fn worktrees_submodules_and_bare_repositories_are_read() {
    let Some(case) = Case::new() else { return };
    let repo = case.repo();
    let linked = repo.worktree(&case.path("linked"), "v1");
    for (revision, text) in [("HEAD", "one"), ("main", "two"), (":", "one")] {
        assert_eq!(read(&*store(linked.folder(), revision), DIRECTIVE), text, "{revision}");
    }
    let around = Repo::init(&case.path("around"));
    around.write(DIRECTIVE, "around");
    let inner = around.submodule("vendor/inner", &repo);
    around.submodule("as-tier/.ai", &repo);
    around.commit("all");
    assert_eq!(read(&*store(inner.folder(), "HEAD~1"), DIRECTIVE), "one");
    let outer = store(around.folder(), "HEAD");
    assert_eq!(read(&*outer, DIRECTIVE), "around");
    assert_eq!(read(&*outer, "vendor/inner/.ai/directives/a.md"), "NotFound");
    assert_eq!(outer.list("vendor").unwrap(), []);
    assert_eq!(read(&*store(&around.path("as-tier"), "HEAD"), DIRECTIVE), "TierIsSubmodule");

    let bare = repo.bare_clone(&case.path("bare.git"));
    let at_root = snapshot(bare.folder(), "v1");
    assert_eq!(at_root.within(bare.folder()).as_deref(), Some(""));
    assert_eq!(read(&*at_root.store("", false), DIRECTIVE), "one");
    assert_eq!(read(&*store(&repo.path(".git"), "v2"), DIRECTIVE), "two");
}

#[test]
fn both_kinds_of_ids_are_read() {
    let Some(case) = Case::new() else { return };
    let repo = Repo::at(&case.root);
    let made = repo.command().args(["init", "--quiet", "--object-format=sha256", "long"]).output().unwrap();
    if !made.status.success() {
        return crate::support::missing("git with SHA-256 object ids");
    }
    let repo = Repo::at(&case.path("long"));
    repo.write(DIRECTIVE, "one").write("b.md", "b").commit("one");
    for revision in ["HEAD", ":"] {
        let store = store(repo.folder(), revision);
        assert_eq!((read(&*store, DIRECTIVE), read(&*store, "b.md")), ("one".to_string(), "b".to_string()));
        assert_eq!(store.identity("b.md").unwrap().to_string(), repo.id("HEAD:b.md"));
    }
}

#[test]
fn sizes_are_limited_and_the_next_file_is_still_read() {
    let Some(case) = Case::new() else { return };
    let repo = case.repo();
    repo.write("large.md", "x".repeat(5_000)).write("huge.md", vec![b'y'; 20_000_000]).commit("large");
    let store = store(repo.folder(), "HEAD");
    assert_eq!(read(&*store, "large.md"), "TooLarge(Some(5000))");
    assert_eq!(read(&*store, DIRECTIVE), "two");
    assert_eq!(read(&*store, "huge.md"), "TooLarge(Some(20000000))");
    assert_eq!(read(&*store, DIRECTIVE), "two");
    assert_eq!(store.read("large.md", 5_000).unwrap().len(), 5_000);
}
