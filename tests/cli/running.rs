//! A program that keeps running while files change, in a pipe or on a terminal.

use std::fs;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{PROGRAM, has_terminal, isolated, program};

/// Longer than any machine takes.
pub const DEADLINE: Duration = Duration::from_secs(120);

pub const DIRECTIVE: &str = "project/.ai/directives/d.md";

/// A directive that injects a knowledge item and shows an input.
pub fn directive(body: &str) -> String {
    let context = "<metadata><context><before>k</before></context></metadata>";
    let inputs = "<inputs><input name=\"x\" default=\"nothing\"/></inputs>";
    format!("```xml\n<directive name=\"d\" version=\"1\">{context}{inputs}</directive>\n```\n\n{body} {{input:x}}\n")
}

pub fn knowledge(text: &str) -> String {
    format!("```yaml\nname: k\n```\n\n{text}\n")
}

/// Files that a program watches, in the folders `project`, where it runs, and `home`.
pub struct Files(TempDir);

impl Files {
    pub fn new() -> Self {
        let files = Self::empty();
        files.write(DIRECTIVE, &directive("One"));
        files.write("project/.ai/knowledge/k.md", &knowledge("Known"));
        files
    }

    pub fn empty() -> Self {
        let files = Self(tempfile::tempdir().expect("a folder"));
        ["project", "home"].iter().for_each(|folder| fs::create_dir(files.path(folder)).expect("a new folder"));
        files
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    /// Writes a file in place.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("its folder");
        fs::write(path, text).expect("a file");
    }

    /// Replaces a file in one step, as most editors do.
    pub fn replace(&self, path: &str, text: &str) {
        let new = self.path("home/new");
        fs::write(&new, text).expect("a new file");
        fs::create_dir_all(self.path(path).parent().expect("a file is in a folder")).expect("its folder");
        fs::rename(new, self.path(path)).expect("it replaces the old one");
    }

    pub fn remove(&self, path: &str) {
        fs::remove_file(self.path(path)).expect("the file existed");
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program(&self.path("home"));
        command.args(arguments).env("RYE_SYSTEM_SPACE", "none");
        command.current_dir(self.path("project"));
        command
    }

    pub fn watch(&self, arguments: &[&str]) -> Watching {
        Watching::start(self.command(arguments).arg("--watch"))
    }
}

/// A running program and its output so far.
pub struct Watching {
    pub child: Child,
    pub out: Stream,
    pub err: Stream,
}

impl Watching {
    pub fn start(command: &mut Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let out = Stream::of(child.stdout.take().expect("it is piped"));
        let err = Stream::of(child.stderr.take().expect("it is piped"));
        Self { child, out, err }
    }

    /// Waits until standard output has this many JSON documents; returns the last one.
    pub fn document(&mut self, count: usize) -> Value {
        self.out.until(|text| documents(text).len() >= count);
        let mut documents = documents(&self.out.text);
        assert_eq!(documents.len(), count, "{}", self.out.text);
        documents.pop().expect("there is at least one")
    }

    /// Like [`Self::document`] for prompts: returns the text of the last message.
    pub fn message(&mut self, count: usize) -> String {
        let document = self.document(count);
        let messages = document["messages"].as_array().expect("messages").last().expect("at least one");
        messages["text"].as_str().expect("a text").to_string()
    }

    pub fn ended(&mut self) -> ExitStatus {
        let begun = Instant::now();
        while begun.elapsed() < DEADLINE {
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                return status;
            }
            thread::sleep(Duration::from_millis(5));
        }
        // Tests that a script starts in the background ignore interrupts, and so do their child processes.
        panic!("it is still running; do the tests ignore interrupts? {}\n{}", self.out.text, self.err.text)
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The output of a pipe as it arrives.
pub struct Stream {
    chunks: Receiver<Vec<u8>>,
    bytes: Vec<u8>,
    pub text: String,
}

impl Stream {
    fn of(mut pipe: impl Read + Send + 'static) -> Self {
        let (sender, chunks) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = pipe.read(&mut buffer) {
                if sender.send(buffer[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { chunks, bytes: Vec::new(), text: String::new() }
    }

    /// Waits until `is_there` holds for the output so far.
    fn until(&mut self, is_there: impl Fn(&str) -> bool) {
        let begun = Instant::now();
        while !is_there(&self.text) {
            let left = DEADLINE.saturating_sub(begun.elapsed());
            match self.chunks.recv_timeout(left) {
                Ok(chunk) => self.bytes.extend(chunk),
                Err(RecvTimeoutError::Timeout) => panic!("timed out waiting for output:\n{}", self.text),
                Err(RecvTimeoutError::Disconnected) => panic!("the program ended:\n{}", self.text),
            }
            self.text = String::from_utf8_lossy(&self.bytes).into_owned();
        }
    }

    /// Waits for the end of the output.
    pub fn rest(&mut self) {
        while let Ok(chunk) = self.chunks.recv_timeout(DEADLINE) {
            self.bytes.extend(chunk);
        }
        self.text = String::from_utf8_lossy(&self.bytes).into_owned();
    }

    pub fn holds(&mut self, text: &str) {
        self.until(|all| all.contains(text));
    }
}

/// The complete documents of a stream.
fn documents(text: &str) -> Vec<Value> {
    serde_json::Deserializer::from_str(text).into_iter().map_while(Result::ok).collect()
}

/// `None` if `script` is missing.
pub fn with_terminal() -> Option<Files> {
    has_terminal().then(Files::new)
}

/// The program on a terminal of this kind, with the arguments typed there.
pub fn on_a_terminal(files: &Files, kind: &str, typed: &str) -> Command {
    let mut command = isolated(Command::new("script"), &files.path("home"));
    let line = format!("exec '{PROGRAM}' {typed}");
    command.args(["-qefc", &line, "/dev/null"]).current_dir(files.path("project"));
    command.env("RYE_SYSTEM_SPACE", "none").env("TERM", kind).env("PAGER", "sed s/^/paged:/");
    command
}
