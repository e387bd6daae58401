//! Repositories that tests build with git, with the same ids on every machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A repository in a test's folder.
///
/// The settings of the user and the system do not apply; every commit has the same author and date.
#[derive(Debug, Clone)]
pub struct Repo {
    folder: PathBuf,
}

impl Repo {
    /// Creates a repository with the branch `main`.
    pub fn init(folder: &Path) -> Self {
        fs::create_dir_all(folder).expect("the folder of a repository");
        let repo = Self::at(folder);
        repo.git(&["init", "--quiet", "--initial-branch=main"]);
        repo
    }

    /// An existing repository: a clone, a worktree, a submodule.
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf() }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    /// Writes or replaces a file.
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) -> &Self {
        let target = self.path(path);
        fs::create_dir_all(target.parent().expect("a file is in a folder")).expect("its folder");
        fs::write(target, text).expect("a new file");
        self
    }

    pub fn remove(&self, path: &str) -> &Self {
        fs::remove_file(self.path(path)).expect("the file existed");
        self
    }

    /// A link to `target`, as written.
    #[cfg(unix)]
    pub fn link(&self, path: &str, target: &str) -> &Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a link is in a folder")).expect("its folder");
        std::os::unix::fs::symlink(target, path).expect("a new link");
        self
    }

    /// Stages everything.
    pub fn add(&self) -> &Self {
        self.git(&["add", "--all"]);
        self
    }

    /// Stages everything and commits it.
    pub fn commit(&self, message: &str) -> &Self {
        self.add().git(&["commit", "--quiet", "--allow-empty", "--message", message]);
        self
    }

    pub fn tag(&self, name: &str) -> &Self {
        self.git(&["tag", name]);
        self
    }

    /// Creates a branch and switches to it.
    pub fn branch(&self, name: &str) -> &Self {
        self.git(&["switch", "--quiet", "--create", name]);
        self
    }

    pub fn switch(&self, name: &str) -> &Self {
        self.git(&["switch", "--quiet", name]);
        self
    }

    /// Adds a work tree of this repository.
    pub fn worktree(&self, folder: &Path, revision: &str) -> Self {
        self.git(&["worktree", "add", "--quiet", "--detach", text(folder), revision]);
        Self::at(folder)
    }

    /// Adds a repository as a submodule of this one.
    pub fn submodule(&self, path: &str, of: &Self) -> Self {
        let allowed = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", text(&of.folder), path];
        self.git(&allowed);
        Self::at(&self.path(path))
    }

    /// A clone without a work tree.
    pub fn bare_clone(&self, folder: &Path) -> Self {
        self.clone_with(folder, &["--bare"])
    }

    /// A clone through the file protocol with these flags, such as object filters.
    pub fn clone_with(&self, folder: &Path, flags: &[&str]) -> Self {
        self.git(&["config", "uploadpack.allowFilter", "true"]);
        let url = format!("file://{}", text(&self.folder));
        self.git(&[&["clone", "--quiet"], flags, &[url.as_str(), text(folder)]].concat());
        Self::at(folder)
    }

    /// The id of a revision.
    pub fn id(&self, revision: &str) -> String {
        self.git(&["rev-parse", revision])
    }

    /// Runs git and returns what it prints.
    pub fn git(&self, arguments: &[&str]) -> String {
        let output = self.command().args(arguments).output().expect("git starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {}: {said}", arguments.join(" "));
        String::from_utf8(output.stdout).expect("git prints text").trim_end().to_string()
    }

    /// The command that runs git here.
    pub fn command(&self) -> Command {
        let mut command = Command::new("git");
        command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path))).current_dir(&self.folder);
        let nobody = self.folder.join(".git/none");
        for name in ["HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL"] {
            command.env(name, &nobody);
        }
        command.env("GIT_CONFIG_NOSYSTEM", "1");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "Ada").env(format!("GIT_{who}_EMAIL"), "ada@example.org");
            command.env(format!("GIT_{who}_DATE"), "2024-02-29T12:00:00Z");
        }
        command
    }
}

pub fn git_is_there() -> bool {
    let is_there = Command::new("git").arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_there {
        crate::support::missing("git");
    }
    is_there
}

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}
