//! The files of a folder at a revision: from the repository's objects if tracked there, otherwise from disk.
#![cfg(unix)]

use std::fs;

use rye_render::internals::read::store::{AtRevision, Disk, PathKind, Store};

use super::{Case, snapshot};
use crate::repo::Repo;

const LIMIT: u64 = 1_000;

fn at(repo: &Repo, revision: &str) -> AtRevision {
    AtRevision::new(snapshot(repo.folder(), revision), &Disk::default())
}

fn path(repo: &Repo, path: &str) -> String {
    repo.path(path).to_str().unwrap().to_string()
}

fn kind(files: &dyn Store, path: &str) -> Option<PathKind> {
    files.kind(path).ok()
}

fn names(files: &dyn Store, folder: &str) -> Vec<String> {
    files.list(folder).unwrap_or_default().into_iter().map(|entry| entry.name).collect()
}

fn text(files: &AtRevision, path: &str) -> Option<String> {
    files.read(path, LIMIT).ok().map(|bytes| String::from_utf8(bytes).unwrap())
}

/// A committed file with different text on disk.
fn edited(case: &Case) -> Repo {
    let repo = Repo::init(&case.path("repo"));
    repo.write("AGENTS.md", "one").write("a/b/AGENTS.md", "deep").commit("one").write("AGENTS.md", "two");
    repo
}

#[test]
fn files_in_the_repository_come_from_the_revision_and_others_from_disk() {
    let Some(case) = Case::new() else { return };
    let repo = edited(&case);
    fs::create_dir(case.path("agent")).unwrap();
    fs::write(case.path("agent/AGENTS.md"), "mine").unwrap();
    let agent = case.path("agent/AGENTS.md").to_str().unwrap().to_string();
    repo.write("new/AGENTS.md", "new").add().write("unstaged", "x");
    for (revision, new) in [("HEAD", None), (":", Some("new".to_string()))] {
        let files = at(&repo, revision);
        assert_eq!(text(&files, &path(&repo, "AGENTS.md")).as_deref(), Some(if new.is_some() { "two" } else { "one" }));
        assert_eq!(files.revision(&path(&repo, "AGENTS.md")).as_deref(), Some(revision));
        assert_eq!((text(&files, &agent).as_deref(), files.revision(&agent)), (Some("mine"), None));
        assert_eq!(text(&files, &path(&repo, "new/AGENTS.md")), new);
        assert_eq!(kind(&files, &path(&repo, "new")), new.map(|_| PathKind::Folder));
        assert_eq!(kind(&files, &path(&repo, "unstaged")), None);
        // Git refuses to track `.git`, which marks the top of the repository.
        assert_eq!(kind(&files, &path(&repo, ".git")), Some(PathKind::Folder));
        assert!(files.failure().is_none());
    }
    let files = at(&repo, "HEAD");
    assert_eq!(names(&files, &path(&repo, "")), ["AGENTS.md", "a"]);
    assert_eq!(files.real(&path(&repo, "a/b")), path(&repo, "a/b"));
}

#[test]
fn links_are_told_from_what_they_lead_to() {
    let Some(case) = Case::new() else { return };
    let repo = Repo::init(&case.path("repo"));
    repo.write("a/AGENTS.md", "one").link("a/CLAUDE.md", "AGENTS.md").link("b", "a").link("out", "/").commit("one");
    repo.remove("a/CLAUDE.md").write("a/CLAUDE.md", "no link any more");
    let files = at(&repo, "HEAD");
    let is_link = |name: &str| files.is_link(&path(&repo, name));
    assert!(["a/CLAUDE.md", "b", "out", "b/CLAUDE.md"].into_iter().all(is_link));
    assert!(!["a", "a/AGENTS.md", "b/AGENTS.md", "none"].into_iter().any(is_link));
}

#[test]
fn files_and_folders_are_distinguished() {
    let Some(case) = Case::new() else { return };
    let repo = edited(&case);
    let files = at(&repo, "HEAD");
    assert_eq!(names(&files, &path(&repo, "AGENTS.md")), Vec::<String>::new());
    assert_eq!(kind(&files, &path(&repo, "AGENTS.md/x")), None);
    assert!(files.read(&path(&repo, "a"), LIMIT).is_err());
    assert!(files.read(&path(&repo, "none"), LIMIT).is_err());
    assert!(files.failure().is_none());
}

/// Links work as on disk: kinds, bytes and real paths equal those of a checkout.
#[test]
fn links_have_the_same_target_as_in_a_checkout() {
    let Some(case) = Case::new() else { return };
    let repo = Repo::init(&case.path("repo"));
    fs::create_dir(case.path("outside")).unwrap();
    fs::write(case.path("outside/shared.md"), "shared").unwrap();
    let absolute = case.path("outside/shared.md");
    repo.write("docs/AGENTS.md", "inside").write("skills/x/SKILL.md", "x");
    for (link, target) in [
        ("near.md", "docs/AGENTS.md"),
        ("up.md", "../outside/shared.md"),
        ("absolute.md", absolute.to_str().unwrap()),
        ("out", "../outside"),
        ("folder", "docs"),
        ("there-and-back", "../repo/docs"),
        ("dangling", "nowhere"),
        ("gone", "../outside/nowhere"),
        ("one", "two"),
        ("two", "one"),
        ("self", "self"),
        ("skills/x/loop", ".."),
    ] {
        repo.link(link, target);
    }
    repo.commit("all");
    let files = at(&repo, "HEAD");
    for name in [
        "near.md",
        "up.md",
        "absolute.md",
        "out",
        "out/shared.md",
        "folder",
        "folder/AGENTS.md",
        "there-and-back",
        "there-and-back/AGENTS.md",
        "dangling",
        "gone",
        "one",
        "self/x",
        "skills/x/loop/x/loop/x/SKILL.md",
        "docs/../near.md",
    ] {
        let (path, disk) = (path(&repo, name), Disk::default().whole());
        assert_eq!(kind(&files, &path), kind(&disk, &path), "{name}");
        assert_eq!(files.read(&path, LIMIT).ok(), disk.read(&path, LIMIT).ok(), "{name}");
        assert_eq!(names(&files, &path), names(&disk, &path), "{name}");
        if kind(&disk, &path).is_some() {
            assert_eq!(files.real(&path), disk.real(&path), "{name}");
        }
    }
    let of_links = |name: &str| files.revision(&path(&repo, name)).is_some();
    assert_eq!((of_links("near.md"), of_links("up.md"), of_links("there-and-back/AGENTS.md")), (true, false, true));
    assert!(files.failure().is_none());
}

