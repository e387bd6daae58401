//! A test: its files, its arguments, and the complete output.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use similar::TextDiff;
use tempfile::TempDir;

/// An optimised program, named when the tests are compiled, that they run in place of their own build.
pub const RELEASED: Option<&str> = option_env!("RYE_RENDER_PROGRAM");

/// The program that is tested.
pub const PROGRAM: &str = match RELEASED {
    Some(program) => program,
    None => env!("CARGO_BIN_EXE_rye-render"),
};

/// The program with only a home folder in its environment.
pub fn program(home: &Path) -> Command {
    isolated(Command::new(PROGRAM), home)
}

/// Reports that a test cannot run without a program. If RYE_RENDER_REQUIRE_TOOLS is set, as in `.ci/run`, panics.
pub fn missing(program: &str) {
    assert!(std::env::var_os("RYE_RENDER_REQUIRE_TOOLS").is_none(), "this test requires {program}");
    crate::announce(&format!("not run: {program} not found"));
}

/// Whether `script` can run a command on a terminal.
pub fn has_terminal() -> bool {
    let can = Command::new("script").args(["-qefc", "exit 3", "/dev/null"]).stdin(Stdio::null()).output();
    let has_terminal = can.ok().and_then(|output| output.status.code()) == Some(3);
    if !has_terminal {
        missing("`script` that runs a command on a terminal");
    }
    has_terminal
}

