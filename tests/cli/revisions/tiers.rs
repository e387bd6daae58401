//! The tiers at a revision: the project, and others in the same repository.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rye_render::internals::read::protocol::Builtin;
use rye_render::internals::read::store::{
    DirectiveFile, Disk, ItemId, ItemKind, ReadOptions, Surroundings, TierArguments, Tiers, find_project, find_tiers,
};

use super::{Case, DIRECTIVE, snapshot};
use crate::repo::Repo;

/// The tiers of a working folder at a revision.
struct Found {
    arguments: TierArguments,
    working_folder: PathBuf,
    home: PathBuf,
}

impl Found {
    fn new(working_folder: &Path, revision: &str) -> Self {
        let arguments = TierArguments {
            snapshot: Some(snapshot(working_folder, revision)),
            read: ReadOptions::default(),
            ..TierArguments::default()
        };
        Self { arguments, working_folder: working_folder.to_path_buf(), home: working_folder.join("nobody") }
    }

    fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            working_folder: self.working_folder.clone(),
            home: Some(self.home.clone()),
            variable: &|_: &str| None::<OsString>,
            disk: Disk::default(),
        }
    }

    fn tiers(&self) -> Tiers {
        find_tiers(&self.arguments, &self.surroundings(), Builtin::Layers)
            .unwrap_or_else(|error| panic!("{}", error.message()))
            .0
    }

    fn project(&self) -> Option<PathBuf> {
        find_project(&self.arguments, &self.surroundings()).unwrap()
    }

    /// The text of a directive with its tier and revision.
    fn read(&self, id: &str) -> String {
        match self.tiers().find(ItemKind::Directive, &ItemId::parse(id).unwrap()) {
            Ok(Some(found)) => {
                let source = found.source;
                format!("{} {}: {}", source.tier(), source.revision().unwrap_or("on disk"), source.text())
            }
            Ok(None) => "none".to_string(),
            Err(error) => error.code().to_string(),
        }
    }
}

#[test]
fn the_project_is_read_at_the_revision_and_its_sources_say_so() {
    let Some(case) = Case::new() else { return };
    let repo = case.repo();
    repo.write("sub/x", "x");
    for folder in [repo.folder().to_path_buf(), repo.path("sub"), repo.path(".ai")] {
        let found = Found::new(&folder, "v1");
        assert_eq!(found.project().as_deref(), Some(repo.folder()));
        assert_eq!(found.read("a"), "project v1: one");
    }
    assert_eq!(Found::new(repo.folder(), ":").read("a"), "project :: two");
    // The embedded bundle has no revision.
    let id = ItemId::parse("rye/agent/core/base").unwrap();
    let base = Found::new(repo.folder(), "v1").tiers().find(ItemKind::Directive, &id).unwrap().unwrap();
    assert_eq!((base.source.tier(), base.source.revision()), ("builtin", None));
}

#[test]
fn a_project_that_does_not_exist_yet_is_empty() {
    let Some(case) = Case::new() else { return };
    let repo = Repo::init(&case.path("repo"));
    repo.write("x", "x").commit("before").tag("before");
    repo.write(DIRECTIVE, "one").commit("one");
    let found = Found::new(repo.folder(), "before");
    assert_eq!((found.project().as_deref(), found.read("a")), (Some(repo.folder()), "none".to_string()));
    // A project deleted from disk, and from the next revision, is still found at its revision.
    repo.write("deep/er/y", "y").remove(DIRECTIVE).commit("removed");
    std::fs::remove_dir_all(repo.path(".ai")).unwrap();
    assert_eq!(Found::new(&repo.path("deep/er"), "HEAD~1").read("a"), "project HEAD~1: one");
    assert_eq!(Found::new(&repo.path("deep/er"), "HEAD").read("a"), "none");
}

#[test]
fn a_project_is_found_in_bare_repositories_worktrees_and_submodules() {
    let Some(case) = Case::new() else { return };
    let repo = case.repo();
    let bare = repo.bare_clone(&case.path("bare.git"));
    assert_eq!(Found::new(bare.folder(), "v1").read("a"), "project v1: one");
    let linked = repo.worktree(&case.path("linked"), "v2");
    assert_eq!(Found::new(linked.folder(), "v1").read("a"), "project v1: one");
    let around = Repo::init(&case.path("around"));
    let inner = around.write(DIRECTIVE, "around").submodule("inner", &repo);
    around.commit("all");
    assert_eq!(Found::new(inner.folder(), "v1").read("a"), "project v1: one");
    assert_eq!(Found::new(around.folder(), "HEAD").read("a"), "project HEAD: around");
}