/// A link above the repository is followed on disk; one inside it is read at the revision, since it may differ on disk.
#[test]
fn the_path_to_the_repository_may_contain_a_link() {
    let Some(case) = Case::new() else { return };
    let repo = edited(&case);
    repo.link("a/link", "b").commit("link");
    std::os::unix::fs::symlink(repo.folder(), case.path("alias")).unwrap();
    fs::remove_file(repo.path("a/link")).unwrap();
    repo.link("a/link", "..");
    let files = at(&repo, "HEAD");
    let alias = |name: &str| case.path("alias").join(name).to_str().unwrap().to_string();
    assert_eq!(text(&files, &alias("a/link/AGENTS.md")).as_deref(), Some("deep"));
    assert_eq!(files.real(&alias("a/link")), path(&repo, "a/b"));
}

#[test]
fn a_submodule_is_another_repository() {
    let Some(case) = Case::new() else { return };
    let inner = Repo::init(&case.path("inner"));
    inner.write("SKILL.md", "inner").commit("one");
    let repo = Repo::init(&case.path("repo"));
    repo.commit("empty").submodule("skills/inner", &inner);
    repo.commit("with it");
    let files = at(&repo, "HEAD");
    let skill = path(&repo, "skills/inner/SKILL.md");
    assert_eq!((text(&files, &skill).as_deref(), files.revision(&skill)), (Some("inner"), None));
    assert_eq!(names(&files, &path(&repo, "skills")), ["inner"]);
    assert_eq!(kind(&at(&repo, "HEAD~1"), &skill), None);
    assert!(files.failure().is_none());
}

/// A partial result must not look complete.
#[test]
fn failures_of_git_are_reported() {
    let Some(case) = Case::new() else { return };
    let repo = edited(&case);
    let id = repo.id("HEAD:AGENTS.md");
    let object = format!(".git/objects/{}/{}", &id[..2], &id[2..]);
    fs::remove_file(repo.path(&object)).unwrap();
    let files = at(&repo, "HEAD");
    assert!(files.read(&path(&repo, "AGENTS.md"), LIMIT).is_err());
    assert_eq!(files.failure().map(|error| error.code().to_string()).as_deref(), Some("object_not_here"));
    assert_eq!(text(&files, &path(&repo, "a/b/AGENTS.md")).as_deref(), Some("deep"));
}

#[test]
fn an_unmerged_file_is_an_error() {
    let Some(case) = Case::new() else { return };
    let repo = Repo::init(&case.path("repo"));
    repo.write("AGENTS.md", "one").commit("one").branch("topic").write("AGENTS.md", "topic").commit("t");
    repo.switch("main").write("AGENTS.md", "main").commit("m");
    let merged = repo.command().args(["merge", "--quiet", "topic"]).output().unwrap();
    assert!(!merged.status.success());
    let files = at(&repo, ":");
    assert_eq!(kind(&files, &path(&repo, "AGENTS.md")), Some(PathKind::File));
    assert!(files.read(&path(&repo, "AGENTS.md"), LIMIT).is_err());
    assert_eq!(files.failure().map(|error| error.code().to_string()).as_deref(), Some("file_unmerged"));
}

/// Eleven tree objects represent ten billion folders.
#[test]
fn too_many_files_in_few_objects_is_an_error() {
    let Some(case) = Case::new() else { return };
    let repo = Repo::init(&case.path("repo"));
    repo.write("x", "x").commit("one");
    let mut tree = repo.id("HEAD^{tree}");
    for _ in 0..10 {
        let listed: String = (0..10).map(|name| format!("040000 tree {tree}\t{name}\n")).collect();
        let mut child = repo.command();
        let child = child.args(["mktree"]).stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        let mut child = child.spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), listed.as_bytes()).unwrap();
        tree = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap().trim().to_string();
    }
    let files = at(&repo, &tree);
    let root = rye_render::internals::agents::Root { folder: path(&repo, ""), tier: "cwd", is_requested: false };
    rye_render::internals::agents::discover(&[root], &files);
    let failure = files.failure().expect("it ends with a failure");
    assert!(failure.message().contains("more than 100,000 files"), "{}", failure.message());
}

#[test]
fn a_bare_repository_is_its_own_top() {
    let Some(case) = Case::new() else { return };
    let bare = edited(&case).bare_clone(&case.path("bare"));
    let files = at(&bare, "HEAD");
    assert_eq!(text(&files, &path(&bare, "AGENTS.md")).as_deref(), Some("one"));
    assert_eq!(kind(&files, &path(&bare, ".git")), Some(PathKind::Folder));
    // The files of the repository itself belong to no revision.
    assert_eq!(kind(&files, &path(&bare, "HEAD")), None);
}
