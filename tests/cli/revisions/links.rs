//! Links in a tree are followed like links on disk, and no further.
#![cfg(unix)]

use rye_render::internals::read::store::{Disk, FolderStore, Store};

use super::{Case, DIRECTIVE, read, snapshot, store};
use crate::repo::Repo;

/// Files, links and special cases in a project `tier`, with other folders next to it.
fn repo(case: &Case) -> Repo {
    let repo = Repo::init(&case.path("repo"));
    repo.write("tier/.ai/a.md", "inside").write("outside/a.md", "outside").write("tier2/a.md", "beside");
    repo.write("tier/top.md", "top").write("tier/.ai/deep/er/b.md", "b").write("tier/.ai/new\nline.md", "newline");
    for (link, target) in [
        ("near.md", "a.md"),
        ("around.md", "../../outside/../tier/.ai/a.md"),
        ("up.md", "../top.md"),
        ("folder", "deep"),
        ("folder-in-folder", "folder/er"),
        ("dots", "./deep/../deep/er/."),
        ("there-and-back", "../../outside/back"),
        ("out.md", "../../outside/a.md"),
        ("out", "../../outside"),
        ("beside.md", "../../tier2/a.md"),
        ("twice", "out"),
        ("dangling.md", "none.md"),
        ("through-file", "a.md/b.md"),
        ("one.md", "two.md"),
        ("two.md", "one.md"),
        ("self", "self"),
        ("newline.md", "new\nline.md"),
    ] {
        repo.link(&format!("tier/.ai/{link}"), target);
    }
    repo.link("outside/back", "../tier/.ai");
    let absolute = repo.path("tier/.ai/a.md");
    repo.link("tier/.ai/absolute.md", absolute.to_str().unwrap());
    repo.commit("all");
    repo
}

#[test]
fn a_tree_reads_like_the_folder() {
    let Some(case) = Case::new() else { return };
    let repo = repo(&case);
    let paths = [
        "a.md",
        "near.md",
        "around.md",
        "up.md",
        "folder",
        "folder/er/b.md",
        "folder-in-folder/b.md",
        "dots/b.md",
        "there-and-back/a.md",
        "there-and-back/near.md",
        "out.md",
        "out",
        "out/a.md",
        "beside.md",
        "twice/a.md",
        "dangling.md",
        "through-file",
        "one.md",
        "self/a.md",
        "newline.md",
        "new\nline.md",
        "absolute.md",
        "none",
        "a.md/x",
        "deep",
        "deep/er/../er/b.md",
        "../top.md",
        "../../outside/a.md",
        "",
        "deep/",
        "./a.md",
    ];
    for follow_links in [false, true] {
        let folder = FolderStore::open(&repo.path("tier"), follow_links, &Disk::default()).unwrap();
        for revision in ["HEAD", ":"] {
            let tree = snapshot(repo.folder(), revision).store("tier", follow_links);
            for path in paths {
                let path = format!(".ai/{path}");
                let at = format!("{path:?} at {revision}, links followed: {follow_links}");
                assert_eq!(read(&*tree, &path), read(&folder, &path), "{at}");
                assert_eq!(tree.exists(&path), folder.exists(&path), "{at}");
                let list = |store: &dyn Store| store.list(&path).map_err(|error| format!("{error:?}"));
                let (of_tree, of_folder) = (list(&*tree), list(&folder));
                // Outside the tier, the tree lists nothing, but the folder on disk gives an error.
                assert!(of_tree.is_ok() || of_folder.is_err(), "{at}: {of_tree:?} {of_folder:?}");
                assert_eq!(of_tree.unwrap_or_default(), of_folder.unwrap_or_default(), "{at}");
            }
        }
    }
}

#[test]
fn files_outside_the_repository_are_never_read() {
    let Some(case) = Case::new() else { return };
    let repo = case.repo();
    std::fs::write(case.path("secret.md"), "secret").unwrap();
    let secret = case.path("secret.md");
    repo.link(".ai/up.md", "../../secret.md").link(".ai/absolute.md", secret.to_str().unwrap());
    repo.link(".ai/root.md", "/etc/passwd").commit("links");
    for follow_links in [false, true] {
        let store = snapshot(repo.folder(), "HEAD").store("", follow_links);
        for name in ["up.md", "absolute.md", "root.md"] {
            assert_eq!(read(&*store, &format!(".ai/{name}")), "LinkLeavesRepository", "{name}");
        }
        assert_eq!(read(&*store, "../secret.md"), "LinkLeavesRepository");
    }
}

#[test]
fn absolute_links_are_resolved_without_the_disk() {
    let Some(case) = Case::new() else { return };
    let repo = case.repo();
    // A link on disk, next to the repository, leads into it.
    std::os::unix::fs::symlink(repo.folder(), case.path("alias")).unwrap();
    let through = |top: std::path::PathBuf| top.join(DIRECTIVE).to_str().unwrap().to_string();
    repo.link(".ai/alias.md", &through(case.path("alias")))
        .link(".ai/top.md", &through(case.path("repo")))
        .commit("links");
    let store = snapshot(repo.folder(), "HEAD").store("", false);
    assert_eq!(read(&*store, ".ai/alias.md"), "LinkLeavesRepository");
    assert_eq!(read(&*store, ".ai/top.md"), "two");
}

#[test]
fn the_folder_of_a_tier_may_be_a_link() {
    let Some(case) = Case::new() else { return };
    let repo = Repo::init(&case.path("repo"));
    repo.write("linked/a.md", "shared").write("linked/sub/b.md", "deeper").write("holder/other.md", "held");
    repo.write("outside/a.md", "outside").link("holder/.ai", "../linked");
    repo.link("linked/up.md", "../holder/other.md").link("linked/out.md", "../outside/a.md");
    // An `.ai` that links to a folder around it gives no access to other files there.
    repo.link("home/tier/.ai", "..").link("home/tier/x.md", "../secret.md").write("home/secret.md", "secret");
    repo.link("alias", "holder").commit("all");
    for revision in ["HEAD", ":"] {
        for project in ["holder", "alias"] {
            let tier = snapshot(repo.folder(), revision).store(project, false);
            let texts =
                ["a.md", "sub/b.md", "up.md", "out.md", "c.md"].map(|path| read(&*tier, &format!(".ai/{path}")));
            assert_eq!(texts, ["shared", "deeper", "held", "Outside", "NotFound"]);
        }
        let around = snapshot(repo.folder(), revision).store("home/tier", false);
        assert_eq!(read(&*around, ".ai/tier/x.md"), "Outside");
    }
}

#[test]
fn long_targets_and_paths_are_limited() {
    let Some(case) = Case::new() else { return };
    let repo = case.repo();
    // No file system allows a link this long, but a tree can contain one.
    repo.write("target", "a/".repeat(50_000));
    let target = repo.git(&["hash-object", "-w", "target"]);
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("120000,{target},.ai/long.md")]);
    let staged = store(repo.folder(), ":");
    assert_eq!(read(&*staged, ".ai/long.md"), "NotFound");
    assert_eq!(read(&*staged, &"a/".repeat(100_000)), "NotFound");
    assert_eq!(read(&*staged, DIRECTIVE), "two");
}