/// A command with the environment of [`program`].
pub fn isolated(mut command: Command, home: &Path) -> Command {
    command.env_clear().env("HOME", home);
    // The search path leads to `git` and system libraries; it does not affect the output.
    for name in ["PATH", "SYSTEMROOT", "LLVM_PROFILE_FILE"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command
}

/// A test as one expression in reading order: files, arguments, output.
///
/// It runs in `project/` of a new folder, which the expected output may call `[ROOT]`. The user tier is the empty
/// folder `home/`, and the system tier is the embedded bundle. Output without an expectation must be empty.
#[must_use = "a test must be run"]
pub struct Test {
    root: TempDir,
    files: Vec<String>,
    through: Vec<String>,
    arguments: Vec<OsString>,
    stdin: String,
    environment: Vec<(String, String)>,
    stdout: Option<String>,
    stderr: Option<String>,
    status: i32,
}

/// What the program wrote, with `[ROOT]` for the test's folder.
#[derive(Debug)]
pub struct Ran {
    root: TempDir,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// A file that the program wrote.
    pub fn read(&self, path: &str) -> String {
        let path = self.root.path().join(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The bytes of a file, with its path as in the output.
    pub fn bytes(&self, path: &str) -> Vec<u8> {
        fs::read(self.root.path().join(path.trim_start_matches("[ROOT]/"))).expect("the file exists")
    }

    /// The names in a folder, in byte order, with U+FFFD for invalid UTF-8.
    pub fn list(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.root.path().join(folder)).expect("the folder exists");
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Makes an unreadable folder readable again, so that it can be deleted.
    #[cfg(unix)]
    pub fn open(&self, path: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.root.path().join(path);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("its owner may change it");
    }

    /// Another run of the program, in a folder of the same test.
    pub fn then(&self, folder: &str) -> Command {
        let mut command = program(&self.root.path().join("home"));
        command.current_dir(self.root.path().join(folder));
        command
    }

    /// Standard output as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).expect("standard output is JSON")
    }
}

impl Test {
    /// A plain folder, not a project of directives.
    pub fn plain() -> Self {
        let test = Self::new();
        fs::remove_dir(test.root.path().join("project/.ai")).expect("it is empty");
        test
    }

    pub fn new() -> Self {
        let root = tempfile::tempdir().expect("a folder for the test");
        for folder in ["project/.ai", "home"] {
            fs::create_dir_all(root.path().join(folder)).expect("a new folder");
        }
        Self {
            root,
            files: Vec::new(),
            through: Vec::new(),
            arguments: Vec::new(),
            stdin: String::new(),
            environment: Vec::new(),
            stdout: Some(String::new()),
            stderr: Some(String::new()),
            status: 0,
        }
    }

    /// Adds a file; its path is relative to the test's folder.
    pub fn file(mut self, path: &str, text: &str) -> Self {
        let target = self.root.path().join(path);
        fs::create_dir_all(target.parent().expect("a file is in a folder")).expect("its folder");
        fs::write(target, text).expect("a new file");
        self.files.push(format!("── {path}\n{text}"));
        self
    }

    /// Lets `make` add to the test's folder: links, FIFOs, bytes that are not text.
    pub fn with(self, make: impl FnOnce(&Path)) -> Self {
        make(self.root.path());
        self
    }

    /// Runs the program through this command, whose last arguments are the program and its arguments.
    pub fn through(mut self, command: &[&str]) -> Self {
        self.through = command.iter().map(ToString::to_string).collect();
        self
    }

    /// The test's folder, for many tests that only read it.
    pub fn kept(self) -> TempDir {
        self.root
    }

    /// Uses an existing project through a link.
    #[cfg(unix)]
    pub fn over(self, kept: &TempDir) -> Self {
        self.with(|root| {
            fs::remove_dir_all(root.join("project")).expect("the folder exists");
            std::os::unix::fs::symlink(kept.path().join("project"), root.join("project")).expect("a link");
        })
    }

    /// The arguments; `[ROOT]` stands for the test's folder.
    pub fn args<const N: usize>(mut self, arguments: [&str; N]) -> Self {
        let root = self.root_path();
        self.arguments.extend(arguments.map(|argument| argument.replace("[ROOT]", &root).into()));
        self
    }

    /// An argument that may not be UTF-8.
    #[cfg(unix)]
    pub fn bytes(mut self, argument: &[u8]) -> Self {
        use std::os::unix::ffi::OsStrExt as _;
        self.arguments.push(std::ffi::OsStr::from_bytes(argument).into());
        self
    }

    pub fn stdin(mut self, text: &str) -> Self {
        self.stdin = text.to_string();
        self
    }

    pub fn env(mut self, name: &str, value: &str) -> Self {
        let value = value.replace("[ROOT]", &self.root_path());
        self.environment.push((name.to_string(), value));
        self
    }

    /// The complete standard output.
    pub fn stdout(mut self, text: &str) -> Self {
        self.stdout = Some(text.to_string());
        self
    }

    /// Standard output is checked after the run.
    pub fn any_stdout(mut self) -> Self {
        self.stdout = None;
        self
    }

    /// The complete standard error.
    pub fn stderr(mut self, text: &str) -> Self {
        self.stderr = Some(text.to_string());
        self
    }

    /// Standard error is checked after the run.
    pub fn any_stderr(mut self) -> Self {
        self.stderr = None;
        self
    }

    pub fn status(mut self, status: i32) -> Self {
        self.status = status;
        self
    }

    /// Runs the program and compares; panics with the complete output.
    pub fn run(self) -> Ran {
        let root = self.root_path();
        let home = self.root.path().join("home");
        let mut command = match self.through.split_first() {
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg(PROGRAM);
                isolated(command, &home)
            }
            None => program(&home),
        };
        let mut child = command
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(self.root.path().join("project"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // A program that does not read its input may close the pipe.
        let _ = child.stdin.take().expect("it is piped").write_all(self.stdin.as_bytes());
        let output = child.wait_with_output().expect("the program ends");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8").replace(&root, "[ROOT]");
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));

        let mut wrong = String::new();
        for (name, expected, actual) in
            [("standard output", &self.stdout, &stdout), ("standard error", &self.stderr, &stderr)]
        {
            if let Some(expected) = expected.as_ref().filter(|expected| *expected != actual) {
                let difference = TextDiff::from_lines(expected, actual);
                let shown = difference.unified_diff().header("expected", "actual").to_string();
                writeln!(wrong, "{name} differs:\n{shown}").expect("writing to a String cannot fail");
            }
        }
        if output.status.code() != Some(self.status) {
            writeln!(wrong, "status: expected {}, actual {:?}", self.status, output.status.code())
                .expect("writing to a String cannot fail");
        }
        if !wrong.is_empty() {
            let typed: Vec<_> = self.arguments.iter().map(|argument| argument.to_string_lossy()).collect();
            panic!(
                "{wrong}\n$ rye-render {}\n{}\n── standard output\n{stdout}\n── standard error\n{stderr}",
                typed.join(" "),
                self.files.join("\n")
            );
        }
        Ran { root: self.root, stdout, stderr }
    }

    /// The test's folder without links, as the program itself may show it.
    fn root_path(&self) -> String {
        let root: PathBuf = self.root.path().canonicalize().expect("the folder exists");
        root.into_os_string().into_string().expect("temporary folders have plain names")
    }
}
