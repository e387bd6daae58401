//! An untrusted repository: no program that its configuration names is run.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rye_render::internals::read::store::Repository;

use super::{Case, DIRECTIVE, named, read, store};
use crate::repo::Repo;
use crate::support::Test;

/// Creates a program that leaves a file behind.
fn trap(path: &Path, canaries: &Path) -> String {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::create_dir_all(canaries).unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    fs::write(path, format!("#!/bin/sh\necho \"$@\" > '{}/{name}'\n", canaries.display())).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_string()
}

fn sprung(canaries: &Path) -> Vec<String> {
    let names = fs::read_dir(canaries).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

/// A repository in which every setting that can name a program names one.
fn armed(folder: &Path, traps: &Path, canaries: &Path) -> Repo {
    let repo = Repo::init(folder);
    let directive = |text: &str| format!("```xml\n<directive name=\"a\" version=\"1.0.0\"></directive>\n```\n{text}\n");
    repo.write(".gitattributes", "* filter=evil diff=evil merge=evil ident\n");
    repo.write(DIRECTIVE, directive("One.")).write(".ai/knowledge/lost.md", "lost").commit("one").tag("v1");
    repo.write(DIRECTIVE, directive("Two.")).commit("two").tag("v2");
    let lost = repo.id("v1:.ai/knowledge/lost.md");
    fs::remove_file(repo.path(&format!(".git/objects/{}/{}", &lost[..2], &lost[2..]))).unwrap();

    let program = |name: &str| trap(&traps.join(name), canaries);
    let set = |key: &str, value: &str| {
        repo.git(&["config", key, value]);
    };
    for key in [
        "core.pager",
        "core.sshCommand",
        "core.gitProxy",
        "core.askPass",
        "core.editor",
        "core.alternateRefsCommand",
        "sequence.editor",
        "gpg.program",
        "gpg.ssh.program",
        "gpg.x509.program",
        "gpg.ssh.defaultKeyCommand",
        "diff.external",
        "diff.evil.textconv",
        "diff.evil.command",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "merge.evil.driver",
        "uploadpack.packObjectsHook",
        "pager.cat-file",
        "pager.rev-parse",
        "remote.origin.uploadpack",
        "remote.origin.receivepack",
        "interactive.diffFilter",
        "trace2.eventTarget",
    ] {
        set(key, &program(key));
    }
    for command in ["cat-file", "rev-parse", "ls-files", "for-each-ref", "merge-base", "config"] {
        set(&format!("alias.{command}"), &format!("!{}", program(&format!("alias-{command}"))));
    }
    set("credential.helper", &format!("!{}", program("credential")));
    let hooks = traps.join("hooks");
    for hook in ["post-index-change", "reference-transaction", "post-checkout", "pre-auto-gc", "fsmonitor-watchman"] {
        trap(&hooks.join(hook), canaries);
    }
    set("core.hooksPath", hooks.to_str().unwrap());
    set("log.showSignature", "true");
    set("gc.auto", "1");
    // A missing object would be fetched by a command.
    set("protocol.ext.allow", "always");
    set("protocol.allow", "always");
    set("remote.origin.url", &format!("ext::{} %S", program("ext")));
    set("remote.origin.promisor", "true");
    set("remote.origin.partialCloneFilter", "blob:none");
    set("core.repositoryFormatVersion", "1");
    set("extensions.partialClone", "origin");
    set("core.fsmonitor", &program("fsmonitor"));
    repo
}

#[test]
fn nothing_that_a_repository_configures_is_run() {
    let Some(case) = Case::new() else { return };
    let canaries = case.path("canaries");
    let repo = armed(&case.path("repo"), &case.path("traps"), &canaries);
    let lost = repo.command().args(["ls-tree", "v1", ".ai/knowledge/lost.md"]).output().unwrap();
    let lost = String::from_utf8(lost.stdout).unwrap().split_whitespace().nth(2).unwrap().to_string();
    // The traps work: git itself springs them.
    for arguments in [&["status"][..], &["cat-file", "-p", &lost], &["diff", "v1", "v2"]] {
        let _ = repo.command().args(arguments).output().unwrap();
    }
    let mut by_git = sprung(&canaries);
    by_git.sort();
    for name in ["fsmonitor", "ext", "filter.evil.process"] {
        assert!(by_git.iter().any(|sprung| sprung == name), "git runs {name}: {by_git:?}");
    }
    fs::remove_dir_all(&canaries).unwrap();
    fs::create_dir(&canaries).unwrap();

    let repository = Repository::find(repo.folder()).unwrap();
    for revision in ["v1", "v2", "HEAD", "main~1", ":", "none", "none~1", "0123", &"0".repeat(40), &lost] {
        let revision =
            if revision == ":" { rye_render::internals::read::store::Revision::Index } else { named(revision) };
        let Ok(snapshot) = repository.snapshot(&revision) else { continue };
        let files = snapshot.store("", true);
        assert!(read(&*files, DIRECTIVE).contains("name=\"a\""));
        assert_eq!(read(&*files, ".ai/knowledge/lost.md"), "ObjectNotHere { is_partial: true }");
        let id = files.identity(".ai/knowledge/lost.md").unwrap();
        repository.read_many(&[id], 10, |_, read| assert!(read.is_err())).unwrap();
        assert!(!files.list(".ai").unwrap().is_empty());
    }
    for range in ["v1...v2", "v1..", "x...y"] {
        let _ = repository.range(range);
    }
    assert_eq!(sprung(&canaries), Vec::<String>::new());
}

#[test]
fn a_configuration_cannot_move_the_work_tree() {
    let Some(case) = Case::new() else { return };
    let repo = case.repo();
    fs::create_dir(case.path("victim")).unwrap();
    repo.git(&["config", "core.worktree", case.path("victim").to_str().unwrap()]);
    let refused = Repository::find(repo.folder()).unwrap_err();
    assert_eq!(refused.code(), "repository_refused", "{}", refused.message());
    repo.git(&["config", "core.worktree", repo.folder().to_str().unwrap()]);
    assert_eq!(read(&*store(repo.folder(), "v1"), DIRECTIVE), "one");
}

#[test]
fn the_program_runs_nothing_from_the_project() {
    if Case::new().is_none() {
        return;
    }
    for (arguments, path) in [
        (["diff", "a"], ".:[PATH]"),
        (["diff", "v1:a"], ":[PATH]:"),
        (["diff", "v1:.ai/directives/a.md"], "bin:[PATH]"),
        (["diff", ":a"], "./bin:[PATH]:."),
    ] {
        let path = path.replace("[PATH]", &std::env::var("PATH").unwrap());
        let test = Test::new().with(|root| {
            let canaries = root.join("canaries");
            armed(&root.join("project"), &root.join("traps"), &canaries);
            for name in ["git", "bin/git", ".git/git", "sh", "git-cat-file"] {
                trap(&root.join("project").join(name), &canaries);
            }
            fs::remove_dir_all(&canaries).unwrap();
            fs::create_dir(&canaries).unwrap();
        });
        let status = i32::from(arguments[1].starts_with("v1"));
        let ran = test.env("PATH", &path).args(arguments).status(status).any_stdout().run();
        assert_eq!(ran.list("canaries"), Vec::<String>::new(), "{arguments:?} with {path}");
    }
}