#[test]
fn a_named_project_must_be_in_the_repository() {
    let Some(case) = Case::new() else { return };
    let repo = case.repo();
    repo.write("sub/.ai/directives/a.md", "sub").commit("sub");
    let mut found = Found::new(repo.folder(), "HEAD");
    found.arguments.project = Some("sub".into());
    assert_eq!(found.read("a"), "project HEAD: sub");
    found.arguments.project = Some("../".into());
    let refused = find_project(&found.arguments, &found.surroundings()).unwrap_err();
    assert_eq!(refused.code(), "outside_repository");
}

#[test]
fn tiers_outside_the_repository_are_read_from_disk() {
    let Some(case) = Case::new() else { return };
    let repo = case.repo();
    repo.write("bundle/.ai/directives/b.md", "old").write("me/.ai/directives/u.md", "old").commit("old").tag("old");
    repo.write("bundle/.ai/directives/b.md", "new").write("me/.ai/directives/u.md", "new").commit("new");
    repo.write("ignored/.ai/directives/i.md", "untracked");
    let outside = Repo::at(&case.path("outside"));
    outside.write(".ai/directives/o.md", "outside");
    let mut found = Found::new(repo.folder(), "old");
    found.home = repo.path("me");
    found.arguments.system = ["bundle", "ignored", "../outside"].map(OsString::from).to_vec();
    let texts = ["a", "u", "b", "i", "o"].map(|id| found.read(id));
    assert_eq!(
        texts,
        [
            "project old: two",
            "user old: old",
            "system:bundle old: old",
            "system:ignored on disk: untracked",
            "system:outside on disk: outside",
        ]
    );
    // The same applies to a tier deleted from disk.
    std::fs::remove_dir_all(repo.path("bundle")).unwrap();
    assert_eq!(found.read("b"), "system:bundle old: old");
}

#[test]
fn a_path_is_relative_to_the_repository_or_the_working_folder() {
    let Some(case) = Case::new() else { return };
    let repo = case.repo();
    repo.write("sub/.ai/directives/deep/b.md", "b").write("drafts/c.md", "c").write("sub/d.md", "d").commit("more");
    let working_folder = repo.path("sub");
    let read = |typed: &str| {
        let mut found = Found::new(&working_folder, "HEAD");
        let snapshot = found.arguments.snapshot.clone().unwrap();
        let file = DirectiveFile::resolve_at(Path::new(typed), &working_folder, &snapshot).unwrap();
        found.arguments.project = file.project.clone();
        let project = found.project().unwrap().strip_prefix(repo.folder()).unwrap().display().to_string();
        match file.read(&found.tiers(), Some(&snapshot)) {
            Ok(source) => format!("{} of {project:?}: {} {} {}", file.id, source.tier(), source.path(), source.text()),
            Err(error) => error.code().to_string(),
        }
    };
    assert_eq!(read(".ai/directives/a.md"), "a of \"\": project .ai/directives/a.md two");
    assert_eq!(read("sub/.ai/directives/deep/b.md"), "deep/b of \"sub\": project .ai/directives/deep/b.md b");
    assert_eq!(read("./.ai/directives/deep/b.md"), "deep/b of \"sub\": project .ai/directives/deep/b.md b");
    assert_eq!(read(".ai/directives/deep/b.md"), "deep/b of \"sub\": project .ai/directives/deep/b.md b");
    assert_eq!(read("../.ai/directives/a.md"), "a of \"\": project .ai/directives/a.md two");
    assert_eq!(read("./d.md"), "d of \"sub\": project d.md d");
    let drafts = repo.path("drafts/c.md").display().to_string();
    assert_eq!(read("drafts/c.md"), format!("c of \"sub\":  {drafts} c"));
    assert_eq!(read("drafts/none.md"), "unreadable");
    assert_eq!(read("../../outside.md"), "outside_repository");
}
