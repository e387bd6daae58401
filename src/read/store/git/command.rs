//! Runs `git` so that an untrusted repository controls nothing but the objects it holds.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::diagnostic::{Diagnostic, Problem, system_reason};
use crate::system;

/// Variables of the user that select the repository.
const KEPT: [&str; 5] =
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"];

/// Variables that locate the user's settings (such as trusted repositories), or that programs need on some systems.
const NEEDED: [&str; 9] = [
    "HOME",
    "XDG_CONFIG_HOME",
    "USERPROFILE",
    "HOMEDRIVE",
    "HOMEPATH",
    "SYSTEMROOT",
    "PROGRAMDATA",
    "SUDO_UID",
    "DEVELOPER_DIR",
];

const FIXED: [(&str, &str); 8] = [
    // Errors are recognised by their English text.
    ("LC_ALL", "C"),
    // Missing objects are not fetched. Older versions of git respect only `GIT_ALLOW_PROTOCOL`.
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_ASKPASS", ""),
    ("GIT_PAGER", "cat"),
    ("GIT_ATTR_NOSYSTEM", "1"),
];

/// Overrides repository settings that name programs which git could start while it reads objects or
/// the index. No command that applies filters, textconv or external diffs is ever run.
const SETTINGS: [&str; 5] =
    ["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "protocol.allow=never", "gc.auto=0"];

#[derive(Debug, Clone)]
pub(super) struct Git {
    program: PathBuf,
    folder: Option<PathBuf>,
    environment: Vec<(&'static str, OsString)>,
}

impl Git {
    pub fn new(folder: &Path) -> Result<Self, Diagnostic> {
        let path = absolute(&env::var_os("PATH").unwrap_or_default());
        let program = find(&path).ok_or_else(|| Diagnostic::new(Problem::GitMissing))?;
        let variables = KEPT.iter().chain(&NEEDED).filter_map(|&name| Some((name, env::var_os(name)?)));
        let mut environment: Vec<_> = variables.collect();
        // If the environment names a repository, its path is relative to the working folder, which
        // is also the top of the work tree unless that is named too.
        let is_named = environment.iter().any(|(name, _)| matches!(*name, "GIT_DIR" | "GIT_WORK_TREE"));
        environment.extend(FIXED.map(|(name, value)| (name, value.into())));
        environment.extend(env::join_paths(path).ok().map(|path| ("PATH", path)));
        Ok(Self { program, folder: (!is_named).then(|| folder.to_path_buf()), environment })
    }

    pub fn is_named(&self) -> bool {
        self.folder.is_none()
    }

    /// Whether the environment names a repository but no work tree.
    pub fn names_repository_alone(&self) -> bool {
        self.is_named() && !self.environment.iter().any(|(name, _)| *name == "GIT_WORK_TREE")
    }

    /// For a nested repository, to which the environment does not apply.
    pub fn inside(&self, folder: &Path) -> Self {
        let environment = self.environment.iter().filter(|(name, _)| !KEPT.contains(name)).cloned().collect();
        Self { program: self.program.clone(), folder: Some(folder.to_path_buf()), environment }
    }

    pub fn working_folder(&self) -> PathBuf {
        self.folder.clone().unwrap_or_else(|| env::current_dir().unwrap_or_default())
    }

    /// The index file, which differs for linked work trees and submodules.
    pub fn index(&self) -> Option<PathBuf> {
        Some(self.working_folder().join(self.path(["rev-parse", "--git-path", "index"]).ok()?))
    }

    pub fn command<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(&self.program);
        command.env_clear().envs(self.environment.iter().map(|(name, value)| (name, value)));
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        command.arg("--no-pager");
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }

    pub fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Result<Output, Diagnostic> {
        self.command(arguments).stderr(Stdio::piped()).output().map_err(|error| self.not_started(&error))
    }

    /// What a command prints that must succeed.
    pub fn output<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Result<Vec<u8>, Diagnostic> {
        let output = self.run(arguments)?;
        if output.status.success() { Ok(output.stdout) } else { Err(self.failed(&output)) }
    }

    pub fn line<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Option<String> {
        let text = String::from_utf8(self.output(arguments).ok()?).ok()?;
        Some(text.strip_suffix('\n').unwrap_or(&text).to_string())
    }

    pub fn path<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Result<PathBuf, Diagnostic> {
        let printed = self.output(arguments)?;
        Ok(system::path_of_bytes(printed.strip_suffix(b"\n").unwrap_or(&printed)))
    }

    pub fn not_started(&self, error: &io::Error) -> Diagnostic {
        let problem = match &self.folder {
            Some(folder) if !folder.is_dir() => Problem::NoRepository { folder: folder.display().to_string() },
            _ => Problem::GitFailed { reason: system_reason(error) },
        };
        Diagnostic::new(problem)
    }

    pub fn failed(&self, output: &Output) -> Diagnostic {
        let said = String::from_utf8_lossy(&output.stderr);
        let is_advice = |line: &&str| line.trim_start().starts_with("git config ");
        let advice = said.lines().find(is_advice).map(|line| line.trim().to_string());
        let fatal = said.lines().find_map(|line| line.strip_prefix("fatal: ")).or(said.lines().next());
        let reason = fatal.map_or_else(|| output.status.to_string(), |line| line.trim().to_string());
        Diagnostic::new(if reason.contains("dubious ownership") || reason.contains("safe.bareRepository") {
            Problem::RepositoryRefused { reason, advice }
        } else if reason.contains("not a git repository") && !reason.contains("GIT_DIR") {
            Problem::NoRepository { folder: self.working_folder().display().to_string() }
        } else {
            Problem::GitFailed { reason }
        })
    }
}

/// The search path. Relative folders are skipped: their contents belong to the project.
fn absolute(path: &OsStr) -> Vec<PathBuf> {
    env::split_paths(path).filter(|folder| folder.is_absolute()).collect()
}

fn find(path: &[PathBuf]) -> Option<PathBuf> {
    let name = format!("git{}", env::consts::EXE_SUFFIX);
    path.iter().map(|folder| folder.join(&name)).find(|program| system::is_program(program))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn relative_folders_of_the_path_are_skipped() {
        let folders = |path: &str| absolute(OsStr::new(path));
        assert_eq!(folders(".:/usr/bin::bin:./x:/bin"), [Path::new("/usr/bin"), Path::new("/bin")]);
        assert!(folders("").is_empty());
    }

    #[test]
    fn only_executable_files_are_programs() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = [folder.path().to_path_buf()];
        let program = path[0].join("git");
        std::fs::create_dir(&program).unwrap();
        assert_eq!(find(&path), None);
        std::fs::remove_dir(&program).unwrap();
        std::fs::write(&program, "").unwrap();
        assert_eq!(find(&path), None);
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(find(&path), Some(program));
    }
}
